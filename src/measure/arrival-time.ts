import type { Arrival, ArrivalStage } from '../contracts/plan.ts';

/** What a schedule asks for: starts, over the seconds in which it starts calls. */
export interface AskedArrivals {
  /** Null for a closed loop, which asks for calls under way and not for starts. */
  readonly calls: number | null;
  readonly seconds: number;
}

/**
 * What the schedule alone tells of the time from `fromSeconds` on, for `seconds`. `calls` are those of an even arrival over
 * all execution segments, null for others: the integral of the rate gives those of a random process only on average.
 */
export function scheduledBetween(arrival: Arrival, fromSeconds: number, seconds: number): AskedArrivals {
  if (arrival.concurrency !== null || arrival.trace !== null) return { calls: null, seconds };
  const before = startsUntil(arrival, fromSeconds);
  const until = startsUntil(arrival, fromSeconds + seconds);
  const asked = { calls: until.calls - before.calls, seconds: until.seconds - before.seconds };
  if (arrival.process === 'even') return asked;
  return { calls: null, seconds: arrival.max_calls === null ? seconds : Math.min(seconds, asked.seconds) };
}

/**
 * When the schedule has its next start at or after `fromSeconds`: of a random process on average, of a closed loop and of
 * a trace, which any moment may have, at once. Null where none is left.
 */
export function nextStartSeconds(arrival: Arrival, fromSeconds: number): number | null {
  if (arrival.concurrency !== null || arrival.trace !== null) return fromSeconds;
  const { seconds } = startsUntil(arrival, fromSeconds);
  return seconds + NUDGE < fromSeconds ? null : seconds;
}

/**
 * Starts asked for in the first `limitSeconds`, and their time; a schedule that reaches `max_calls` ends there. Within a
 * stage the time of the last start lasts until the next one is due, so that 2/s is 2/s wherever it is cut.
 */
function startsUntil(
  arrival: Arrival,
  limitSeconds: number,
): { readonly calls: number; readonly seconds: number } {
  const most = arrival.max_calls ?? Number.POSITIVE_INFINITY;
  let calls = 0;
  let seconds = 0;
  for (const stage of arrival.stages) {
    const span = Math.min(stage.duration_ms / 1000, limitSeconds - seconds);
    if (span <= 0) break;
    const added = startsIn(stage, span);
    if (calls + added >= most) {
      return { calls: most, seconds: seconds + timeToReach(stage, most - calls, span) };
    }
    if (span < stage.duration_ms / 1000) {
      const due = Math.ceil(calls + added - NUDGE);
      const until = Math.max(span, timeToReach(stage, due - calls, stage.duration_ms / 1000));
      return { calls: due, seconds: seconds + until };
    }
    calls += added;
    seconds += span;
  }
  return { calls: Math.ceil(calls - NUDGE), seconds };
}

/** Start n is due when the integral reaches n, the first at 0; the nudge undoes the error of the sum. */
const NUDGE = 1e-9;

/** Integral of the linear rate over the first `seconds` of a stage. */
function startsIn(stage: ArrivalStage, seconds: number): number {
  const from = stage.from_millirate / 1000;
  const slope = (stage.to_millirate - stage.from_millirate) / stage.duration_ms;
  return from * seconds + (slope * seconds * seconds) / 2;
}

function timeToReach(stage: ArrivalStage, starts: number, span: number): number {
  const from = stage.from_millirate / 1000;
  const slope = (stage.to_millirate - stage.from_millirate) / stage.duration_ms;
  if (starts <= 0) return 0;
  // The root of slope/2·t² + from·t = starts in the form that is stable for a slope near 0.
  const seconds = (2 * starts) / (from + Math.sqrt(Math.max(0, from * from + 2 * slope * starts)));
  return Math.min(span, seconds);
}
