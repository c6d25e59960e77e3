import type { Finding } from '../../contracts/finding.ts';
import { isNotOurs, MATCH_PASSES } from '../../contracts/match-pass.ts';
import type { JudgedCall, Reconciliation } from '../../contracts/reconciliation.ts';
import type { MatchingRow } from '../../contracts/result.ts';
import { formatAmount, parseAmount } from '../../core/amount.ts';
import { compareText } from '../../core/compare-text.ts';
import { cacheOwed } from '../cache/cache-owed.ts';
import type { JudgeContext } from '../expect/judge-context.ts';
import { untoldTerms } from '../expect/untold-terms.ts';
import { ownCountSettings } from '../explain/own-token-counts.ts';
import { judgeBill } from '../judge/bill-judges.ts';
import type { Judgement } from '../judge/judgement.ts';
import { distinct } from '../judge/make-finding.ts';
import type { CallMatch } from '../match/call-match.ts';
import type { MatchedRecords } from '../match/match-records.ts';
import { isRecordCall } from '../match/record-calls.ts';
import { type AcceptedSums, acceptedCalls } from '../records/accepted-sums.ts';
import { sumKnown } from '../records/sum-amounts.ts';
import { NO_OWN_COUNTS } from '../tokens/token-count-learn.ts';
import { acceptedFindings } from './accepted-findings.ts';
import { comparedSweeps, completenessOf, inconclusiveReasons, wantedReads } from './completeness.ts';
import { coverageResult, unreadableCharges } from './coverage/coverage-result.ts';
import { keptBooks } from './coverage/kept-books.ts';
import { agingBuckets, findingGroups, gates } from './finding-groups.ts';
import { moneyByDay, moneyByGroup, moneyByKey, moneyByModel } from './money-by.ts';
import { moneyResult, withRowMoney } from './money-result.ts';
import { acceptedSettings, standForAccepted } from './stand-for-accepted.ts';
import { suspenseAccount } from './suspense.ts';

/** What is concluded from the judged rows: findings of the whole bill, sums, coverage, and what is still to be read. */
export function conclude(
  context: JudgeContext,
  matched: MatchedRecords,
  matches: readonly CallMatch[],
  explained: readonly Judgement[],
): Reconciliation {
  const { input, accepted, sweep, served, calls } = matched;
  const ownRecords = input.basis === 'records';
  const judgements = standForAccepted(
    (ownRecords ? explained.map(onRecordBasis) : explained).map(withRowMoney),
    accepted,
  );
  const judgedCalls = judgements.flatMap((judgement) => judgement.calls);
  const foreignKeys = new Set(foreignOf(judgedCalls));
  const ours = sweep.records.filter(({ key }) => !foreignKeys.has(key));
  const notOurs = sweep.records.filter(({ key }) => foreignKeys.has(key));
  const ownIds = new Set(calls.flatMap(({ request_ids }) => request_ids));
  const totals = comparedSweeps(input, sweep, context.settings);
  const cache = ownRecords ? null : cacheOwed(context, matched, matches);
  const findings = sortedFindings([
    ...judgements.flatMap((judgement) => judgement.findings),
    ...judgeBill({
      context,
      reads: input.reads,
      matches,
      judgements,
      cache,
      ours,
      totals,
      // Where nothing tells of calls, the bill is all records of its keys.
      isOurs: (record) => ownRecords || ownIds.has(record.request_id) || context.whose(record) === null,
    }),
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
  const matching = matchingRows(judgedCalls, accepted);
  const coverage = coverageResult(context, judgements, findings, [
    ...keptBooks({ context, matched, totals: totals.judged, calls: judgedCalls, matching }),
    ...ownCountSettings(input.own_counts ?? NO_OWN_COUNTS),
    ...acceptedSettings(accepted),
  ]);
  const { min_checked } = input.tolerances;
  const { accepted: lived, ids } = acceptedFindings(findings, input.tolerances, sweep.last_read_ms);
  const gated = findings.some((finding) => !ids.has(finding.id) && gates(finding, input.tolerances));
  const byKey = moneyByKey(judgements, accepted);
  const byGroup = moneyByGroup(judgements, accepted);
  return {
    money: {
      ...moneyResult(context, judgements, ours, notOurs, accepted),
      by_model: moneyByModel(judgements),
      by_day: moneyByDay(judgements),
      ...(byKey === undefined ? {} : { by_key: byKey }),
      ...(byGroup === undefined ? {} : { by_group: byGroup }),
      suspense: suspense?.bridge ?? null,
      aging: agingBuckets(
        judgedCalls,
        new Map(calls.map(({ call_id, ended_ms }) => [call_id, ended_ms])),
        sweep.last_read_ms,
      ),
    },
    ...(cache === null ? {} : { cache: cache.result }),
    coverage,
    findings,
    groups: findingGroups(findings, input.tolerances, ids),
    accepted: lived,
    completeness: completenessOf(input, context, totals.judged, calls),
    matching,
    suspense: suspense?.items ?? null,
    calls: [...judgedCalls].sort(byStart),
    sums: judgements
      .flatMap(({ sum }) => sum ?? [])
      .map((sum) => ({ ...sum, call_ids: sum.call_ids.toSorted(compareText) }))
      .sort((left, right) => compareText(left.call_ids[0] ?? '', right.call_ids[0] ?? '')),
    wanted: wantedReads(context, input.reads, missing, findings),
    gated,
    inconclusive: inconclusiveReasons(context, judgedCalls, coverage, {
      gated,
      min_checked,
      unreadable: unreadableCharges(judgements),
    }),
    untold: untoldTerms(input, served, ours, context.settings),
  };
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

/** What stands for the call that nobody tells of: there is no ledger. */
const ALONE = {
  call_id: null,
  row: null,
  started_at: null,
  outcome: null,
  match_why: 'no ledger: the records of one request, judged by themselves',
  basis: 'record',
} as const;

/** A judgement of a record by itself, as such: without the call that stood for it. */
function onRecordBasis(judgement: Judgement): Judgement {
  if (!isRecordCall(judgement.subject?.call.call_id ?? null)) return judgement;
  return {
    ...judgement,
    calls: judgement.calls.map((call) => ({ ...call, ...ALONE })),
    findings: judgement.findings.map(withoutCall),
  };
}

function withoutCall(finding: Finding): Finding {
  return {
    ...finding,
    call_id: null,
    evidence: finding.evidence.filter((each) => !each.startsWith('call:')),
  };
}
