import type { ClassCoverage } from '../../../contracts/coverage-result.ts';
import { FAULT_CLASSES, type FaultClass } from '../../../contracts/fault-class.ts';
import type { Finding } from '../../../contracts/finding.ts';
import type { ReadLine } from '../../../contracts/usage-lines.ts';
import type { JudgeContext } from '../../expect/judge-context.ts';
import { isEmptyAnswer, wasCut } from '../../expect/policy.ts';
import type { Judgement } from '../../judge/judgement.ts';
import { servedTotals } from '../../records/served-totals.ts';
import { isServerError } from '../../records/server-error.ts';
import { type CheckedRow, checkedRow } from './checked-row.ts';

/** 95 %: where none of n shows a fault, its rate is below 3/n (rule of three). */
const RULE_OF_THREE = 3;

/**
 * Of every class, on how many rows it would have shown and on how many it did. Rows that could not be checked do not
 * count: finding nothing there proves nothing.
 */
export function classCoverage(
  context: JudgeContext,
  judgements: readonly Judgement[],
  findings: readonly Finding[],
): readonly ClassCoverage[] {
  const found = foundByClass(findings);
  const rows = judgements.flatMap((judgement) =>
    judgement.calls.map((call) => ({
      row: checkedRow(context, judgement, call),
      count: 1 + (judgement.stands_for ?? 0),
    })),
  );
  return FAULT_CLASSES.map((name) => {
    const byRow = ROW_CHECKS[name];
    const counted =
      byRow === undefined ? 0 : rows.reduce((sum, { row, count }) => (byRow(row) ? sum + count : sum), 0);
    const hits = found.get(name) ?? 0;
    // A row on which it was found is one on which it showed.
    const checked = Math.max(hits, counted + (READ_CHECKS[name]?.(context) ?? 0));
    return { class: name, checked, found: hits, below: belowOf(checked, hits) };
  });
}

/** Never above 1, which is no bound at all. */
function belowOf(checked: number, found: number): number | null {
  return found > 0 || checked === 0 ? null : Math.min(1, RULE_OF_THREE / checked);
}

/** A finding over many rows only repeats those beneath it. */
function foundByClass(findings: readonly Finding[]): ReadonlyMap<FaultClass, number> {
  const heads = new Set(findings.flatMap(({ group }) => group ?? []));
  const counts = new Map<FaultClass, number>();
  for (const finding of findings) {
    if (!heads.has(finding.id)) counts.set(finding.class, (counts.get(finding.class) ?? 0) + 1);
  }
  return counts;
}

type ReadCheck = (context: JudgeContext) => number;

/** Classes of the reads of usage, totals, books and account: how many answers would have shown the fault. */
export const READ_CHECKS: { readonly [C in FaultClass]?: ReadCheck } = {
  // A bill of sums is held against what was judged, when that is done.
  bill_disagrees: () => 0,
  totals_disagree_records: ({ sweep }) => sweep.totals.length,
  // Each part that the totals serve.
  by_model_or_daily_partition: ({ sweep }) => {
    const { by_model, daily } = servedTotals(sweep.totals);
    return (by_model?.size ?? 0) + (daily?.size ?? 0);
  },
  day_boundary_shift: ({ sweep }) => servedTotals(sweep.totals).daily?.size ?? 0,
  page_gap_or_overlap: ({ sweep }) => pages(sweep.own_reads).length,
  window_semantics: ({ sweep }) =>
    sweep.own_reads.filter(({ purpose }) => purpose === 'edge' || purpose === 'seam').length,
  // Reads that name a model or a request id.
  filter_mismatch: ({ sweep }) =>
    sweep.reads.filter(({ read, purpose }) => purpose === 'filter' || read === 'request').length,
  price_book_incoherent: ({ shelf }) => shelf.books.length,
  account_counter_drift: ({ sweep }) => sweep.reads.filter(({ read }) => read === 'account').length,
  currency_or_unit_error: ({ sweep }) => pages(sweep.own_reads).length + sweep.totals.length,
  price_book_unreadable: ({ shelf }) => shelf.books.length + shelf.unreadable.length,
};

function pages(reads: readonly ReadLine[]): readonly ReadLine[] {
  return reads.filter(({ read }) => read === 'records');
}

type RowCheck = (row: CheckedRow) => boolean;

/** Classes of single calls and records: true on a row on which the fault would have shown. */
export const ROW_CHECKS: { readonly [C in FaultClass]?: RowCheck } = {
  // A request whose records were all read.
  duplicate_charge: ({ record }) => record !== null,
  // An attempt that followed another one, and has a record of its own.
  retry_double_charge: ({ call, record }) => record !== null && (call?.attempt ?? 1) > 1,
  // An answered call whose time to be recorded has passed.
  unrecorded_request: ({ judged }) => judged.row?.outcome === 'ok' && isFinal(judged.verdict),
  // A record on a key that is ours alone.
  phantom_record: ({ judged, record, exclusive }) =>
    exclusive && judged.basis !== 'record' && (record !== null || judged.record !== null),
  charged_on_rejected: ({ judged }) => isRejected(judged.row?.status) && isFinal(judged.verdict),
  charged_on_server_error: ({ judged }) => (judged.row?.status ?? 0) >= 500 && isFinal(judged.verdict),
  charged_empty_output: ({ call, record }) => call !== null && record !== null && isEmptyAnswer(call),
  uncharged_success: ({ judged, record }) =>
    record !== null && judged.row?.outcome === 'ok' && isFinal(judged.verdict),
  // A cut call whose charge has an upper bound; a lower one above 0 only where output was seen.
  disconnect_overcharge: (row) => row.compared && isCut(row),
  disconnect_undercharge: (row) =>
    row.compared && isCut(row) && row.judged.expected_lo !== null && row.judged.expected_lo !== '0',
  // A cut call without usage, on a target whose records say where they estimate.
  estimated_usage_not_flagged: (row) =>
    row.record !== null && isCut(row) && row.judged.row?.usage === null && row.flags_estimates,
  token_mismatch: ({ told }) => told,
  // The charge is one figure, and tokens came from the cache, or went into it.
  cache_double_charge: (row) => row.exact && usageOf(row, 'cache_read') + usageOf(row, 'cache_write') > 0,
  cache_read_at_full_price: (row) => row.exact && usageOf(row, 'cache_read') > 0,
  cache_write_unbilled: (row) => row.exact && usageOf(row, 'cache_write') > 0,
  negative_component: ({ record }) => record !== null,
  reasoning_double_count: (row) => row.told && usageOf(row, 'reasoning') > 0,
  // Exact, of a model that has tiers at all.
  tier_not_applied: ({ exact, entry }) => exact && entry?.tiers != null,
  // Exact, and answer or price names a service tier.
  service_tier_price: ({ exact, entry, judged }) =>
    exact && (judged.row?.service_tier != null || entry?.when['service_tier'] !== undefined),
  wrong_model_price: ({ record, judged }) => record !== null && judged.basis !== 'record',
  // The record names the version by which it was priced.
  stale_price_version: ({ compared, record }) => compared && record?.pricing_version !== '',
  group_ratio_wrong: ({ exact, judged }) => exact && judged.expected !== '0',
  // Exact, and longer than what it is rounded to.
  rounding_bias: ({ rounded }) => rounded,
  minimum_charge_unexpected: ({ exact, judged }) => exact && judged.expected !== '0',
  image_price: ({ exact, judged }) => exact && (judged.kind?.startsWith('image') ?? false),
  // The answer tells its tools, were it none.
  tool_surcharge: ({ exact, judged }) => exact && judged.row?.tools != null,
  video_units_wrong: ({ exact, judged }) => exact && judged.kind === 'video',
  failed_task_not_refunded: ({ call, record }) => record !== null && call?.outcome === 'task_failed',
  // A refunded record that reserved: all of it must have come back, once.
  partial_refund_wrong: ({ record }) => record?.role === 'refunded' && (record.reserved.exact ?? 0n) > 0n,
  double_refund: ({ record }) => record?.role === 'refunded' && (record.refunded.exact ?? 0n) > 0n,
  reservation_leak: ({ record, judged }) =>
    (record?.reserved.exact ?? 0n) > 0n && judged.verdict !== 'provisional',
  settle_above_reserve: ({ record }) => isSettled(record) && (record?.reserved.exact ?? 0n) > 0n,
  // Read more than once.
  state_regression: ({ reads }) => reads > 1,
  unknown_records: ({ record }) => record !== null,
  precision_loss: ({ record }) => record !== null,
  // A record beside the time of its call.
  late_posting: ({ record, judged }) => record !== null && judged.basis === 'client',
  amount_mismatch: ({ compared }) => compared,
  unknown_status: ({ record }) => record !== null,
};

function isFinal(verdict: CheckedRow['judged']['verdict']): boolean {
  return verdict !== 'provisional' && verdict !== 'not_checkable';
}

function isRejected(status: number | null | undefined): boolean {
  return status != null && status >= 400 && status < 500;
}

function isCut({ call }: CheckedRow): boolean {
  return call !== null && wasCut(call) && !isServerError(call);
}

function isSettled(record: CheckedRow['record']): boolean {
  return record?.role === 'settled' || record?.role === 'refunded';
}

function usageOf({ judged }: CheckedRow, field: 'cache_read' | 'cache_write' | 'reasoning'): number {
  return judged.row?.usage?.[field] ?? 0;
}
