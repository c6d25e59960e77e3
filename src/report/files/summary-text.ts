import type { KindResult } from '../../contracts/load-result.ts';
import type { Result } from '../../contracts/result.ts';
import { ms, rateText } from '../words/figure-text.ts';
import { tokenRates } from '../words/token-rates.ts';
import { clientWords, guessLines, headline } from '../words/verdict-words.ts';

/**
 * summary.txt: the verdict on a load without a bill in five lines, for a message or a log; a guess of the user's stands in
 * the last. Null where there is more to say than five lines hold.
 */
export function summaryText(result: Result): string | null {
  const { load, bill } = result;
  if (load === null || bill !== 'none') return null;
  const ofKinds = (words: (kind: KindResult) => string) =>
    load.kinds.map((kind) => `${kind.kind} ${words(kind)}`).join(' · ');
  const lines = [
    `${result.target}: ${headline(result).text}`,
    `rates: ${ofKinds((kind) => `${rateText(kind.achieved_rate)} starts/s of ${rateText(kind.asked_rate)}, ${kind.ok} ok, ${rateText(kind.goodput)} good/s`)}`,
    `times, ms, p50 and p99: ${ofKinds(timeWords)}`,
    `output tokens/s, in all and a stream: ${ofKinds((kind) => tokenRates(kind).join(' '))}`,
    [`client: ${clientWords(result.client)}`, ...guessLines(result)].join(' · '),
  ];
  // What the target said must not make two lines of one.
  return lines.map((line) => `${line.replaceAll(/\s+/g, ' ')}\n`).join('');
}

function timeWords({ latency }: KindResult): string {
  const { ttft, itl, tpot, e2e } = latency;
  return Object.entries({ TTFT: ttft, ITL: itl, TPOT: tpot, e2e })
    .map(([name, table]) => `${name} ${ms(table?.p50)} ${ms(table?.p99)}`)
    .join(', ');
}
