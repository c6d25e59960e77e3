import type { ClassCoverage } from '../../contracts/coverage-result.ts';
import { FAULT_CLASSES, type FaultClass } from '../../contracts/fault-class.ts';
import type { Finding } from '../../contracts/finding.ts';
import type { ReadLine } from '../../contracts/usage-lines.ts';
import type { JudgeContext } from '../expect/judge-context.ts';
import type { Judgement } from '../judges/judgement.ts';
import { servedTotals } from '../records/served-totals.ts';
import { checkedRow } from './checked-row.ts';
import { ROW_CHECKS } from './checks-of-rows.ts';

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
