import type { BillingReadings } from '../../contracts/billing-readings.ts';
import type { PicoUsd } from '../../core/amount.ts';
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
import { type CachePlaces, cachePlaces, contradicts } from './cache-places.ts';
import { type RequestGroup, requestGroups } from './request-groups.ts';

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
    const counting = group.find(({ input, output }) => (input ?? 0n) + (output ?? 0n) > 0n) ?? main;
    const usage = usageOf(
      counting,
      wholeInput(counting, group, shelf, contradicts(cached, declared) ? 'auto' : declared),
    );
    return rowOfEvidence(evidenceOf(main, shelf, { index, usage }), 'records');
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
  { index, usage }: { readonly index: number; readonly usage: EvidenceCall['usage'] },
): EvidenceCall {
  const book = shelf.find(record.pricebook_id, record.pricing_version, record.created_at) ?? shelf.latest;
  const entries = book === null ? [] : entriesOf(book, record.asked_model);
  const [entry] = entries;
  const text = entry === undefined ? (usage?.input ?? 0) > 0 : entry.kind === 'text';
  const kind = text ? 'chat' : entry?.kind === 'video' ? 'video' : 'image';
  const isPriced = entries.some((each) => pricesEndpoint(each, kind));
  const at = instantOfSecond(record.created_at) ?? formatInstant(0);
  return {
    schema: EVIDENCE_SCHEMA,
    // Records that name neither themselves nor a request have one key.
    call_id: record.id === '' ? `${PREFIX}${record.key}#${index}` : `${PREFIX}${record.key}`,
    kind: isPriced ? kind : (entry?.endpoints?.[0] ?? kind),
    model: record.asked_model,
    started_at: at,
    ended_at: at,
    outcome: outcomeOf(record, text),
    request_id: record.request_id === '' ? null : record.request_id,
    response_id: record.request_id === '' ? linkOfNameless(record) : null,
    usage: text ? usage : null,
  };
}

/** What failed as a task owes nothing; what was cut or failed as text may owe what was delivered. */
function outcomeOf({ result }: ServedRecord, text: boolean): EvidenceCall['outcome'] {
  if (result === 'completed') return 'ok';
  if (text) return 'truncated';
  return result === 'failed' || result === 'cancelled' ? 'task_failed' : 'timeout_task';
}

/**
 * All input tokens of a request, of which one record counts tokens and all together make the charge. Where no document
 * tells which cached tokens its input holds, the lawful count whose price is nearest to the charge.
 */
function wholeInput(
  record: ServedRecord,
  group: RequestGroup,
  shelf: BookShelf,
  declared: BillingReadings['input_tokens'],
): bigint | null {
  const { input, cache_read: read, cache_write: write } = record;
  if (input === null || read === null || write === null) return null;
  const told = shelf.latest?.usage_semantics.input_includes_cache ?? 'unknown';
  const beside = input + read + write;
  if (declared !== 'auto') return declared === 'without_cache' ? beside : input;
  if (told !== 'unknown' || read + write <= 0n) return told === 'no' ? beside : input;
  const amounts = group.reduce((sum, { amount }) => sum + (amount.exact ?? 0n), 0n);
  const refunds = group.reduce((sum, { refunded }) => sum + (refunded.exact ?? 0n), 0n);
  // An amount may still hold what was given back.
  const charges = refunds > 0n && refunds < amounts ? [amounts, amounts - refunds] : [amounts];
  const counts = [input, beside, input + write, input + read].filter((count) => count >= read + write);
  const [nearest] = counts
    .flatMap((count) => {
      const price = priceOf(record, shelf, count);
      return charges.map((charge) => ({ count, off: distance(price, charge) }));
    })
    .sort((left, right) => (left.off < right.off ? -1 : left.off > right.off ? 1 : 0));
  return nearest?.count ?? beside;
}

function distance(left: PicoUsd | null, right: PicoUsd): PicoUsd {
  if (left === null) return 0n;
  return left < right ? right - left : left - right;
}

/** The price of the record's tokens with so much input in all; null where the book has none. */
function priceOf(record: ServedRecord, shelf: BookShelf, input: bigint): PicoUsd | null {
  const { asked_model: model, output, cache_read, cache_write, created_at: at_s } = record;
  const book = shelf.find(record.pricebook_id, record.pricing_version, at_s) ?? shelf.latest;
  if (book === null || output === null || cache_read === null || cache_write === null) return null;
  const facts = { ...NO_FACTS, input, output, cache_read, cache_write, images: 0n, tools: {} };
  const charge = evaluateCharge(book, facts, {
    ...{ model, endpoint: 'chat', at_s },
    ...{ when: {}, group: null, key_fp: null },
  });
  return 'unpriced' in charge ? null : charge.lo;
}

function usageOf(
  { input, output, cache_read, cache_write }: ServedRecord,
  whole: bigint | null,
): EvidenceCall['usage'] {
  if (whole === null || input === null || output === null || cache_read === null || cache_write === null)
    return null;
  if ([input, output, cache_read, cache_write].some((count) => count < 0n)) return null;
  return {
    input: Number(whole),
    output: Number(output),
    cache_read: Number(cache_read),
    cache_write: Number(cache_write),
  };
}
