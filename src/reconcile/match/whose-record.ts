import type { JudgedSweep } from '../input/judged-sweep.ts';
import type { KnownTraffic } from '../input/reconcile-input.ts';
import type { AcceptedSums } from '../records/accepted-sums.ts';
import type { PaidCall } from '../records/paid-call.ts';
import type { ServedRecord } from '../records/served-record.ts';
import type { KnownRecords } from './known-records.ts';

/** Why a record without a call is no finding. */
export interface Whose {
  readonly match: 'known' | 'unattributed' | 'foreign';
  /** Of known traffic: `run <id>`, or `the probe`. */
  readonly of: string | null;
  readonly why: string;
}

export const OTHERS: Whose = { match: 'foreign', of: null, why: 'no call of ours explains it' };

const UNTOLD: Whose = {
  match: 'unattributed',
  of: null,
  why: 'the ledger is not whole: whether it is of a call of ours cannot be told',
};

export interface WhoseTerms {
  readonly key: 'shared' | 'exclusive';
  /** False where rows or files of the ledger are missing. */
  readonly whole: boolean;
  /** Of the ledger: from its first call to the last read of usage, ms since the epoch. */
  readonly time: { readonly from_ms: number; readonly to_ms: number };
  readonly others: KnownRecords;
  readonly gone: KnownTraffic['times'];
}

/** From the second of the first call; all of the past without any. */
export function judgedTime(
  [first]: readonly PaidCall[],
  { first_started_ms }: AcceptedSums,
  { last_read_ms }: JudgedSweep,
): WhoseTerms['time'] {
  const starts = [first?.started_ms, first_started_ms].flatMap((ms) => ms ?? []);
  const from_ms = starts.length === 0 ? 0 : Math.floor(Math.min(...starts) / 1000) * 1000;
  return { from_ms, to_ms: last_read_ms ?? Number.POSITIVE_INFINITY };
}

/** What a read of the run served was there by then, by whatever clock it is dated. */
function isBehind({ to_ms }: WhoseTerms['time'], { read_ms }: ServedRecord, at_ms: number): boolean {
  return at_ms > to_ms && read_ms > to_ms;
}

/** Whose a record is that no call of the ledger explains; null: nobody's, so that it should not be there. */
export function whoseRecord(terms: WhoseTerms, record: ServedRecord): Whose | null {
  const { key, whole, time, others, gone } = terms;
  const of = others.ownerOf(record);
  if (of !== null) return { match: 'known', of, why: `a call of ${of} explains it` };
  const at_ms = record.created_at === null ? null : record.created_at * 1000;
  const run = gone.find((each) => at_ms !== null && at_ms >= each.from_ms && at_ms <= each.to_ms);
  if (run !== undefined)
    return { ...OTHERS, why: `it is dated in the time of ${run.of}, whose calls can be read no more` };
  if (at_ms !== null && (at_ms < time.from_ms || isBehind(time, record, at_ms))) return OTHERS;
  if (!whole) return UNTOLD;
  return key === 'shared' ? OTHERS : null;
}
