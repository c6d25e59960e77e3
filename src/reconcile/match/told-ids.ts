import type { PaidCall } from '../records/paid-call.ts';

/** Longer ids, and one that several calls were told, are no evidence of which record is whose. */
const LONGEST_ID = 64;
/** Where fewer of the told ids lead to a record, ids are not what this target's records go by. */
const LEAST_TRUST = 0.5;
const LEAST_CALLS = 20;

/**
 * Calls whose record must be found without their id: none was told, or the told one cannot be trusted. A call with an
 * id of its own that no record has stays out: a record without its id is another call's.
 */
export function callsWithoutId(
  left: readonly PaidCall[],
  calls: readonly PaidCall[],
  matched: { readonly by_id: number; readonly accepted: number },
): readonly PaidCall[] {
  const own = calls.filter(({ outcome, request_ids }) => outcome === 'ok' && request_ids.length > 0).length;
  const withId = own + matched.accepted;
  const trusted = withId < LEAST_CALLS || matched.by_id + matched.accepted >= withId * LEAST_TRUST;
  const tellers = new Map<string, number>();
  for (const { request_ids } of calls) {
    const [id] = request_ids;
    if (id !== undefined) tellers.set(id, (tellers.get(id) ?? 0) + 1);
  }
  return left.filter(({ request_ids: [id] }) => {
    if (id === undefined || !trusted) return true;
    return id.length > LONGEST_ID || (tellers.get(id) ?? 0) > 1;
  });
}
