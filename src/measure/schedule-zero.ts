import type { StateLine } from '../contracts/ledger-lines.ts';
import type { Plan } from '../contracts/plan.ts';
import { parseInstant } from '../core/time.ts';
import { isMeasured, isStart, type LogicalCall } from './logical-call.ts';

/**
 * When the schedule began, epoch ms: what the load engine tells or, in files that do not, the earliest planned start, but
 * never so late that a measured start would lie in the warm-up. Null without a call.
 */
export function scheduleZero(
  { workload }: Plan,
  calls: readonly LogicalCall[],
  states: readonly StateLine[],
): number | null {
  const told = states.flatMap(({ began_at }) => parseInstant(began_at ?? '') ?? []);
  const starts = calls.filter(isStart);
  const { warm_up_ms } = workload;
  const latest = starts.map((call) => plannedAt(call) - (isTimed(call) && isMeasured(call) ? warm_up_ms : 0));
  const known = (told.length > 0 ? told : latest).filter(Number.isFinite);
  return known.length === 0 ? null : known.reduce((least, at) => Math.min(least, at));
}

function isTimed({ attempts }: LogicalCall): boolean {
  return attempts[0]?.planned_at != null;
}

/** Epoch ms at which a call was due; when it was sent, where no plan timed it. */
export function plannedAt({ attempts, startedAt }: LogicalCall): number {
  return parseInstant(attempts[0]?.planned_at ?? '') ?? startedAt;
}
