import type { FaultClass } from '../../contracts/fault-class.ts';
import type { Finding } from '../../contracts/finding.ts';
import type { JudgedCall, RecordFacts } from '../../contracts/reconciliation.ts';
import { instantOfSecond } from '../../core/time.ts';
import { picked } from '../../core/typed-record.ts';
import type { BillRow } from '../rows/bill-row.ts';
import type { UsedBook } from '../sections/evidence-section.ts';
import { findingTitle } from '../words/finding-title.ts';
import type { ExplainedFinding, ExplainedRow } from './explanation-schema.ts';

/** One row of the bill with everything that its judgement rests on; `books` are those of its folder. */
export function explainRow(row: BillRow, books: readonly UsedBook[]): ExplainedRow {
  const { call, money, findings, records } = row;
  return {
    row_id: row.id,
    call: call === null || call.call_id === null ? null : callOf(call),
    sum_of: [...row.sum_of],
    records: records.map(recordOf),
    match: call === null ? null : { pass: call.match, score: call.score, why: call.match_why },
    price: {
      book: bookOf(call?.record ?? records[0] ?? null, books),
      grade: call?.grade ?? null,
      tier: call?.tier ?? null,
      lines: (call?.lines ?? []).map((line) => picked(line, ['meter', 'units', 'price', 'per', 'subtotal'])),
    },
    expected: call?.expected ?? money?.expected ?? null,
    expected_lo: call?.expected_lo ?? null,
    expected_hi: call?.expected_hi ?? null,
    charged: money?.charged ?? call?.charged ?? null,
    difference: money?.difference ?? null,
    certain_over: money?.certain_over ?? null,
    certain_under: money?.certain_under ?? null,
    open: money?.open ?? null,
    verdict: call?.verdict ?? null,
    why: call?.why ?? 'calls without an id, judged by their common sum',
    findings: findings.map(explainFinding),
    refuted_by:
      findings.length > 0 || call === null ? VERDICT_REFUTED_BY.finding : VERDICT_REFUTED_BY[call.verdict],
  };
}

export function explainFinding(finding: Finding): ExplainedFinding {
  return {
    id: finding.id,
    class: finding.class,
    title: findingTitle(finding),
    severity: finding.severity,
    confidence: finding.confidence,
    warrant: { ...finding.warrant },
    direction: finding.direction,
    delta_exact: finding.delta_exact,
    delta_min: finding.delta_min,
    delta_max: finding.delta_max,
    rule: finding.rule,
    rows: finding.rows,
    group: finding.group,
    provisional: finding.provisional,
    deadline_at: finding.deadline_at,
    evidence: [...finding.evidence],
    explanation: finding.explanation,
    next_step: finding.next_step,
    refuted_by: REFUTED_BY[finding.class],
  };
}

function callOf({ row, ...call }: JudgedCall): ExplainedRow['call'] {
  const usage = row?.usage ?? null;
  const units = row?.units ?? null;
  return {
    ...picked(call, ['call_id', 'kind', 'model', 'request_id', 'started_at', 'outcome']),
    status: row?.status ?? null,
    finish: row?.finish ?? null,
    end_ms: row?.end_ms ?? null,
    usage: usage && picked(usage, ['input', 'output', 'cache_read', 'cache_write', 'reasoning']),
    units: units && picked(units, ['images', 'size', 'quality', 'seconds', 'resolution']),
  };
}

function recordOf(record: RecordFacts): ExplainedRow['records'][number] {
  return {
    id: record.id,
    request_id: record.request_id,
    created_at: instantOfSecond(record.created_at),
    model: record.model,
    result: record.result,
    billing_status: record.billing_status,
    amount: record.amount.text,
    reserved_amount: record.reserved.text,
    refunded_amount: record.refunded.text,
    input_tokens: record.input?.toString() ?? null,
    output_tokens: record.output?.toString() ?? null,
    cache_read_tokens: record.cache_read?.toString() ?? null,
    cache_write_tokens: record.cache_write?.toString() ?? null,
    usage_estimated: record.usage_estimated,
    pricebook_id: record.pricebook_id,
    pricing_version: record.pricing_version,
  };
}

/** The book whose version the record names; where none tells its version, the only one there is. */
function bookOf(
  record: Pick<RecordFacts, 'pricebook_id' | 'pricing_version'> | null,
  books: readonly UsedBook[],
): { sha256: string; id: string | null; version: string | null } | null {
  const named = books.find(
    ({ id, version }) => id === record?.pricebook_id && version === record?.pricing_version,
  );
  const book = named ?? (books.length === 1 ? books[0] : undefined);
  return book === undefined ? null : { sha256: book.sha256, id: book.id, version: book.version };
}

/** What evidence would take a finding of each class back: whoever disputes it brings this. */
export const REFUTED_BY: { readonly [C in FaultClass]: string } = {
  duplicate_charge:
    'A second answered call with the same request id, or a later read that shows one of the records refunded.',
  retry_double_charge:
    'Evidence that the failed attempt gave an answer, or terms by which attempts without an answer are billed.',
  unrecorded_request: 'A record of this call in a later read, or proof that its second was not read whole.',
  phantom_record:
    'A call of this key that the ledger lacks: another program with the key, or a ledger file that is missing.',
  charged_on_rejected:
    'An answer to this call other than the 4xx in the ledger, or a refund in a later read.',
  charged_on_server_error:
    'Evidence that the upstream generated output for it, with its usage, and terms by which that is billed.',
  charged_empty_output: 'Output that was sent, or terms by which an empty answer is billed.',
  uncharged_success: 'A later record of this call with an amount.',
  disconnect_overcharge:
    'The usage that the upstream reports for this call: more tokens than the bounds here allow.',
  disconnect_undercharge:
    'The usage that the upstream reports for this call: fewer tokens than were delivered.',
  estimated_usage_not_flagged: 'The usage of the upstream that the record took its counts from.',
  token_mismatch:
    "The answer's own usage object with the counts of the record, or the tokenizer by which they come out.",
  cache_double_charge: 'A price book of that time by which cached tokens are charged beside the input.',
  cache_read_at_full_price: 'A price book of that time without a cache price for this model.',
  cache_write_unbilled: 'A price book of that time that prices writes to the cache as they were charged.',
  negative_component: 'A record whose fields are all 0 or more.',
  reasoning_double_count: 'A usage object of the answer whose output holds the reasoning tokens otherwise.',
  tier_not_applied: 'A price book of that time with other thresholds, or other input counts of this call.',
  service_tier_price: 'The answer of this call with another service tier.',
  wrong_model_price: 'The request of this call with the model that the record names.',
  stale_price_version: 'A read of the price book from before this call that shows the version charged by.',
  group_ratio_wrong: 'An agreed factor for this account, declared under billing.agreed.',
  rounding_bias: 'A rounding rule of the price book by which these amounts come out.',
  minimum_charge_unexpected: 'A least charge in the price book or in an agreement.',
  image_price: 'A request for the size, quality and count that was charged.',
  tool_surcharge: 'An answer that shows as many calls of the tool as were charged.',
  video_units_wrong: 'A request for, or a file of, the length and resolution that was charged.',
  failed_task_not_refunded: 'A later read in which the record is refunded, or a status other than failed.',
  partial_refund_wrong: 'A refund entry of this request in a later read, or on the account statement.',
  double_refund: 'A second charge of this request that the further refund belongs to.',
  reservation_leak: 'A later read in which the record is settled or refunded.',
  settle_above_reserve: 'Usage of this call by which the amount is due.',
  state_regression: 'Both reads again, as the gateway logged them, with equal content.',
  totals_disagree_records: 'Totals and records of the same window, read together, that agree.',
  by_model_or_daily_partition: 'Totals whose parts add up, read again for the same window.',
  day_boundary_shift: 'Totals of that UTC day that equal its records.',
  unknown_records: 'The record again, with all documented fields and a known status.',
  page_gap_or_overlap: 'The same pages again, without gap or repeat.',
  window_semantics: 'The same window again with its start inside and its end outside.',
  filter_mismatch: 'The same filtered read again with nothing else in it.',
  price_book_incoherent:
    'A read of the price book that shows the missing version, or one content for each version.',
  precision_loss: 'The same field as an exact decimal string.',
  account_counter_drift:
    'Consumption by another key of the same account: counters are of the account, not of a key.',
  currency_or_unit_error: 'The same answer with the currency USD.',
  late_posting: 'An earlier complete read that shows the record.',
  amount_mismatch:
    'A price of that time, an agreed condition or other units of this call by which the amount comes out.',
  unknown_status: 'A description of the status by the operator.',
  price_book_unreadable:
    'A mapping or adapter that reads the book in full, or the book in a documented form.',
  bill_disagrees: 'The calls behind the bucket, one by one: they come to what is billed.',
};

/** The same of a row without a finding. */
const VERDICT_REFUTED_BY: { readonly [V in JudgedCall['verdict']]: string } = {
  to_the_digit: 'Other units of this call, or another price in force at its time.',
  within_bounds: 'The exact usage of this call: it would give one figure in place of the interval.',
  finding: 'See its findings.',
  provisional: 'A read after its deadline.',
  not_checkable:
    'What is missing, named above: a price, a readable amount, a log of the calls, or the call that it belongs to.',
  not_charged: 'A record of this call in a later read.',
};
