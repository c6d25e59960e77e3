import { formatAmount } from '../core/amount.ts';
import type { FaultClass } from '../core/fault-class.ts';
import type { Finding } from '../core/finding.ts';
import type { JudgeContext } from './judge-context.ts';
import { makeFinding } from './make-finding.ts';
import type { TotalsFigures } from './served-totals.ts';
import type { ComparedTotals, Disagreement } from './totals-disagreements.ts';

/** The totals of the judged sweep, and those of the complete sweep before it. */
export interface TotalsInput {
  readonly judged: ComparedTotals;
  readonly before: ComparedTotals | null;
}

const CLASS_OF: Readonly<Record<Disagreement['against'], FaultClass>> = {
  records: 'totals_disagree_records',
  by_model: 'by_model_or_daily_partition',
  daily: 'by_model_or_daily_partition',
  model_records: 'by_model_or_daily_partition',
  day_records: 'day_boundary_shift',
};

/**
 * Totals against records and against their own parts. The parts come in one answer, so their contradiction is final;
 * totals and records are two reads, so theirs is final once a second sweep shows the same figures on both sides.
 */
export function judgeTotals(context: JudgeContext, input: TotalsInput): readonly Finding[] {
  const { judged, before } = input;
  const windows = context.sweep.windows.map(({ start, end }) => `totals:${start}-${end}`);
  const findings = judged.disagreements.map((disagreement) => {
    const oneAnswer = disagreement.against === 'by_model' || disagreement.against === 'daily';
    const stable = oneAnswer || before?.disagreements.some((earlier) => same(earlier, disagreement)) === true;
    return disagreementFinding(disagreement, windows, !stable);
  });
  findings.push(...unreadableTotals(judged.totals, windows));
  const unknown = judged.totals?.total.unknown_records ?? 0n;
  if (unknown === 0n) return findings;
  return [
    ...findings,
    makeFinding({
      class: 'unknown_records',
      rule: 'reported_by_totals',
      confidence: 'proved',
      delta: null,
      evidence: windows,
      explanation: `The totals report ${unknown} unknown records; what they charge is not told.`,
      next_step: 'Ask the operator what an unknown record is.',
    }),
  ];
}

/** What could not be compared is told: a check that is off must not look like one that passed. */
function unreadableTotals(totals: TotalsFigures | null, windows: readonly string[]): readonly Finding[] {
  if (totals === null) return [];
  const foreign = totals.currencies.filter((currency) => currency !== 'USD');
  return [
    ...totals.unreadable.map((field) =>
      makeFinding({
        class: 'totals_disagree_records',
        rule: `unreadable:${field}`,
        confidence: 'proved',
        delta: null,
        evidence: windows,
        explanation: `The totals lack a readable ${field}, so nothing that rests on it could be compared with the records.`,
        next_step: 'Ask the operator to serve the documented fields of the totals.',
      }),
    ),
    ...foreign.map((currency) =>
      makeFinding({
        class: 'currency_or_unit_error',
        rule: 'totals_currency',
        confidence: 'proved',
        delta: null,
        evidence: [...windows, `currency:${currency}`],
        explanation: `The totals are in ${JSON.stringify(currency)}; usage is documented in USD.`,
        next_step: 'Ask the operator in which currency is billed.',
      }),
    ),
  ];
}

function same(left: Disagreement, right: Disagreement): boolean {
  return (
    left.against === right.against &&
    left.figure === right.figure &&
    left.of === right.of &&
    // Both sides, not their difference: like calls of others in flight leave the same gap in two sweeps.
    left.totals === right.totals &&
    left.sum === right.sum
  );
}

function disagreementFinding(
  disagreement: Disagreement,
  windows: readonly string[],
  provisional: boolean,
): Finding {
  const { against, figure, of, totals, sum } = disagreement;
  const money = figure !== 'records' && figure !== 'unknown_records';
  const text = (value: bigint): string => (money ? `$${formatAmount(value)}` : value.toString());
  const place = of === null ? '' : ` of ${of}`;
  const other = {
    records: 'the records of the same period sum to',
    by_model: 'its parts by model sum to',
    daily: 'its parts by day sum to',
    model_records: 'the records of that model sum to',
    day_records: 'the records of that UTC day sum to',
  }[against];
  return makeFinding({
    class: CLASS_OF[against],
    rule: `${against}:${figure}`,
    confidence: 'proved',
    delta: money ? totals - sum : null,
    direction: 'none',
    evidence: [...windows, `figure:${figure}`, ...(of === null ? [] : [`part:${of}`])],
    explanation: `The totals say ${figure}${place} ${text(totals)}, but ${other} ${text(sum)}.`,
    next_step: provisional
      ? 'Read again: records may have moved between both reads.'
      : 'Ask the operator which of the two is billed.',
    provisional,
  });
}
