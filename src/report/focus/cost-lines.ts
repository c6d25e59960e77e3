import type { ChargeLine } from '../../contracts/reconciliation.ts';
import {
  addDecimal,
  type Decimal,
  formatDecimal,
  normalise,
  parseDecimal,
  subtractDecimal,
  ZERO,
} from '../../core/decimal.ts';
import type { BillRow } from '../rows/bill-row.ts';
import { isPending, isRefunded, refundedBy } from '../rows/record-amounts.ts';

/** A part of the charge of a row. Amounts are plain decimals; the costs of a row add up to what it is charged. */
export interface CostLine {
  readonly category: 'Usage' | 'Adjustment' | 'Credit';
  readonly description: string;
  /** Null where the cost is that of no price line. */
  readonly line: ChargeLine | null;
  readonly cost: string;
  /** At the price book, before and after what was agreed. */
  readonly list: string;
  readonly contracted: string;
}

/** Empty where nothing is charged yet; null where what is charged cannot be read, which is never 0. */
export function costLines(row: BillRow): readonly CostLine[] | null {
  if (row.records.length === 0 || row.records.every(isPending)) return [];
  const charged = decimalOf(row.money?.charged ?? null);
  const back = decimalOf(refundedBy(row.records.filter(isRefunded)));
  if (charged === null || back === null) return null;
  const taken = addDecimal(charged, back);
  const lines = [...takenLines(row, taken)];
  if (back.digits !== 0n) lines.push(bare('Credit', 'Given back', negative(back)));
  return lines;
}

/** By the lines of the price book as far as it explains the charge, the rest as adjustments. */
function takenLines({ call, money }: BillRow, taken: Decimal): readonly CostLine[] {
  const priced = pricedLines(call?.lines ?? []);
  if (priced === null) return [bare('Usage', 'Charged', taken)];
  const agreed = (call?.lines ?? []).filter((line) => line.meter.startsWith('adjustment:'));
  const book = priced.reduce((sum, { amount }) => addDecimal(sum, amount), ZERO);
  const due = decimalOf(money?.expected ?? null);
  const usage = priced.map(({ line, amount }): CostLine => {
    const cost = textOf(amount);
    return { category: 'Usage', description: line.meter, line, cost, list: cost, contracted: cost };
  });
  if (due === null) return withRest(usage, 'Not explained by the price book', subtractDecimal(taken, book));
  const settled = subtractDecimal(due, book);
  const names = agreed.map(({ meter }) => meter.slice('adjustment:'.length)).join(', ');
  const terms = withRest(usage, names === '' ? 'Rounding and minimum' : `Agreed: ${names}`, settled, true);
  return withRest(terms, 'Charged beside the price book', subtractDecimal(taken, due));
}

function withRest(
  lines: readonly CostLine[],
  description: string,
  rest: Decimal,
  contracted = false,
): readonly CostLine[] {
  if (rest.digits === 0n) return lines;
  const line = bare('Adjustment', description, rest);
  return [...lines, contracted ? { ...line, contracted: line.cost } : line];
}

/** Null where there is none, or a term is no single figure. */
function pricedLines(
  lines: readonly ChargeLine[],
): readonly { readonly line: ChargeLine; readonly amount: Decimal }[] | null {
  const own = lines.filter(({ meter }) => !meter.startsWith('adjustment:'));
  const priced = own.flatMap((line) => {
    const amount = parseDecimal(line.subtotal);
    return amount === null || parseDecimal(line.units) === null ? [] : [{ line, amount }];
  });
  return priced.length === 0 || priced.length < own.length ? null : priced;
}

function bare(category: CostLine['category'], description: string, cost: Decimal): CostLine {
  return { category, description, line: null, cost: textOf(cost), list: '0', contracted: '0' };
}

function negative({ digits, scale }: Decimal): Decimal {
  return { digits: -digits, scale };
}

function decimalOf(text: string | null): Decimal | null {
  return text === null ? null : parseDecimal(text);
}

function textOf(value: Decimal): string {
  return formatDecimal(normalise(value));
}
