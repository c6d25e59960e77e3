import type { FaultClass } from '../../core/fault-class.ts';
import type { JudgedCall } from '../../core/reconciliation.ts';

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
};

/** The same of a row without a finding. */
export const VERDICT_REFUTED_BY: { readonly [V in JudgedCall['verdict']]: string } = {
  to_the_digit: 'Other units of this call, or another price in force at its time.',
  within_bounds: 'The exact usage of this call: it would give one figure in place of the interval.',
  finding: 'See its findings.',
  provisional: 'A read after its deadline.',
  not_checkable:
    'What is missing, named above: a price, a readable amount, a log of the calls, or the call that it belongs to.',
  not_charged: 'A record of this call in a later read.',
};
