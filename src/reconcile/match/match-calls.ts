import type { PaidCall } from '../records/paid-call.ts';
import type { ServedRecord } from '../records/served-record.ts';
import type { CallMatch } from './call-match.ts';
import { matchByFingerprint } from './match-by-fingerprint.ts';
import { matchById } from './match-by-id.ts';
import { matchByWatermark } from './match-by-watermark.ts';
import { learnWindow, type TimeWindow } from './time-window.ts';

export interface CallMatching {
  readonly matches: readonly CallMatch[];
  /** Learnt from the pairs that an id made. */
  readonly window: TimeWindow;
  /** Calls that no pass found a record for, and whose record may stand under any id. */
  readonly open: readonly PaidCall[];
  /** Calls with an id of their own that no record has. */
  readonly missing: readonly PaidCall[];
  readonly records: readonly ServedRecord[];
}

/**
 * The passes that need no price: ids, fingerprints of tokens, watermarks; each takes what the ones before it left.
 * `accepted`: calls that were matched by their id before, and are not among these.
 */
export function matchCalls(
  calls: readonly PaidCall[],
  records: readonly ServedRecord[],
  accepted = 0,
): CallMatching {
  const byId = matchById(calls, records);
  const window = learnWindow(
    byId.matches.flatMap(({ call, records: [record] }) =>
      record === undefined ? [] : [[call, record] as const],
    ),
  );
  const okById = byId.matches.filter(({ call }) => call.outcome === 'ok').length;
  const withoutId = callsWithoutId(byId.calls, calls, { by_id: okById, accepted });
  const byPrint = matchByFingerprint(window, withoutId, byId.records);
  const byMark = matchByWatermark(window, { known: calls, open: byPrint.calls, records: byPrint.records });
  const withoutIds = new Set(withoutId);
  return {
    matches: [...byId.matches, ...byPrint.matches, ...byMark.matches],
    window,
    open: byMark.calls,
    missing: byId.calls.filter((call) => !withoutIds.has(call)),
    records: byMark.records,
  };
}

/** Longer ids, and one that several calls were told, are no evidence of which record is whose. */
const LONGEST_ID = 64;
/** Where fewer of the told ids lead to a record, ids are not what this target's records go by. */
const LEAST_TRUST = 0.5;
const LEAST_CALLS = 20;

/**
 * Calls whose record must be found without their id: none was told, or the told one cannot be trusted. A call with an
 * id of its own that no record has stays out: a record without its id is another call's.
 */
function callsWithoutId(
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
