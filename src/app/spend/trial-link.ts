import type { MatchPass } from '../../contracts/match-pass.ts';
import type { JudgedCall } from '../../contracts/reconciliation.ts';
import type { PlanTarget } from '../../core/plan.ts';
import { parseInstant } from '../../core/time.ts';
import { plural } from '../../text/plural.ts';

/** An id of its answer or its task leads to the record: it is the call's, whoever else uses the key. */
const BY_ID: readonly MatchPass[] = ['request_id', 'other_id', 'linked_id'];
/** A record that is dated further from a call is none that may be its own. */
const NEAR_MS = 5 * 60_000;

/** How the record of a trial call was found. */
export function linkWords({ match, match_why }: JudgedCall): string {
  return BY_ID.includes(match) ? 'linked by request id' : `linked without a request id (${match_why})`;
}

/**
 * Why nothing tells which record is a trial call's; null where an id does. Without one the record that fits is taken on a
 * key that nobody else uses, where each new record of its model belongs to a trial call.
 */
export function whyNotLinked(
  call: JudgedCall,
  calls: readonly JudgedCall[],
  key: PlanTarget['key'],
): string | null {
  if (BY_ID.includes(call.match)) return null;
  const id = call.row?.request_id ?? null;
  if (id !== null && call.match === 'none')
    return `no usage record carries the request id ${id} of the trial call`;
  const without = 'the answer of the trial call holds no request id';
  if (key === 'shared')
    return `${without}, and on a shared key a record may be of another user: set target.key: exclusive where nobody else uses it`;
  if (call.match === 'cluster')
    return `${without}, and nothing tells which of ${call.record_ids.length} new records of ${call.model} is its own`;
  const others = calls.filter((other) => other.call_id === null && isNear(other, call)).length;
  if (call.match === 'none')
    return `${without}, and no new record of ${call.model} fits it in tokens and time (${others} found)`;
  return others === 0
    ? null
    : `${without}, and ${plural(others, 'new record')} of ${call.model} beside its own ${others === 1 ? 'is' : 'are'} of no trial call: does another program use the key?`;
}

function isNear({ model, match, record }: JudgedCall, call: JudgedCall): boolean {
  if (model !== call.model || match === 'foreign') return false;
  const dated = record?.created_at ?? null;
  const started = parseInstant(call.started_at ?? '');
  return dated !== null && started !== null && Math.abs(dated * 1000 - started) <= NEAR_MS;
}
