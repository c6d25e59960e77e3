import type { FaultClass } from '../../contracts/fault-class.ts';
import type { Finding } from '../../contracts/finding.ts';
import type { ReadLeaf } from '../../contracts/usage-lines.ts';
import { formatAmount } from '../../core/amount.ts';
import type { JudgeContext } from '../expect/judge-context.ts';
import type { TotalsFigures } from '../records/served-totals.ts';
import type { ComparedTotals, Disagreement } from '../records/totals-disagreements.ts';
import { isLostByPages } from './judge-paging.ts';
import { makeFinding } from './make-finding.ts';
import { evidenceOfRead } from './read-evidence.ts';
import { WARRANTS } from './warrants.ts';

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
 * totals and records are two reads, so theirs is final once two reads of one leaf, or a second sweep, show the same on
 * both sides.
 */
export function judgeTotals(context: JudgeContext, input: TotalsInput): readonly Finding[] {
  const { judged, before } = input;
  const { sweep } = context;
  const windows = [
    ...sweep.windows.map(({ start, end }) => `totals:${start}-${end}`),
    ...evidenceOfRead(
      sweep.own_reads.filter(({ read, purpose }) => read === 'totals' && purpose === 'sweep'),
    ),
  ];
  // What pages lost is told of the pages: these records say nothing about the totals.
  const lost = sweep.complete === null || sweep.proof.leaves.some(isLostByPages);
  const unknown = judged.totals?.total.unknown_records ?? 0n;
  const comparable = judged.disagreements.filter(
    (one) =>
      (!lost || isOneAnswer(one)) &&
      (one.figure !== 'unknown_records' || unknown === 0n) &&
      !(isOneAnswer(one) && isOfTheWhole(one, judged.disagreements)),
  );
  const findings = comparable.map((disagreement) => {
    const leaf = leafOf(sweep.proof.leaves, disagreement);
    const stable =
      isOneAnswer(disagreement) ||
      leaf !== null ||
      before?.disagreements.some((earlier) => same(earlier, disagreement)) === true;
    return disagreementFinding(disagreement, windows, !stable, leaf);
  });
  findings.push(...unreadableTotals(judged.totals, windows));
  // What an unknown record is nobody says, so their number is told and compared with nothing.
  if (unknown === 0n) return findings;
  return [
    ...findings,
    makeFinding({
      class: 'unknown_records',
      rule: 'reported_by_totals',
      severity: 'S4',
      warrant: WARRANTS.totals,
      confidence: 'proved',
      delta: null,
      evidence: windows,
      explanation: `The totals report ${unknown} unknown records; what they charge is not told.`,
      next_step: 'Ask the operator what an unknown record is.',
    }),
  ];
}

/** The parts come in one answer with the whole. */
function isOneAnswer({ against }: Disagreement): boolean {
  return against === 'by_model' || against === 'daily';
}

/** Where the parts sum to what the records sum to, the whole is wrong and not its parts. */
function isOfTheWhole(part: Disagreement, all: readonly Disagreement[]): boolean {
  return all.some(
    ({ against, figure, sum }) => against === 'records' && figure === part.figure && sum === part.sum,
  );
}

/** The first seconds in which two reads of totals and records by themselves show the same disagreement. */
function leafOf(leaves: readonly ReadLeaf[], { against, figure }: Disagreement): ReadLeaf | null {
  if (against !== 'records') return null;
  const own = leaves.find(
    (leaf) =>
      leaf.figure === figure &&
      leaf.stable &&
      !leaf.by_page_size &&
      leaf.served !== null &&
      leaf.served !== leaf.totals,
  );
  return own ?? null;
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
        warrant: WARRANTS.totals_fields,
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
        warrant: WARRANTS.usage_in_usd,
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
  leaf: ReadLeaf | null,
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
    warrant: isOneAnswer(disagreement) ? WARRANTS.totals : WARRANTS.totals_and_records,
    delta: money ? totals - sum : null,
    direction: 'none',
    evidence: [
      ...windows,
      `figure:${figure}`,
      ...(of === null ? [] : [`part:${of}`]),
      ...(leaf === null ? [] : [`leaf:${leaf.start}-${leaf.end}`, ...leaf.reads.map((id) => `read:${id}`)]),
    ],
    explanation:
      `The totals say ${figure}${place} ${text(totals)}, but ${other} ${text(sum)}.` +
      (leaf === null ? '' : ` ${leafText(leaf)}`),
    next_step: provisional
      ? 'Read again: records may have moved between both reads.'
      : 'Ask the operator which of the two is billed.',
    provisional,
  });
}

function leafText({ start, end, model, totals, served }: ReadLeaf): string {
  const of = model === null ? '' : ` of ${model}`;
  return `Of ${start}–${end} alone, read twice, the totals${of} say ${totals} and the records come to ${served}.`;
}
