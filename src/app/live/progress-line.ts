import { ms } from '../../report/words/figure-text.ts';
import type { LoadProgress } from '../notices/progress.ts';
import { spendWords, timeWords } from './progress-words.ts';

/** A load in one line, for where nothing can be redrawn. */
export function progressLine(load: LoadProgress): string {
  const { total, halted } = load;
  // A halt adds the starts that were still to come, as held ones.
  const dueWord = halted === null ? 'due' : 'planned';
  const spend = spendWords(load);
  return [
    timeWords(load),
    `started ${total.started} of ${total.planned} ${dueWord}`,
    `in flight ${total.in_flight}`,
    `calls ok ${total.ok}`,
    `failed ${total.failed}`,
    `dropped ${total.dropped}`,
    ...unlessNone({ aborted: total.aborted, held: total.held, 'not sent': total.not_sent }),
    ...(total.ttft === null ? [] : [`TTFT p50 ${ms(total.ttft.p50_ms)} p95 ${ms(total.ttft.p95_ms)} ms`]),
    ...(total.e2e === null ? [] : [`e2e p50 ${ms(total.e2e.p50_ms)} p95 ${ms(total.e2e.p95_ms)} ms`]),
    ...(total.tokens_per_s === null ? [] : [`${Math.round(total.tokens_per_s.output)} tokens/s`]),
    ...(spend === null ? [] : [spend]),
  ].join('  ');
}

/** What we cut or kept back ourselves, in the seconds in which there is any. */
function unlessNone(counts: Readonly<Record<string, number>>): string[] {
  return Object.entries(counts).flatMap(([name, count]) => (count === 0 ? [] : [`${name} ${count}`]));
}
