import type { BillingReadings } from '../../contracts/billing-readings.ts';
import { formatInstant, instantOfSecond } from '../../core/time.ts';
import { EVIDENCE_SCHEMA, type EvidenceCall, rowOfEvidence } from '../../ledger/evidence/evidence-call.ts';
import { NO_LEDGER } from '../../ledger/load-ledger.ts';
import { entriesOf, pricesEndpoint } from '../../pricebook/charge/match-model.ts';
import type { BookShelf } from '../books/book-shelf.ts';
import { covers, type JudgedSweep } from '../input/judged-sweep.ts';
import type { PaidCall } from '../records/paid-call.ts';
import { paidCalls } from '../records/paid-call.ts';
import { contentOf, type ServedRecord } from '../records/served-record.ts';
import { type CachePlaces, cachePlaces, isBeside } from './cache-places.ts';
import { requestGroups } from './request-groups.ts';

/** Marks the id of a call that no client told of. */
const PREFIX = 'record:';

/** True for the call that stands for a record in an audit without a ledger. */
export function isRecordCall(callId: string | null): boolean {
  return callId?.startsWith(PREFIX) ?? false;
}

/**
 * In an audit without a ledger each request is judged by what its own record says: its end, its tokens, its time. The
 * calls so made prove nothing of what was delivered, which the judgement says (`basis: record`).
 */
export function callsOfRecords(
  sweep: JudgedSweep,
  shelf: BookShelf,
  declared: BillingReadings['input_tokens'] = 'auto',
): { readonly calls: readonly PaidCall[]; readonly cached: CachePlaces } {
  // What an earlier period left open is read by its request id, and is no part of this bill.
  const own = sweep.records.filter(
    ({ by_request_id, created_at }) => !by_request_id || (created_at !== null && covers(sweep, created_at)),
  );
  const cached = cachePlaces(own, shelf);
  const rows = requestGroups(own).map((group, index) => {
    const main = group.find(({ role }) => role === 'settled') ?? group[0];
    const beside = isBeside(cached, main, { shelf, declared });
    return rowOfEvidence(evidenceOf(main, shelf, { index, beside }), 'records');
  });
  return { calls: paidCalls({ ...NO_LEDGER, rows }), cached };
}

/** What leads from the call that stands for a record without a request id to that record, or to one of equal content. */
export function linkOfNameless(record: ServedRecord): string {
  return `${PREFIX}${contentOf(record)}`;
}

function evidenceOf(
  record: ServedRecord,
  shelf: BookShelf,
  { index, beside }: { readonly index: number; readonly beside: boolean },
): EvidenceCall {
  const book = shelf.find(record.pricebook_id, record.pricing_version, record.created_at) ?? shelf.latest;
  const entries = book === null ? [] : entriesOf(book, record.model);
  const [entry] = entries;
  const text = entry === undefined ? (record.input ?? 0n) > 0n : entry.kind === 'text';
  const kind = text ? 'chat' : entry?.kind === 'video' ? 'video' : 'image';
  const isPriced = entries.some((each) => pricesEndpoint(each, kind));
  const at = instantOfSecond(record.created_at) ?? formatInstant(0);
  return {
    schema: EVIDENCE_SCHEMA,
    // Records that name neither themselves nor a request have one key.
    call_id: record.id === '' ? `${PREFIX}${record.key}#${index}` : `${PREFIX}${record.key}`,
    kind: isPriced ? kind : (entry?.endpoints?.[0] ?? kind),
    model: record.model,
    started_at: at,
    ended_at: at,
    outcome: outcomeOf(record, text),
    request_id: record.request_id === '' ? null : record.request_id,
    response_id: record.request_id === '' ? linkOfNameless(record) : null,
    usage: text ? usageOf(record, beside) : null,
  };
}

/** What failed as a task owes nothing; what was cut or failed as text may owe what was delivered. */
function outcomeOf({ result }: ServedRecord, text: boolean): EvidenceCall['outcome'] {
  if (result === 'completed') return 'ok';
  if (text) return 'truncated';
  return result === 'failed' || result === 'cancelled' ? 'task_failed' : 'timeout_task';
}

function usageOf(
  { input, output, cache_read, cache_write }: ServedRecord,
  beside: boolean,
): EvidenceCall['usage'] {
  if (input === null || output === null || cache_read === null || cache_write === null) return null;
  if ([input, output, cache_read, cache_write].some((count) => count < 0n)) return null;
  return {
    input: Number(beside ? input + cache_read + cache_write : input),
    output: Number(output),
    cache_read: Number(cache_read),
    cache_write: Number(cache_write),
  };
}
