import type { Finding } from '../contracts/finding.ts';
import { isNotOurs, MATCH_PASSES } from '../contracts/match-pass.ts';
import type { JudgedCall, Reconciliation } from '../contracts/reconciliation.ts';
import type { CompletenessResult, CoverageResult, MatchingRow } from '../contracts/result.ts';
import { ARCHIVED_READS, type ReadLine } from '../contracts/usage-lines.ts';
import { formatAmount, parseAmount } from '../core/amount.ts';
import { compareText } from '../core/compare-text.ts';
import { isWhole } from '../ledger/ledger-problem.ts';
import { assignOpen } from './assign/assign-open.ts';
import { matchByCharge } from './assign/match-by-charge.ts';
import { openClusters } from './assign/open-clusters.ts';
import { bookShelf } from './books/book-shelf.ts';
import { agingBuckets } from './conclude/aging.ts';
import { findingGroups, gates } from './conclude/finding-groups.ts';
import { incompleteText } from './conclude/incomplete-text.ts';
import { moneyByDay, moneyByModel } from './conclude/money-by.ts';
import { moneyResult } from './conclude/money-result.ts';
import { onRecordBasis } from './conclude/record-basis.ts';
import { withRowMoney } from './conclude/row-money.ts';
import { acceptedSettings, holdToReadings, standForAccepted } from './conclude/stand-for-accepted.ts';
import { suspenseAccount } from './conclude/suspense.ts';
import { wantedReads } from './conclude/wanted-reads.ts';
import { coverageResult, unreadableCharges } from './coverage/coverage-result.ts';
import { nothingCheckedReason, uncheckedReason } from './coverage/unchecked-reason.ts';
import { billingSettings } from './expect/billing-settings.ts';
import type { JudgeContext } from './expect/judge-context.ts';
import { retriedCalls } from './expect/retried-calls.ts';
import { trustedShelf } from './expect/trusted-shelf.ts';
import { untoldTerms } from './expect/untold-terms.ts';
import { applyHypotheses } from './explain/apply-hypotheses.ts';
import { judgeOwnCounts, ownCountSettings } from './explain/own-token-counts.ts';
import { acceptedOfSweep, type JudgedSweep, judgedSweep, ofSweep } from './input/judged-sweep.ts';
import { NOTHING_KNOWN, type ReconcileInput } from './input/reconcile-input.ts';
import { flaggedEstimates } from './judges/estimated-usage.ts';
import { judgeAccount } from './judges/judge-account.ts';
import { judgeBooks } from './judges/judge-books.ts';
import { judgeCall } from './judges/judge-call.ts';
import { judgeCluster } from './judges/judge-cluster.ts';
import { judgeCurrency } from './judges/judge-currency.ts';
import { judgeFilter } from './judges/judge-filter.ts';
import { judgeHistory, regressedRecords } from './judges/judge-history.ts';
import {
  areStrangers,
  isReadWhole,
  judgeMissing,
  type Losses,
  NOT_PROVED,
  STRANGERS,
} from './judges/judge-missing.ts';
import { judgePaging } from './judges/judge-paging.ts';
import { judgePriceChange } from './judges/judge-price-change.ts';
import { judgeStates } from './judges/judge-states.ts';
import { judgeTotals } from './judges/judge-totals.ts';
import { judgeUnmatched } from './judges/judge-unmatched.ts';
import { judgeWindow } from './judges/judge-window.ts';
import type { Judgement } from './judges/judgement.ts';
import { distinct } from './judges/make-finding.ts';
import { judgePosting } from './judges/posting-lag.ts';
import { withMatch } from './judges/with-match.ts';
import { exchangedLosses } from './match/exchanged-losses.ts';
import { KnownRecords } from './match/known-records.ts';
import { likeCalls } from './match/like-calls.ts';
import { matchCalls } from './match/match-calls.ts';
import { callsOfRecords } from './match/record-calls.ts';
import { judgedTime, type WhoseTerms, whoseRecord } from './match/whose-record.ts';
import { type AcceptedSums, acceptedCalls, NOTHING_ACCEPTED } from './records/accepted-sums.ts';
import { type PaidCall, paidCalls } from './records/paid-call.ts';
import { sumKnown } from './records/sum-amounts.ts';
import { type ComparedTotals, compareTotals } from './records/totals-disagreements.ts';
import { NO_OWN_COUNTS } from './tokens/token-count-learn.ts';

/**
 * Compares every paid call with its usage record and the price book. Pure: the same input gives the same result in
 * whatever order its lines come, and ages count from the last read in it.
 */
export function reconcile(input: ReconcileInput): Reconciliation {
  const accepted = input.accepted ?? NOTHING_ACCEPTED;
  const sweep = judgedSweep(input);
  const served = bookShelf(input.books, input.reads, input.terms);
  const ownRecords = input.basis === 'records';
  const calls = ownRecords
    ? callsOfRecords(sweep, served)
    : paidCalls(input.ledger, accepted.last_sign_ms ?? 0);
  const traffic = input.known ?? NOTHING_KNOWN;
  const others = new KnownRecords(traffic.calls, calls);
  const matching = matchCalls(calls, others.takeById(sweep.records), acceptedCalls(accepted));
  const { window } = matching;
  const unmatched = others.takeByPrint(window, matching.records);
  const settings = billingSettings(
    sweep.records,
    matching.matches,
    served,
    input.terms.readings,
    accepted.telling,
  );
  holdToReadings(accepted, settings);
  const whole = isWhole(input.ledger);
  const whose: WhoseTerms = {
    // A record may be that of a call which is not here.
    key: whole ? input.key : 'shared',
    whole,
    time: judgedTime(calls, accepted, sweep),
    others,
    gone: traffic.times,
  };
  const untried: JudgeContext = {
    plan: input.plan,
    key: whose.key,
    whose: (record) => whoseRecord(whose, record),
    sweep,
    shelf: served,
    settings,
    terms: input.terms,
    upstream: input.upstream,
    retried: retriedCalls(matching.matches, settings),
    flagged_estimates: flaggedEstimates(matching.matches),
    regressed: regressedRecords(sweep),
  };
  const context: JudgeContext = { ...untried, shelf: trustedShelf(untried, matching.matches) };
  const byCharge = matchByCharge(context, window, matching.open, unmatched);
  const assigned = assignOpen(context, window, byCharge.calls, byCharge.records);
  const { clusters, leftover } = openClusters(context, window, assigned.calls, assigned.records);
  others.explain(window, [...leftover, ...clusters.flatMap(({ groups }) => groups.flat())]);
  const clustered = new Set(clusters.flatMap((cluster) => cluster.calls));
  const alone = [...matching.missing, ...assigned.calls].filter((call) => !clustered.has(call));
  const like = likeCalls(window, leftover.length === 0 ? [] : calls);
  const matches = [...matching.matches, ...byCharge.matches, ...assigned.matches];
  const known: Losses = {
    strange: false,
    whole,
    doubtful: exchangedLosses(window, {
      missing: assigned.calls,
      matches,
      isProved: (call) => isReadWhole(context, call),
    }),
  };
  const losses: Losses = {
    ...known,
    strange:
      matches.length + acceptedCalls(accepted) === 0 &&
      !clusters.some((cluster) => judgeCluster(context, cluster, known).some(isPaired)) &&
      areStrangers(context, [...alone, ...clustered]),
  };
  const judged = applyHypotheses(context, [
    ...matches.map((match) => withMatch(judgeCall(context, match), match)),
    ...alone.map((call) => judgeMissing(context, call, losses)),
    ...clusters.flatMap((cluster) => judgeCluster(context, cluster, losses)),
    ...[...others.taken, ...leftover].map((record) =>
      judgeUnmatched(context, record, context.whose(record), like(record)),
    ),
  ]);
  const own = input.own_counts ?? NO_OWN_COUNTS;
  const counted = judgeOwnCounts(context, judged, own);
  const judgements = standForAccepted(
    (ownRecords ? counted.map(onRecordBasis) : counted).map(withRowMoney),
    accepted,
  );
  const judgedCalls = judgements.flatMap((judgement) => judgement.calls);
  const foreignKeys = new Set(foreignOf(judgedCalls));
  const ours = sweep.records.filter(({ key }) => !foreignKeys.has(key));
  const notOurs = sweep.records.filter(({ key }) => foreignKeys.has(key));
  const ownIds = new Set(calls.flatMap(({ request_ids }) => request_ids));
  const compared = comparedSweeps(input, sweep);
  const findings = sortedFindings([
    ...judgements.flatMap((judgement) => judgement.findings),
    ...judgeBooks(context, ours),
    ...judgePriceChange(context, judgements),
    ...judgeStates(ours),
    ...judgeTotals(context, compared),
    ...judgePaging(sweep),
    ...judgeFilter(sweep),
    ...judgeWindow(sweep),
    ...judgeCurrency(sweep),
    ...judgeAccount(
      input.reads,
      sweep.records.some(({ role }) => role === 'refunded'),
    ),
    ...judgePosting(context, input.reads, matches),
    ...judgeHistory(
      context,
      // Where nothing tells of calls, the bill is all records of its keys.
      (record) => ownRecords || ownIds.has(record.request_id) || context.whose(record) === null,
      new Set(judgements.flatMap(({ regressed }) => regressed ?? [])),
    ),
  ]);
  const suspense =
    input.suspense === null
      ? null
      : suspenseAccount({
          ...input.suspense,
          calls: judgedCalls,
          findings,
          records: sweep.records,
          last_read_ms: sweep.last_read_ms,
        });
  const withRecords = new Set(
    judgedCalls.filter(({ record_ids }) => record_ids.length > 0).map(({ call_id }) => call_id),
  );
  const missing = calls.filter(({ call_id }) => !withRecords.has(call_id));
  const coverage = coverageResult(context, judgements, findings, [
    ...context.settings.shown,
    ...totalsSettings(compared.judged),
    ...ownCountSettings(own),
    ...acceptedSettings(accepted),
  ]);
  const { min_checked } = input.tolerances;
  const gated = findings.some((finding) => gates(finding, input.tolerances));
  return {
    money: {
      ...moneyResult(context, judgements, ours, notOurs, accepted),
      by_model: moneyByModel(judgements),
      by_day: moneyByDay(judgements),
      suspense: suspense?.bridge ?? null,
      aging: agingBuckets(
        judgedCalls,
        new Map(calls.map(({ call_id, ended_ms }) => [call_id, ended_ms])),
        sweep.last_read_ms,
      ),
    },
    coverage,
    findings,
    groups: findingGroups(findings, input.tolerances),
    completeness: completenessOf(input, context, compared.judged, calls),
    matching: matchingRows(judgedCalls, accepted),
    suspense: suspense?.items ?? null,
    calls: [...judgedCalls].sort(byStart),
    sums: judgements
      .flatMap(({ sum }) => sum ?? [])
      .map((sum) => ({ ...sum, call_ids: sum.call_ids.toSorted(compareText) }))
      .sort((left, right) => compareText(left.call_ids[0] ?? '', right.call_ids[0] ?? '')),
    wanted: wantedReads(context, input.reads, missing, findings),
    gated,
    inconclusive: inconclusive(context, judgedCalls, coverage, {
      gated,
      min_checked,
      unreadable: unreadableCharges(judgements),
    }),
    untold: untoldTerms(input, served, ours, settings),
  };
}

function isPaired({ calls }: Judgement): boolean {
  return calls.some(({ call_id, record_ids }) => call_id !== null && record_ids.length > 0);
}

/** Records by the pass that found their call; what was accepted was found by its request id. */
function matchingRows(calls: readonly JudgedCall[], accepted: AcceptedSums): readonly MatchingRow[] {
  return MATCH_PASSES.flatMap((pass) => {
    const pairs = calls.filter(({ match }) => match === pass);
    if (pairs.length === 0) return [];
    const groups = pass === 'request_id' ? accepted.groups : [];
    const amounts = pairs.map(({ charged }) => (charged === null ? null : parseAmount(charged)));
    const charged = sumKnown([...amounts, ...groups.map((group) => group.charged)]);
    return [
      {
        pass,
        pairs: pairs.length + acceptedCalls({ groups }),
        charged: charged === null ? null : formatAmount(charged),
      },
    ];
  });
}

function foreignOf(calls: readonly JudgedCall[]): readonly string[] {
  return calls
    .filter(({ match }) => isNotOurs(match))
    .flatMap(({ request_id, record_ids }) => record_ids.map((id) => JSON.stringify([request_id, id])));
}

function comparedSweeps(
  input: ReconcileInput,
  own: JudgedSweep,
): { readonly judged: ComparedTotals; readonly before: ComparedTotals | null } {
  function compared(of: number | null): ComparedTotals {
    const lines = input.totals.filter((line) => line.sweep === of);
    return compareTotals(lines, ofSweep(own.versions, of, input.reads), acceptedOfSweep(input, of));
  }
  const earlier = input.reads
    .filter((read) => read.read === 'sweep_end' && read.complete === true && read.sweep < (own.sweep ?? 0))
    .map((read) => read.sweep);
  const judged = compareTotals(own.totals, own.swept, own.accepted);
  return { judged, before: earlier.length === 0 ? null : compared(Math.max(...earlier)) };
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
  return distinct(findings).toSorted(
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
    complete: sweep.complete !== null && isWhole(input.ledger),
    pages: ofJudged.filter(({ read, purpose }) => read === 'records' && (purpose ?? 'sweep') === 'sweep')
      .length,
    records: sweep.accepted.reduce((sum, part) => sum + part.records, sweep.swept.length),
    totals_records: records === null ? null : Number(records),
    reads: input.reads.filter(({ read }) => !NO_READ.has(read)).length,
    last_read_at: sweep.last_read_at,
    open_calls: calls.filter(({ row }) => row === null).length,
    reasons: [...new Set([...reasons, ...problems])].sort(),
    proved: sweep.proof.proved,
    leaves: sweep.proof.leaves.map(({ start, end, model, figure, totals: told, records: own, stable }) => ({
      start,
      end,
      model,
      figure,
      totals: told,
      records: own,
      stable,
    })),
    hazards: sweep.proof.hazards,
  };
}

/** Verdicts that rest on a charge; a call that was refused and not charged proves nothing about prices. */
const NO_READ: ReadonlySet<ReadLine['read']> = new Set(['sweep_end', ...ARCHIVED_READS]);

const CHECKED: readonly JudgedCall['verdict'][] = ['to_the_digit', 'within_bounds', 'finding'];

function inconclusive(
  { sweep, shelf, settings }: JudgeContext,
  calls: readonly JudgedCall[],
  coverage: CoverageResult,
  {
    gated,
    min_checked,
    unreadable,
  }: { readonly gated: boolean; readonly min_checked: number; readonly unreadable: number },
): readonly string[] {
  const reasons: string[] = [];
  if (sweep.complete === null) reasons.push(incompleteText(sweep.reads));
  if (shelf.unreadable.length > 0) reasons.push('the price book could not be read');
  else if (shelf.latest === null) reasons.push('no price book was read');
  if (settings.contradicted !== null) reasons.push(settings.contradicted);
  if (unreadable > 0 && !gated) reasons.push(unreadableText(unreadable));
  const unproved = calls.filter(({ why }) => why === NOT_PROVED).length;
  if (unproved > 0) reasons.push(unprovedText(unproved));
  // That nothing was checked follows from it.
  if (calls.some(({ why }) => why === STRANGERS)) return [...reasons, STRANGERS_REASON];
  const judged = calls.filter(({ verdict }) => CHECKED.includes(verdict));
  const unchecked = gated ? null : uncheckedReason(coverage, min_checked);
  const seen = calls.length + sweep.records.length + sweep.accepted.length;
  if (seen === 0 && sweep.complete !== null) reasons.push(NOTHING_THERE);
  else if (judged.length === 0) reasons.push(nothingCheckedReason(coverage));
  else if (unchecked !== null) reasons.push(unchecked);
  return reasons;
}

const NOTHING_THERE = 'there is nothing to check: no call, and no usage record of this key in that time';

const STRANGERS_REASON =
  'no call of this ledger has a record: see whether key, target and time are those of the calls';

function unreadableText(count: number): string {
  return count === 1
    ? 'the amount of 1 record could not be read'
    : `the amounts of ${count} records could not be read`;
}

function unprovedText(count: number): string {
  const whose = count === 1 ? '1 call has no record' : `${count} calls have no record`;
  return `${whose}, and it is not proved that the records of that time were read whole`;
}
