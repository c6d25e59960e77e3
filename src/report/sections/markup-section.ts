import { parseAmount } from '../../core/amount.ts';
import { plural } from '../../text/plural.ts';
import { ABSENT, usd } from '../words/figure-text.ts';
import { type Section, table, text } from './report-document.ts';

/** What the judged calls cost at another price list, for information: nothing is owed by it. Amounts are USD. */
export interface Markup {
  readonly list: string;
  readonly total: MarkupLine;
  readonly by_model: readonly (MarkupLine & { readonly model: string })[];
  /** Charged calls that the list has no price for, or whose units are not known. */
  readonly without: number;
}

export interface MarkupLine {
  readonly calls: number;
  readonly charged: string;
  readonly at_list: string;
}

const MOST_MODELS = 30;

export function markupSection({ list, total, by_model, without }: Markup): Section {
  const shown = by_model.slice(0, MOST_MODELS);
  const rest = by_model.length - shown.length;
  return {
    id: 'markup',
    title: 'Against a price list',
    blocks: [
      text(
        `For information: what the same units cost by ${list}. A difference is a markup or a discount, never a finding.`,
      ),
      table(
        ['model', '#calls', '#charged', '#at list price', '#markup'],
        [...shown.map((line) => cells(line.model, line)), cells('all', total)],
        1,
      ),
      ...(rest > 0 ? [text(`and ${plural(rest, 'model')} more, in the sum`)] : []),
      ...(without > 0
        ? [text(`${plural(without, 'charged call')} without a price in the list, or without known units.`)]
        : []),
    ],
  };
}

function cells(name: string, { calls, charged, at_list }: MarkupLine): readonly string[] {
  return [name, String(calls), usd(charged), usd(at_list), markupText(charged, at_list)];
}

/** (charged − list) ÷ list in per cent, to the nearest hundredth, halves away from 0. */
export function markupText(charged: string, atList: string): string {
  const paid = parseAmount(charged);
  const list = parseAmount(atList);
  if (paid === null || list === null || list <= 0n) return ABSENT;
  const over = paid - list;
  const size = over < 0n ? -over : over;
  const hundredths = (size * 20_000n + list) / (2n * list);
  const whole = hundredths / 100n;
  const rest = (hundredths % 100n).toString().padStart(2, '0');
  const sign = hundredths === 0n ? '' : over < 0n ? '-' : '+';
  return `${sign}${whole}.${rest} %`;
}
