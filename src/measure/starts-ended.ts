import type { StateLine } from '../contracts/ledger-lines.ts';
import type { Plan } from '../contracts/plan.ts';
import { parseInstant } from '../core/time.ts';
import { nextStartSeconds } from './arrival-time.ts';
import { isStart, type LogicalCall } from './logical-call.ts';
import { plannedAt } from './schedule-zero.ts';

/** Instances of which there are lines, and whose last state line is no final one: they were killed, or still run. */
export function unclosedInstances(
  calls: readonly LogicalCall[],
  states: readonly StateLine[],
): readonly string[] {
  const lines = Map.groupBy(states, ({ instance }) => instance);
  const instances = new Set([...lines.keys(), ...calls.map(({ last }) => last.instance)]);
  return [...instances].filter((instance) => !isClosed(lines.get(instance) ?? [])).sort();
}

export interface StartsInput {
  readonly plan: Plan;
  /** Epoch ms at which the schedule began. */
  readonly zero: number;
  readonly calls: readonly LogicalCall[];
  readonly states: readonly StateLine[];
  /** Epoch ms of the last start that was made. */
  readonly lastStart: number;
}

/**
 * Until when all starts that were due are known of, epoch ms, where the last instance started no more though the plan
 * went on: to the first start that a halt refused, else to the one that would have been due next after the halt, or after
 * the end of a ledger that breaks off. Null where an instance went on to the end of the plan. What drains is no time of
 * starts.
 */
export function startsEndedAt(input: StartsInput): number | null {
  const { plan, zero, calls, states, lastStart } = input;
  const lines = Map.groupBy(states, ({ instance }) => instance);
  const open = new Set(unclosedInstances(calls, states));
  const ends = [...new Set([...lines.keys(), ...open])].map((instance) => {
    const own = lines.get(instance) ?? [];
    const ofInstance = calls.filter(({ last }) => last.instance === instance);
    const refused = refusedAt(ofInstance, own);
    if (refused !== null) return refused;
    const halted = haltedAt(own);
    const broken = open.has(instance) ? lastLineAt(ofInstance, own) : null;
    const ended = halted ?? broken;
    return ended === null ? Number.POSITIVE_INFINITY : nextStartAt(plan, zero, Math.max(ended, lastStart));
  });
  const last = ends.reduce((most, at) => Math.max(most, at), Number.NEGATIVE_INFINITY);
  return Number.isFinite(last) ? last : null;
}

/** True where a halt ended the starts: then the counters hold what was planned after it, too. */
export function isHalted(states: readonly StateLine[]): boolean {
  return states.some(({ halted }) => halted !== null);
}

/**
 * The earliest moment from `at` on at which the plan has a start, epoch ms: until then not starting is what was asked
 * for. `at` itself where a closed loop starts at any time, or a trace does of which the plan tells nothing.
 */
function nextStartAt({ workload }: Plan, zero: number, at: number): number {
  const next = workload.scenarios.flatMap(
    ({ arrival }) => nextStartSeconds(arrival, (at - zero) / 1000) ?? [],
  );
  const earliest = next.reduce((least, seconds) => Math.min(least, seconds), Number.POSITIVE_INFINITY);
  return Number.isFinite(earliest) ? zero + earliest * 1000 : at;
}

/**
 * When the start was due that the halt refused first. One that was refused while the instance went on is none: it sent
 * later, told in a later state line that it was not halted, or the cap stopped a part of it alone.
 */
function refusedAt(calls: readonly LogicalCall[], lines: readonly StateLine[]): number | null {
  if (!isHalted(lines)) return null;
  const before = lines.flatMap(({ halted, at }) => (halted === null ? (parseInstant(at) ?? []) : []));
  const sent = calls.flatMap((call) => (call.sent ? call.startedAt : []));
  const went = extreme(Math.max, [...before, ...sent]) ?? Number.NEGATIVE_INFINITY;
  const refused = calls.filter(
    (call) => isStart(call) && !call.sent && call.startedAt >= went && !isOfPartCap(call),
  );
  return extreme(
    Math.min,
    refused.flatMap((call) => (call.scheduleLagMs === null ? [] : plannedAt(call))),
  );
}

function isOfPartCap({ last: { error_code } }: LogicalCall): boolean {
  return error_code?.startsWith('spend_cap_by_') === true;
}

/** Files of an instance are written one after the other: the last one counts. */
function isClosed(lines: readonly StateLine[]): boolean {
  const last = lines.reduce((latest, { at }) => Math.max(latest, parseInstant(at) ?? latest), 0);
  return lines.some(({ at, final }) => final && (parseInstant(at) ?? 0) >= last);
}

function haltedAt(lines: readonly StateLine[]): number | null {
  return extreme(
    Math.min,
    lines.flatMap((line) => (line.halted === null ? [] : (parseInstant(line.halted_at ?? line.at) ?? []))),
  );
}

/** The last state line tells how many starts there were until then; without one, the last row does. */
function lastLineAt(calls: readonly LogicalCall[], lines: readonly StateLine[]): number | null {
  const told = extreme(
    Math.max,
    lines.flatMap(({ at }) => parseInstant(at) ?? []),
  );
  return (
    told ??
    extreme(
      Math.max,
      calls.map(({ endedAt }) => endedAt),
    )
  );
}

function extreme(pick: (left: number, right: number) => number, moments: readonly number[]): number | null {
  const known = moments.filter(Number.isFinite);
  return known.length === 0 ? null : known.reduce((left, right) => pick(left, right));
}
