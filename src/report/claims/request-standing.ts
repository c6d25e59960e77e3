import type { Claim, ClaimedRecord } from '../../contracts/claim.ts';
import { formatAmount, type PicoUsd, parseAmount } from '../../core/amount.ts';
import type { BillRow } from '../rows/bill-row.ts';
import { heldBy, refundedBy } from '../rows/record-amounts.ts';

export type ClaimedRequest = Pick<Claim, 'part' | 'request_id' | 'records'>;

/**
 * What the records of a request take of the credit (charged and held), or for a refund what they charged or gave back of the
 * reserve: a smaller charge that is given back fills no gap between the two. As far as an audit sees them; null where it does
 * not see each of them (a period may end between two), or an amount cannot be read.
 */
export function requestStanding(rows: readonly BillRow[]): (request: ClaimedRequest) => string | null {
  const byKey = new Map<string, Set<BillRow>>();
  for (const row of rows) {
    for (const key of row.records.flatMap((record) => [recordKey(record), requestKey(record)])) {
      const own = byKey.get(key);
      if (own === undefined) byKey.set(key, new Set([row]));
      else own.add(row);
    }
  }
  return ({ part, request_id, records }) => {
    const keys = records.map(recordKey);
    if (keys.length === 0 || keys.some((key) => !byKey.has(key))) return null;
    // A later entry of the same request may be its refund.
    const all = request_id === null ? keys : [...keys, requestKey({ request_id })];
    const own = [...new Set(all.flatMap((key) => [...(byKey.get(key) ?? [])]))];
    const seen = own.flatMap((row) => row.records);
    const beside = part === 'refund' ? refundedBy(seen) : heldBy(seen);
    const amounts = [...own.map(({ money }) => money?.charged ?? null), beside];
    const known = amounts.map(parseAmount);
    if (known.includes(null)) return null;
    return formatAmount(known.reduce<PicoUsd>((sum, each) => sum + (each ?? 0n), 0n));
  };
}

function recordKey({ request_id, id }: ClaimedRecord): string {
  return JSON.stringify([request_id, id]);
}

function requestKey({ request_id }: Pick<ClaimedRecord, 'request_id'>): string {
  return JSON.stringify([request_id]);
}

/** What came back since: positive USD, at most the amount; null where the later records show nothing of it. */
export function creditSeen(claim: Claim, now: string | null): string | null {
  const [before, after, most] = [claim.standing, now, claim.amount].map(parseAmount);
  if (before == null || after == null || most == null) return null;
  const back = claim.part === 'refund' ? after - before : before - after;
  if (back <= 0n) return null;
  return formatAmount(back < most ? back : most);
}
