import type { PaidCall } from '../records/paid-call.ts';
import type { ServedRecord } from '../records/served-record.ts';
import { toldIds } from '../records/told-ids.ts';

/** A place tells ids where so much of what it told leads to a record. */
const LEAST_SHARE = 0.5;

/**
 * Gives calls the ids that records know them by, where a header or field told them that no page names. Which one does is
 * learnt from the records: its texts are their request ids, for most calls of a kind. A text that several calls were told,
 * and one that leads to a record of other tokens, teaches nothing. A text that leads to no record is no id of the call: a
 * gateway may pass on the ids of one of its providers in the same place, so that nothing is missing by it.
 */
export function withLearntIds(
  calls: readonly PaidCall[],
  records: readonly ServedRecord[],
): readonly PaidCall[] {
  const all = calls.map((call) => [call, toldIds(call)] as const);
  const tellers = countsOf(all.flatMap(([, ids]) => [...new Set(ids.map(({ id }) => id))]));
  if (tellers.size === 0) return calls;
  const told = new Map(all.map(([call, ids]) => [call, ids.filter(({ id }) => tellers.get(id) === 1)]));
  const byId = Map.groupBy(records, ({ request_id }) => request_id);
  byId.delete('');
  const tallies = new Map<string, { told: number; found: number; strange: number }>();
  let heard = 0;
  for (const [call, ids] of told) {
    if (call.outcome !== 'ok') continue;
    if (byId.has(call.request_ids[0] ?? '')) heard += 1;
    for (const { place, id } of ids) {
      const tally = tallies.get(keyOf(place, call)) ?? { told: 0, found: 0, strange: 0 };
      tallies.set(keyOf(place, call), tally);
      tally.told += 1;
      const found = byId.get(id);
      if (found === undefined) continue;
      tally.found += 1;
      if (found.every((record) => isOfOther(call, record))) tally.strange += 1;
    }
  }
  const learnt = new Map(
    [...tallies].filter(
      ([, { told: of, found, strange }]) =>
        found > 0 && found >= of * LEAST_SHARE && strange <= found * (1 - LEAST_SHARE),
    ),
  );
  if (learnt.size === 0) return calls;
  const found = (place: string, call: PaidCall): number => learnt.get(keyOf(place, call))?.found ?? 0;
  // Where records go by what was learnt, an id that a documented header tells is somebody else's.
  const isFirst = [...learnt.values()].reduce((sum, tally) => sum + tally.found, 0) > heard;
  return calls.map((call) => {
    const own = (told.get(call) ?? [])
      .filter(({ place, id }) => found(place, call) > 0 && byId.has(id))
      .sort((left, right) => found(right.place, call) - found(left.place, call))
      .map(({ id }) => id);
    if (own.length === 0) return call;
    const ids = isFirst ? [...own, ...call.request_ids] : [...call.request_ids, ...own];
    return { ...call, request_ids: [...new Set(ids)] };
  });
}

/** Places are learnt by kind of call: a gateway may tell the id of an image elsewhere than that of a text. */
function keyOf(place: string, { kind, row }: PaidCall): string {
  return JSON.stringify([place, kind, row?.stream ?? null]);
}

/** True where both tell tokens, and neither count is the same. */
function isOfOther({ row }: PaidCall, { input, output }: ServedRecord): boolean {
  const { input: sent = null, output: got = null } = row?.usage ?? {};
  if (sent === null || got === null || input === null || output === null) return false;
  return BigInt(sent) !== input && BigInt(got) !== output;
}

function countsOf(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
