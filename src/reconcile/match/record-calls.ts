import type { BillingReadings } from '../../contracts/billing-readings.ts';
import { formatInstant, instantOfSecond } from '../../core/time.ts';
import { EVIDENCE_SCHEMA, type EvidenceCall, rowOfEvidence } from '../../ledger/evidence/evidence-call.ts';
import { NO_LEDGER } from '../../ledger/load-ledger.ts';
import { NO_FACTS } from '../../pricebook/charge/charge-facts.ts';
import { evaluateCharge } from '../../pricebook/charge/evaluate-charge.ts';
import { entriesOf, pricesEndpoint } from '../../pricebook/charge/match-model.ts';
import type { BookShelf } from '../books/book-shelf.ts';
import { covers, type JudgedSweep } from '../input/judged-sweep.ts';
import type { PaidCall } from '../records/paid-call.ts';
import { paidCalls } from '../records/paid-call.ts';
import { contentOf, type ServedRecord } from '../records/served-record.ts';
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
): readonly PaidCall[] {
  // What an earlier period left open is read by its request id, and is no part of this bill.
  const own = sweep.records.filter(
    ({ by_request_id, created_at }) => !by_request_id || (created_at !== null && covers(sweep, created_at)),
  );
  const beside = declared === 'auto' ? isCacheBeside(own, shelf) : declared === 'without_cache';
  const rows = requestGroups(own).map((group, index) => {
    const main = group.find(({ role }) => role === 'settled') ?? group[0];
    return rowOfEvidence(evidenceOf(main, shelf, { index, beside }), 'records');
  });
  return paidCalls({ ...NO_LEDGER, rows });
}

/** What leads from the call that stands for a record without a request id to that record, or to one of equal content. */
export function linkOfNameless(record: ServedRecord): string {
  return `${PREFIX}${contentOf(record)}`;
}

/**
 * Tells whether cached tokens stand beside input_tokens: as the book tells; else as one record with more cached tokens
 * than input shows; else as more charges are to the digit.
 */
function isCacheBeside(records: readonly ServedRecord[], shelf: BookShelf): boolean {
  const told = shelf.latest?.usage_semantics.input_includes_cache ?? 'unknown';
  if (told !== 'unknown') return told === 'no';
  let margin = 0;
  for (const record of records) {
    const { input, cache_read, cache_write, role } = record;
    const cached = (cache_read ?? 0n) + (cache_write ?? 0n);
    if (input === null || cached <= 0n || role !== 'settled') continue;
    if (cached > input) return true;
    const [inside, beside] = [input, input + cached].map((whole) => isPrice(record, shelf, whole));
    if (inside !== beside) margin += beside ? 1 : -1;
  }
  return margin > 0;
}

/** True where the amount is, to the digit, the price of the record's tokens with so much input in all. */
function isPrice(record: ServedRecord, shelf: BookShelf, input: bigint): boolean {
  const { model, amount, output, cache_read, cache_write, created_at: at_s } = record;
  const book = shelf.find(record.pricebook_id, record.pricing_version, at_s) ?? shelf.latest;
  if (book === null || output === null || cache_read === null || cache_write === null) return false;
  const facts = { ...NO_FACTS, input, output, cache_read, cache_write, images: 0n, tools: {} };
  const charge = evaluateCharge(book, facts, {
    ...{ model, endpoint: 'chat', at_s },
    ...{ when: {}, group: null, key_fp: null },
  });
  return !('unpriced' in charge) && charge.rounded !== null && charge.rounded === amount.exact;
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
