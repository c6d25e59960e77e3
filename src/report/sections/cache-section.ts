import type { CacheFigures, CacheResult, ModelCache } from '../../contracts/cache-result.ts';
import { plural } from '../../text/plural.ts';
import { cacheWords, lossText } from '../words/cache-words.ts';
import { ABSENT, usd } from '../words/figure-text.ts';
import { type Block, fold, type Section, table, text } from './report-document.ts';

const MOST_HOURS = 200;
const FIGURES = ['#hits', '#owed, missed', '#tokens lost', '#lost', '#saved', '#of it written again'];

/** What the prompt cache owed and gave; null where no hit came and none was owed. */
export function cacheSection(cache: CacheResult | undefined): Section | null {
  const words = cacheWords(cache);
  if (cache === undefined || words === null) return null;
  const { by_hour, by_model, invented, untold } = cache;
  const hours = by_hour.filter(({ hits, missed }) => hits + missed.hi > 0);
  const left = hours.length - MOST_HOURS;
  const blocks: Block[] = [
    text(`${words.charAt(0).toUpperCase()}${words.slice(1)}.`),
    text(
      'A call is owed a hit where its prompt begins as one that was sent and answered before. No provider promises every hit, so a miss is money and no finding. The first figure rests on calls that were told so many cached tokens for the same beginning, within the time after which hits came. The second is the most that a cache can hold.',
    ),
    table(
      ['model', ...FIGURES],
      [...by_model.map((line) => row([line.model], line)), row(['all'], cache)],
      1,
    ),
    table(
      ['model', 'held for', 'from', 'in blocks of'],
      by_model.map((line) => [
        line.model,
        term(line.lifetime_s, 's'),
        term(line.least_tokens, 'tokens'),
        term(line.block_tokens, 'tokens'),
      ]),
    ),
    fold('By hour', [
      table(
        ['hour, UTC', 'model', ...FIGURES],
        hours.slice(0, MOST_HOURS).map((line) => row([line.hour, line.model], line)),
      ),
      ...(left > 0 ? [text(`and ${plural(left, 'line')} more, in result.json`)] : []),
    ]),
  ];
  if (invented.calls > 0)
    blocks.push(
      text(
        `${plural(invented.calls, 'call')} told ${plural(invented.tokens, 'token')} as written to the cache that their prompts cannot hold: ${usd(invented.amount)}.`,
      ),
    );
  if (untold > 0) blocks.push(text(`Of ${plural(untold, 'text call')} nothing tells how the prompt began.`));
  return { id: 'cache', title: 'The prompt cache', blocks };
}

function row(
  names: readonly string[],
  { hits, missed, lost_tokens, lost, saved, rewritten }: CacheFigures,
): string[] {
  return [
    ...names,
    String(hits),
    countText(missed),
    countText(lost_tokens),
    lossText(lost),
    usd(saved),
    usd(rewritten.amount),
  ];
}

function countText({ lo, hi }: { readonly lo: number; readonly hi: number }): string {
  return lo === hi ? String(lo) : `${lo} to ${hi}`;
}

function term({ value, basis }: ModelCache['lifetime_s'], unit: string): string {
  return value === null ? ABSENT : `${value} ${unit}, ${basis}`;
}
