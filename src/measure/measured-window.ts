import type { StateLine } from '../contracts/ledger-lines.ts';
import type { Plan } from '../contracts/plan.ts';
import { formatInstant, parseInstant } from '../core/time.ts';
import { isMeasured, isStart, type LogicalCall } from './logical-call.ts';
import { scheduleZero } from './schedule-zero.ts';
import { startsEndedAt } from './starts-ended.ts';

/** The time in which calls were started, RFC 3339: rates and goodput are per second of it. */
export interface MeasuredWindow {
  readonly start: string;
  readonly end: string;
}

/** How long the plan starts calls that are measured, ms. */
export function measuredMs({ workload }: Plan): number {
  return Math.max(0, workload.duration_ms - workload.warm_up_ms - workload.cool_down_ms);
}

/**
 * From the end of the warm-up on, as the schedule counts it, as long as the plan says or, where a halt or a kill ended the
 * starts, until the next one would have been due; and until the last start where that is later: what is late is still a
 * start. Starts that no plan timed, and closed loops that made all their calls, last until their last call ends. Null without
 * a start.
 */
export function measuredWindow(
  plan: Plan,
  calls: readonly LogicalCall[],
  states: readonly StateLine[],
): MeasuredWindow | null {
  const sent = calls.filter((call) => call.sent && isMeasured(call));
  const span = spanOfCalls(sent.filter(isStart));
  const zero = scheduleZero(plan, calls, states);
  if (span === null || zero === null) return null;
  if (sent.every((call) => isOffPlan(plan, call))) {
    return {
      start: formatInstant(span.first),
      end: formatInstant(spanOfCalls(sent)?.lastEnd ?? span.lastStart),
    };
  }
  const start = zero + plan.workload.warm_up_ms;
  if (haveMadeAll(plan, sent))
    return {
      start: formatInstant(start),
      end: formatInstant(spanOfCalls(sent)?.lastEnd ?? span.lastStart),
    };
  const planned = start + measuredMs(plan);
  const asked = startsEndedAt({ plan, zero, calls, states, lastStart: span.lastStart }) ?? planned;
  const end = Math.max(start, span.lastStart, Math.min(planned, asked));
  return { start: formatInstant(start), end: formatInstant(end) };
}

/** True where closed loops made every call that they were to make: nothing was asked of them afterwards. */
function haveMadeAll({ workload }: Plan, sent: readonly LogicalCall[]): boolean {
  const starts = sent.filter(isStart);
  return workload.scenarios.every(({ name, arrival: { concurrency, max_calls } }) => {
    if (concurrency === null || max_calls === null) return false;
    return starts.filter(({ scenario }) => scenario === name).length >= max_calls;
  });
}

/** True for a call of a script of the user's own: the plan has a time for each start, but of this one it knows nothing. */
function isOffPlan({ workload }: Plan, call: LogicalCall): boolean {
  const scenario = workload.scenarios.find(({ name }) => name === call.scenario);
  return scenario?.arrival.concurrency == null && isStart(call) && call.scheduleLagMs === null;
}

/** When calls started and ended, epoch ms; null for none. */
export function spanOfCalls(
  calls: readonly LogicalCall[],
): { readonly first: number; readonly lastStart: number; readonly lastEnd: number } | null {
  const first = calls.reduce((least, call) => Math.min(least, call.startedAt), Number.POSITIVE_INFINITY);
  if (!Number.isFinite(first)) return null;
  return {
    first,
    lastStart: calls.reduce((most, call) => Math.max(most, call.startedAt), first),
    lastEnd: calls.reduce((most, call) => Math.max(most, call.endedAt), first),
  };
}

/** State lines from the window's start on: what the load engine needs to get ready disturbs no call. */
export function statesIn(window: MeasuredWindow | null, states: readonly StateLine[]): readonly StateLine[] {
  const start = parseInstant(window?.start ?? '') ?? Number.NEGATIVE_INFINITY;
  return states.filter((state) => (parseInstant(state.at) ?? start) >= start);
}

export function secondsOf(window: MeasuredWindow): number {
  const start = parseInstant(window.start);
  const end = parseInstant(window.end);
  return start === null || end === null ? 0 : Math.max(0, (end - start) / 1000);
}
