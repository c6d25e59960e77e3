import type { ObjectiveResult } from '../../contracts/load-result.ts';
import type { Result } from '../../contracts/result.ts';
import { figure, usd } from './figure-text.ts';

/** Null where none was asked, or where what was measured decides none: a search of the capacity, a busy client. */
export function objectiveWords({
  load,
  client,
  capacity,
}: Pick<Result, 'load' | 'client' | 'capacity'>): readonly string[] | null {
  const all = load?.objectives ?? [];
  if (all.length === 0 || capacity !== null || client?.verdict === 'client_limited') return null;
  return all.toSorted((left, right) => Number(left.met) - Number(right.met)).map(tickWords);
}

/** `✓ chat ttft_ms p95 ≤ 400: 300` */
function tickWords(objective: ObjectiveResult): string {
  const { scenario } = objective;
  return `${TICK[objectiveState(objective)]} ${scenario} ${measureWords(objective)} ${boundWords(objective)}: ${actualWords(objective)}`;
}

type ObjectiveState = 'met' | 'missed' | 'unknown';

const TICK: Readonly<Record<ObjectiveState, string>> = { met: '✓', missed: '✗', unknown: '?' };

/** A cost of which only an upper bound is known decides nothing above the objective. */
export function objectiveState({
  measure,
  met,
  actual_usd,
  actual_at_most,
}: ObjectiveResult): ObjectiveState {
  if (met) return 'met';
  return measure === 'usd_per_1000_good' && (actual_usd === null || actual_at_most) ? 'unknown' : 'missed';
}

export function measureWords({ measure, percentile }: ObjectiveResult): string {
  return percentile === null ? measure : `${measure} p${percentile}`;
}

export function boundWords({ min, max, max_usd }: ObjectiveResult): string {
  return min === null ? `≤ ${max_usd === null ? max : usd(max_usd)}` : `≥ ${min}`;
}

export function actualWords({ actual, actual_usd, actual_at_most }: ObjectiveResult): string {
  return actual_usd === null ? figure(actual) : `${actual_at_most ? '≤ ' : ''}${usd(actual_usd)}`;
}
