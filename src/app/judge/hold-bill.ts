import { billFindings } from '../../bill/bill-findings.ts';
import { billedSpan, bucketBillResult } from '../../bill/bill-result.ts';
import { chargeRows } from '../../bill/charge-rows.ts';
import type { BillSpan } from '../../bill/read/bill.ts';
import type { ChargeRow } from '../../bill/weigh/charge-row.ts';
import { type WeighedBill, weighBill } from '../../bill/weigh/weigh-bill.ts';
import type { BilledSpan, BucketBillResult } from '../../contracts/bucket-bill.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import { parseInstant } from '../../core/time.ts';
import { acceptedFindings } from '../../reconcile/conclude/accepted-findings.ts';
import { findingGroups, gates } from '../../reconcile/conclude/finding-groups.ts';
import type { Tolerances } from '../../reconcile/input/reconcile-input.ts';
import { readBillFiles } from '../folder/bill-document.ts';
import type { KeptBill } from '../folder/bill-files.ts';

/** A judged folder with the bill that was held against it. */
export interface HeldBill {
  readonly reconciliation: Reconciliation;
  readonly result: BucketBillResult;
  /** Every bucket, as bill.csv has it. */
  readonly spans: readonly BilledSpan[];
}

/**
 * Holds a kept bill against what was judged; its findings and doubts count with those of the records. `covered`: in which
 * all calls are known; null: from the first of them to the last.
 */
export function holdBill(
  kept: KeptBill,
  judged: Reconciliation,
  covered: BillSpan | null,
  tolerances: Tolerances,
): HeldBill {
  const { zone, most_late_s, whole, calls_only } = kept;
  const base = calls_only ? withoutRecords(judged) : judged;
  const bill = readBillFiles(kept.files, kept.mapping);
  const rows = chargeRows(base, bill.unit, calls_only);
  const weighed = weighBill(bill, rows, { zone, most_late_s, whole, covered: covered ?? spanOfRows(rows) });
  const result = bucketBillResult(weighed);
  const findings = [...base.findings, ...billFindings(weighed)];
  const readMs = parseInstant(base.completeness.last_read_at ?? '');
  const { accepted, ids } = acceptedFindings(findings, tolerances, readMs);
  return {
    result,
    spans: weighed.buckets.map((bucket) => billedSpan(bucket, weighed.scale)),
    reconciliation: {
      ...base,
      findings,
      accepted,
      groups: findingGroups(findings, tolerances, ids),
      gated: findings.some((finding) => !ids.has(finding.id) && gates(finding, tolerances)),
      inconclusive: [...base.inconclusive, ...doubts(weighed, tolerances.min_checked)],
    },
  };
}

function spanOfRows(rows: readonly ChargeRow[]): BillSpan {
  return {
    start: rows.reduce((least, { from }) => Math.min(least, from), Number.POSITIVE_INFINITY),
    end: rows.reduce((most, { to }) => Math.max(most, to), Number.NEGATIVE_INFINITY),
  };
}

/** Calls that nobody keeps records of: nothing is charged one by one, so that the bill alone is judged. */
function withoutRecords(judged: Reconciliation): Reconciliation {
  const { money, coverage } = judged;
  return {
    ...judged,
    money: {
      ...money,
      charged: null,
      charged_inexact: null,
      refunded: null,
      pending: null,
      difference: null,
      certain_over: null,
      certain_under: null,
      open: null,
      by_model: [],
      by_day: [],
    },
    coverage: { ...coverage, classes: [] },
    findings: [],
    groups: [],
    matching: [],
    suspense: null,
    wanted: [],
    gated: false,
    inconclusive: [],
  };
}

/** Why a weighed bill leaves no conclusion; empty where it does. */
function doubts({ bill, buckets, scope }: WeighedBill, leastChecked: number): readonly string[] {
  const size = (units: bigint): bigint => (units < 0n ? -units : units);
  const sum = (of: typeof buckets): bigint => of.reduce((total, { billed }) => total + size(billed), 0n);
  const open = buckets.filter(({ verdict }) => verdict === 'cant_be_told');
  const [all, unchecked] = [sum(buckets), sum(open)];
  const share = all === 0n ? 0 : Number(((all - unchecked) * 10_000n) / all) / 10_000;
  const differing = open.filter(({ why }) => why.startsWith('nothing says')).length;
  return [
    ...bill.torn.map((why) => `the bill is not whole: ${why}`),
    ...(scope === 'untold' && differing > 0
      ? [
          `${differing} of ${buckets.length} buckets of the bill differ, and nothing says that it is of these calls alone: say so with --bill-whole`,
        ]
      : []),
    ...(share < leastChecked && differing === 0
      ? [`only ${(share * 100).toFixed(1)} % of the bill could be held against calls`]
      : []),
  ];
}
