import { parseAmount } from '../../core/amount.ts';
import { ms, percent } from '../../report/words/figure-text.ts';
import { plural } from '../../text/plural.ts';
import {
  type Failure,
  type LiveObjective,
  type LoadProgress,
  type Progress,
  type SettlementProgress,
  WINDOW_MS,
} from '../notices/progress.ts';

/** `23 s of 60 · 37 s left`. Calls under way when the planned time is over may end long after it. */
export function timeWords({
  elapsed_ms,
  planned_ms,
  left_ms,
  draining,
  halted,
  planned_calls,
  total,
}: LoadProgress): string {
  // Calls that are counted end the load long before the time that they may take.
  const counted = planned_calls !== null && elapsed_ms <= planned_ms && !draining && halted === null;
  if (counted)
    return `${seconds(elapsed_ms)} s · ${total.started} of ${plural(planned_calls, 'call')} started`;
  const elapsed =
    elapsed_ms <= planned_ms
      ? `${seconds(elapsed_ms)} s of ${seconds(planned_ms)}`
      : `${seconds(elapsed_ms)} s (${seconds(planned_ms)} planned)`;
  if (halted !== null) return `${elapsed} · no further starts: ${halted}`;
  if (left_ms === null) return elapsed;
  return `${elapsed} · ${draining ? drainWords(total.in_flight, left_ms) : `${seconds(left_ms)} s left`}`;
}

/** What is waited for comes first: the time at which calls are cut is seldom reached. */
function drainWords(in_flight: number, left_ms: number): string {
  if (in_flight === 0) return 'all calls ended';
  return `waiting for ${plural(in_flight, 'call')} in flight, cut after another ${seconds(left_ms)} s`;
}

/** How far a load has come, from 0 to 1: by its calls where they are counted, else by its time. */
export function shareDone({ elapsed_ms, planned_ms, planned_calls, total, draining }: LoadProgress): number {
  if (draining) return 1;
  const share = planned_calls === null ? elapsed_ms / planned_ms : total.started / planned_calls;
  return Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0;
}

/** `chat: TTFT p95 312 ms, at most 800 ms`; what is not known yet is judged in the report. */
export function goalWords({ scenario, measure, percentile, max, min, actual }: LiveObjective): string {
  const name = [MEASURES[measure] ?? measure, ...(percentile === null ? [] : [`p${percentile}`])].join(' ');
  const figure = (value: number): string =>
    measure.endsWith('_ms') ? `${ms(value)} ms` : measure.endsWith('_share') ? percent(value) : String(value);
  const bound = max !== null ? `, at most ${figure(max)}` : min !== null ? `, at least ${figure(min)}` : '';
  return `${scenario}: ${name} ${actual === null ? 'is judged at the end' : figure(actual)}${bound}`;
}

const MEASURES: Partial<Record<LiveObjective['measure'], string>> = {
  ttft_ms: 'TTFT',
  tpot_ms: 'TPOT',
  e2e_ms: 'e2e',
  error_share: 'failed',
  dropped_share: 'dropped',
  goodput_rate: 'good calls/s',
  attainment_share: 'attainment',
  usd_per_1000_good: 'USD per 1000 good calls',
};

/** The tick before an objective. */
export function tickOf({ met }: LiveObjective): string {
  return met === null ? '·' : met ? '✓' : '✗';
}

/** What was spent at most, against the cap; null where the plan has no bounds. */
export function spendWords({ spend }: LoadProgress): string | null {
  const { at_most_usd, cap_usd } = spend;
  if (at_most_usd === null) return null;
  const words = `spent at most $${at_most_usd}`;
  if (cap_usd === null) return words;
  const [spent, cap] = [parseAmount(at_most_usd), parseAmount(cap_usd)];
  const share = spent === null || cap === null || cap <= 0n ? '' : ` (${(spent * 100n) / cap} %)`;
  return `${words} of $${cap_usd}${share}`;
}

export function settlementWords({ records, open_calls, proving }: SettlementProgress): string {
  const reading = `${records} records read, ${open_calls} calls still open`;
  return proving ? `${reading}, proving that all was read` : reading;
}

/** `at most 30 s left`. */
export function leftWords(left_ms: number): string {
  return `at most ${seconds(left_ms)} s left`;
}

/** Says how the settlement stands, but not the same twice in a row. */
export function settlementTeller(say: (line: string) => void): (round: SettlementProgress) => void {
  let said: string | null = null;
  return (round) => {
    const words = settlementWords(round);
    if (words !== said) say(`settling: ${words}`);
    said = words;
  };
}

export function stageWords({ stage, load }: Progress): string {
  switch (stage) {
    case 'prepare':
      return 'reading models and prices';
    case 'trial':
      return 'trial';
    case 'load':
      return load === null || load.instance === 'i0' ? 'load' : `load ${load.instance}`;
    case 'settle':
      return 'settling the bill';
    case 'judge':
      return 'judging';
    case 'done':
      return 'done';
  }
}

/** Null while every row is read. */
export function sampleWords({ sample }: LoadProgress): string | null {
  return sample === null
    ? null
    : `times and tokens of a sample: ${sample.read} of ${plural(sample.rows, 'row')}`;
}

function seconds(ms: number): number {
  return Math.round(ms / 1000);
}

/** `429 rate_limited`, `timeout_idle`: the code that was served, or the outcome where none was. */
export function errorName({ outcome, status, error_code }: Failure): string {
  const code = error_code === null ? outcome : narrow(error_code);
  return status === null || status === 200 ? code : `${status} ${code}`;
}

/**
 * Makes what a target says fit for a line whose width counts. Characters beyond ASCII can be two columns wide or none,
 * and controls could steer the terminal.
 */
export function narrow(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/gu, '?');
}

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
    ...(total.ttft === null && total.e2e === null ? [] : [`last ${seconds(WINDOW_MS)} s:`]),
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
