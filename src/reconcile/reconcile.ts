import type { Finding } from '../core/finding.ts';
import type { JudgedCall, Reconciliation } from '../core/reconciliation.ts';
import type { CompletenessResult, CoverageResult } from '../core/result.ts';
import { billingSettings } from './billing-settings.ts';
import { bookShelf } from './book-shelf.ts';
import { judgeBooks } from './judge-books.ts';
import { judgeCall } from './judge-call.ts';
import { judgeCluster } from './judge-cluster.ts';
import type { JudgeContext } from './judge-context.ts';
import { judgeHistory } from './judge-history.ts';
import { judgeStates } from './judge-states.ts';
import { judgeTotals } from './judge-totals.ts';
import { judgeUnmatched } from './judge-unmatched.ts';
import { compareText, type JudgedSweep, judgedSweep, ofSweep } from './judged-sweep.ts';
import type { Judgement } from './judgement.ts';
import { matchById } from './match-by-id.ts';
import { openClusters } from './open-clusters.ts';
import { type PaidCall, paidCalls } from './paid-call.ts';
import type { ReconcileInput } from './reconcile-input.ts';
import type { ServedRecord } from './served-record.ts';
import { coverageResult, findingGroups, gates, moneyResult, unreadableCharges } from './summarise.ts';
import { type ComparedTotals, compareTotals } from './totals-disagreements.ts';
import { wantedReads } from './wanted-reads.ts';

/**
 * Compares every paid call with its usage record and the price book. Pure: the same input gives the same result in
 * whatever order its lines come, and ages count from the last read in it.
 */
export function reconcile(input: ReconcileInput): Reconciliation {
  const sweep = judgedSweep(input);
  const shelf = bookShelf(input.books, input.reads);
  const calls = paidCalls(input.ledger);
  const { groups, unmatched_records } = matchById(calls, sweep.records);
  const matched = calls.flatMap((call) => {
    const records = groups.get(call.call_id);
    return records === undefined ? [] : [{ call, records }];
  });
  const context: JudgeContext = {
    plan: input.plan,
    key: input.key,
    sweep,
    shelf,
    settings: billingSettings(sweep.records, matched, shelf),
  };
  const unmatchedCalls = calls.filter(({ call_id }) => !groups.has(call_id));
  const open = unmatchedCalls.filter((call) => call.request_ids.length === 0);
  const { clusters, leftover } = openClusters(context, open, unmatched_records);
  const clustered = new Set(clusters.flatMap((cluster) => cluster.calls));
  const firstSecond = Math.floor((calls[0]?.started_ms ?? 0) / 1000);
  const judgements: readonly Judgement[] = [
    ...matched.map(({ call, records }) => judgeCall(context, call, records, 'request_id')),
    ...unmatchedCalls
      .filter((call) => !clustered.has(call))
      .map((call) => judgeCall(context, call, [], 'none')),
    ...clusters.flatMap((cluster) => judgeCluster(context, cluster)),
    ...leftover.map((record) =>
      judgeUnmatched(
        context,
        record,
        context.key === 'shared' || (record.created_at ?? firstSecond) < firstSecond,
      ),
    ),
  ];
  const judgedCalls = judgements.flatMap((judgement) => judgement.calls);
  const foreignKeys = new Set(foreignOf(judgedCalls));
  const isForeign = (record: ServedRecord): boolean => foreignKeys.has(record.key);
  const ours = sweep.records.filter((record) => !isForeign(record));
  const knownIds = new Set(calls.flatMap(({ request_ids }) => request_ids));
  const compared = comparedSweeps(input, sweep);
  const findings = sortedFindings([
    ...judgements.flatMap((judgement) => judgement.findings),
    ...judgeBooks(context, ours),
    ...judgeStates(ours),
    ...judgeTotals(context, compared),
    ...judgeHistory(context, (record) => input.key === 'exclusive' || knownIds.has(record.request_id)),
  ]);
  const withRecords = new Set(
    judgedCalls.filter(({ record_ids }) => record_ids.length > 0).map(({ call_id }) => call_id),
  );
  const missing = calls.filter(({ call_id }) => !withRecords.has(call_id));
  const coverage = coverageResult(judgements, pricedModels(judgedCalls), [
    ...context.settings.shown,
    ...totalsSettings(compared.judged),
  ]);
  const { gate, min_checked } = input.tolerances;
  const gated = findings.some((finding) => gates(finding, gate));
  return {
    money: moneyResult(context, judgements, ours, sweep.records.filter(isForeign)),
    coverage,
    findings,
    groups: findingGroups(findings, gate),
    completeness: completenessOf(input, context, compared.judged, calls),
    calls: [...judgedCalls].sort(byStart),
    sums: judgements
      .flatMap(({ sum }) => sum ?? [])
      .map(({ call_ids, charged }) => ({ call_ids: call_ids.toSorted(compareText), charged }))
      .sort((left, right) => compareText(left.call_ids[0] ?? '', right.call_ids[0] ?? '')),
    wanted: wantedReads(context, input.reads, missing, findings),
    gated,
    inconclusive: inconclusive(context, judgedCalls, coverage, {
      gated,
      min_checked,
      unreadable: unreadableCharges(judgements),
    }),
  };
}

function foreignOf(calls: readonly JudgedCall[]): readonly string[] {
  return calls
    .filter(({ match }) => match === 'foreign')
    .flatMap(({ request_id, record_ids }) => record_ids.map((id) => JSON.stringify([request_id, id])));
}

function comparedSweeps(
  input: ReconcileInput,
  { sweep, versions }: JudgedSweep,
): { readonly judged: ComparedTotals; readonly before: ComparedTotals | null } {
  function compared(of: number | null): ComparedTotals {
    const lines = input.totals.filter((line) => line.sweep === of);
    return compareTotals(lines, ofSweep(versions, of));
  }
  const earlier = input.reads
    .filter((read) => read.read === 'sweep_end' && read.complete === true && read.sweep < (sweep ?? 0))
    .map((read) => read.sweep);
  return { judged: compared(sweep), before: earlier.length === 0 ? null : compared(Math.max(...earlier)) };
}

function totalsSettings({ totals, reading }: ComparedTotals): CoverageResult['settings'] {
  if (totals === null) return [];
  const evidence = 'the reading under which most figures of the totals equal the records';
  return [
    { name: 'totals_settled', value: reading.settled, evidence },
    { name: 'totals_pending', value: reading.pending, evidence },
    { name: 'totals_refunded', value: reading.refunded, evidence },
  ];
}

function sortedFindings(findings: readonly Finding[]): readonly Finding[] {
  const byId = new Map(findings.map((finding) => [finding.id, finding]));
  return [...byId.values()].sort(
    (left, right) =>
      compareText(left.class, right.class) ||
      compareText(left.request_id ?? '', right.request_id ?? '') ||
      compareText(left.id, right.id),
  );
}

function byStart(left: JudgedCall, right: JudgedCall): number {
  return (
    compareText(left.started_at ?? '~', right.started_at ?? '~') ||
    compareText(left.call_id ?? '', right.call_id ?? '') ||
    compareText(left.request_id ?? '', right.request_id ?? '') ||
    compareText(left.record_ids.join(), right.record_ids.join())
  );
}

function pricedModels(calls: readonly JudgedCall[]): number {
  return new Set(calls.filter(({ lines }) => lines.length > 0).map(({ model }) => model)).size;
}

function completenessOf(
  input: ReconcileInput,
  { sweep }: JudgeContext,
  { totals }: ComparedTotals,
  calls: readonly PaidCall[],
): CompletenessResult {
  const ofJudged = input.reads.filter((read) => read.sweep === sweep.sweep);
  const reasons = ofJudged.flatMap((read) => (read.read === 'sweep_end' ? read.reasons : []));
  const problems = input.ledger.problems.map(({ line, what }) => `ledger line ${line}: ${what}`);
  const records = totals?.total.records ?? null;
  return {
    complete: sweep.complete !== null && !input.ledger.problems.some(({ gap }) => gap),
    pages: ofJudged.filter(({ read }) => read === 'records').length,
    records: sweep.swept.length,
    totals_records: records === null ? null : Number(records),
    reads: input.reads.filter(({ read }) => read !== 'sweep_end').length,
    last_read_at: sweep.last_read_at,
    open_calls: calls.filter(({ row }) => row === null).length,
    reasons: [...new Set([...reasons, ...problems])].sort(),
  };
}

/** Verdicts that rest on a charge; a call that was refused and not charged proves nothing about prices. */
const CHECKED: readonly JudgedCall['verdict'][] = ['to_the_digit', 'within_bounds', 'finding'];

function inconclusive(
  { sweep, shelf }: JudgeContext,
  calls: readonly JudgedCall[],
  coverage: CoverageResult,
  {
    gated,
    min_checked,
    unreadable,
  }: { readonly gated: boolean; readonly min_checked: number; readonly unreadable: number },
): readonly string[] {
  const reasons: string[] = [];
  if (sweep.complete === null) reasons.push('no sweep of the usage records is complete');
  if (shelf.unreadable.length > 0) reasons.push('the price book could not be read');
  else if (shelf.latest === null) reasons.push('no price book was read');
  if (unreadable > 0 && !gated) reasons.push(unreadableText(unreadable));
  const checked = (coverage.to_the_digit ?? 0) + (coverage.within_bounds ?? 0);
  const judged = calls.filter(({ verdict }) => CHECKED.includes(verdict));
  if (judged.length === 0) reasons.push('nothing could be checked');
  else if (coverage.to_the_digit !== null && checked < min_checked && !gated) {
    reasons.push(`only ${(checked * 100).toFixed(1)} % of the charged money could be checked`);
  }
  return reasons;
}

function unreadableText(count: number): string {
  return count === 1
    ? 'the amount of 1 record could not be read'
    : `the amounts of ${count} records could not be read`;
}
