import type { StateLine } from '../core/ledger-lines.ts';
import type { Plan } from '../core/plan.ts';
import { formatInstant, parseInstant } from '../core/time.ts';
import type { LogicalCall } from './logical-call.ts';

/** The time in which calls were started, RFC 3339: rates and goodput are per second of it. */
export interface MeasuredWindow {
  readonly start: string;
  readonly end: string;
}

/** How long the plan starts calls that are measured, ms. */
export function measuredMs({ workload }: Plan): number {
  return Math.max(0, workload.duration_ms - workload.warm_up_ms - workload.cool_down_ms);
}

/** Warm-up and cool-down stay out of every figure. */
export function isMeasured(call: LogicalCall): boolean {
  return call.last.phase === 'measured';
}

/** From the first measured start on, as long as the plan says or until a halt ended the starts; null without a start. */
export function windowOf(
  plan: Plan,
  calls: readonly LogicalCall[],
  states: readonly StateLine[],
): MeasuredWindow | null {
  const starts = calls.filter((call) => call.sent && isMeasured(call)).map((call) => call.startedAt);
  const first = starts.reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY);
  if (!Number.isFinite(first)) return null;
  const lastStart = starts.reduce((most, at) => Math.max(most, at), first);
  const planned = first + measuredMs(plan);
  const end = Math.min(planned, Math.max(lastStart, haltedAt(states) ?? planned));
  return { start: formatInstant(first), end: formatInstant(end) };
}

/** When the last instance was seen to start no more; what drains afterwards is no time of starts. Null: one never halted. */
function haltedAt(states: readonly StateLine[]): number | null {
  const halts = [...Map.groupBy(states, ({ instance }) => instance).values()].map((lines) =>
    lines
      .filter((line) => line.halted !== null)
      .reduce((least, line) => Math.min(least, parseInstant(line.at) ?? least), Number.POSITIVE_INFINITY),
  );
  const last = halts.reduce((most, at) => Math.max(most, at), Number.NEGATIVE_INFINITY);
  return Number.isFinite(last) ? last : null;
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
