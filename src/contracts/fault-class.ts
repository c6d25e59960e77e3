import { mapRecord, recordKeys } from '../core/typed-record.ts';

export type Severity = 'S1' | 'S2' | 'S3' | 'S4';
export type Confidence = 'proved' | 'strong' | 'bounded' | 'weak';
/** `over`: the customer pays too much. */
export type Direction = 'over' | 'under' | 'none';

/**
 * The closed list of finding classes; variants of one class stand in a finding's `rule`. Each with its severity, where its
 * rule does not say otherwise, and with what people call it; programs read its name.
 */
const CLASSES = {
  duplicate_charge: ['S1', 'Two charges for one request'],
  retry_double_charge: ['S4', 'Failed attempt and its retry both charged'],
  unrecorded_request: ['S2', 'Call without a record'],
  phantom_record: ['S1', 'Record without a call'],
  charged_on_rejected: ['S1', 'Refused call charged'],
  charged_on_server_error: ['S1', 'Server error charged'],
  charged_empty_output: ['S2', 'Empty answer charged'],
  uncharged_success: ['S2', 'Successful call not charged'],
  disconnect_overcharge: ['S1', 'Cut call charged too much'],
  disconnect_undercharge: ['S2', 'Cut call charged too little'],
  estimated_usage_not_flagged: ['S2', 'Estimated usage not marked as estimated'],
  token_mismatch: ['S1', 'Token counts differ'],
  cache_double_charge: ['S1', 'Cached tokens charged twice'],
  cache_read_at_full_price: ['S1', 'Cache reads at the full price'],
  cache_write_unbilled: ['S2', 'Cache writes not charged at their price'],
  negative_component: ['S2', 'Negative amount or count'],
  reasoning_double_count: ['S1', 'Reasoning tokens miscounted'],
  tier_not_applied: ['S1', 'Wrong context tier'],
  service_tier_price: ['S1', 'Wrong service tier'],
  wrong_model_price: ['S1', 'Another model recorded'],
  stale_price_version: ['S1', 'Charged by another version of the price list'],
  group_ratio_wrong: ['S1', 'All amounts differ by one factor'],
  rounding_bias: ['S3', 'Rounded by another rule than the price list names'],
  minimum_charge_unexpected: ['S3', 'Minimum charge that is not in the price list'],
  image_price: ['S1', 'Image charged as another'],
  tool_surcharge: ['S2', 'Tool calls miscounted'],
  video_units_wrong: ['S1', 'Video charged as another'],
  failed_task_not_refunded: ['S1', 'Failed task not refunded'],
  partial_refund_wrong: ['S1', 'Failed call refunded only in part'],
  double_refund: ['S2', 'Refunded too much'],
  reservation_leak: ['S1', 'Reserve still held'],
  settle_above_reserve: ['S2', 'Charge above its reserve'],
  state_regression: ['S2', 'Final record changed or gone'],
  totals_disagree_records: ['S3', 'Totals differ from the records'],
  by_model_or_daily_partition: ['S3', 'Totals differ from their parts'],
  day_boundary_shift: ['S3', 'A day of the totals differs'],
  unknown_records: ['S3', 'Records of unknown kind or state'],
  page_gap_or_overlap: ['S3', 'Pages skip or repeat records'],
  window_semantics: ['S3', 'Time window ignored'],
  filter_mismatch: ['S3', 'Usage filter ignored'],
  price_book_incoherent: ['S2', 'Price list contradicts itself'],
  precision_loss: ['S4', 'Amount not exact'],
  account_counter_drift: ['S3', 'Account counter does not follow the charges'],
  currency_or_unit_error: ['S1', 'Another currency than USD'],
  late_posting: ['S3', 'Record came late'],
  amount_mismatch: ['S1', 'Charge differs from the price list by our calculation'],
  unknown_status: ['S4', 'Unknown status'],
  price_book_unreadable: ['S2', 'Price list not readable'],
  bill_disagrees: ['S1', 'Bill differs from the calls'],
} as const satisfies Readonly<Record<string, readonly [Severity, string]>>;
export type FaultClass = keyof typeof CLASSES;

export const FAULT_CLASSES = recordKeys(CLASSES);
export const SEVERITY_OF = mapRecord(CLASSES, ([severity]): Severity => severity);
export const TITLE_OF = mapRecord(CLASSES, ([, title]): string => title);
