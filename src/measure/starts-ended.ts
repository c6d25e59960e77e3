import type { StateLine } from '../core/ledger-lines.ts';
import type { Plan } from '../core/plan.ts';
import { parseInstant } from '../core/time.ts';
import { nextStartSeconds } from './arrival-time.ts';
import type { LogicalCall } from './logical-call.ts';

/** Instances of which there are lines, and whose last state line is no final one: they were killed, or still run. */
export function unclosedInstances(
  calls: readonly LogicalCall[],
  states: readonly StateLine[],
): readonly string[] {
  const lines = Map.groupBy(states, ({ instance }) => instance);
  const instances = new Set([...lines.keys(), ...calls.map(({ last }) => last.instance)]);
  return [...instances].filter((instance) => !isClosed(lines.get(instance) ?? [])).sort();
}

/**
 * When the last instance started no more, epoch ms, though the plan went on: by a halt, after which what drains is no time
 * of starts, or because its ledger breaks off. Null where one of them went on to the end of the plan.
 */
export function startsEndedAt(calls: readonly LogicalCall[], states: readonly StateLine[]): number | null {
  const lines = Map.groupBy(states, ({ instance }) => instance);
  const open = new Set(unclosedInstances(calls, states));
  const ends = [...new Set([...lines.keys(), ...open])].map((instance) => {
    const halted = haltedAt(lines.get(instance) ?? []);
    const broken = open.has(instance) ? lastLineAt(instance, calls, lines.get(instance) ?? []) : null;
    return halted ?? broken ?? Number.POSITIVE_INFINITY;
  });
  const last = ends.reduce((most, at) => Math.max(most, at), Number.NEGATIVE_INFINITY);
  return Number.isFinite(last) ? last : null;
}

/**
 * The earliest moment from `at` on at which the plan has a start, epoch ms: until then not starting is what was asked
 * for. `at` itself where a closed loop starts at any time, or a trace does of which the plan tells nothing.
 */
export function nextStartAt({ workload }: Plan, firstMeasured: number, at: number): number {
  const begin = firstMeasured - workload.warm_up_ms;
  const next = workload.scenarios.flatMap(
    ({ arrival }) => nextStartSeconds(arrival, (at - begin) / 1000) ?? [],
  );
  const earliest = next.reduce((least, seconds) => Math.min(least, seconds), Number.POSITIVE_INFINITY);
  return Number.isFinite(earliest) ? begin + earliest * 1000 : at;
}

/** Files of an instance are written one after the other: the last one counts. */
function isClosed(lines: readonly StateLine[]): boolean {
  const last = lines.reduce((latest, { at }) => Math.max(latest, parseInstant(at) ?? latest), 0);
  return lines.some(({ at, final }) => final && (parseInstant(at) ?? 0) >= last);
}

function haltedAt(lines: readonly StateLine[]): number | null {
  return extreme(
    Math.min,
    lines.flatMap((line) => (line.halted === null ? [] : (parseInstant(line.at) ?? []))),
  );
}

/** The last state line tells how many starts there were until then; without one, the last row does. */
function lastLineAt(
  instance: string,
  calls: readonly LogicalCall[],
  lines: readonly StateLine[],
): number | null {
  const told = extreme(
    Math.max,
    lines.flatMap(({ at }) => parseInstant(at) ?? []),
  );
  const ended = calls.flatMap(({ last, endedAt }) => (last.instance === instance ? [endedAt] : []));
  return told ?? extreme(Math.max, ended);
}

function extreme(pick: (left: number, right: number) => number, moments: readonly number[]): number | null {
  const known = moments.filter(Number.isFinite);
  return known.length === 0 ? null : known.reduce((left, right) => pick(left, right));
}
