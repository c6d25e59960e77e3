import { isWhole } from '../../ledger/ledger-problem.ts';
import { isOneCharge } from '../expect/charge.ts';
import type { JudgeContext } from '../expect/judge-context.ts';
import type { CallMatch } from '../match/call-match.ts';
import { exchangedLosses } from '../match/exchanged-losses.ts';
import { printOf, printOfRecord } from '../match/match-by-fingerprint.ts';
import type { MatchedRecords } from '../match/match-records.ts';
import { type RequestGroup, requestGroups } from '../match/request-groups.ts';
import { inWindow, type TimeWindow, windowOf } from '../match/time-window.ts';
import { acceptedCalls } from '../records/accepted-sums.ts';
import type { PaidCall } from '../records/paid-call.ts';
import { recordDue } from '../records/record-due.ts';
import type { ServedRecord } from '../records/served-record.ts';
import { assignCalls } from './assign/assign-calls.ts';
import type { OpenCluster } from './assign/open-clusters.ts';
import { judgeCall } from './judge-call.ts';
import { judgeCluster } from './judge-cluster.ts';
import { areStrangers, isReadWhole, judgeMissing, type Losses } from './judge-missing.ts';
import { judgeUnmatched } from './judge-unmatched.ts';
import type { Judgement } from './judgement.ts';
import { withMatch } from './with-match.ts';

export interface JudgedRows {
  readonly judgements: readonly Judgement[];
  readonly matches: readonly CallMatch[];
}

/**
 * Pairs the calls that no id tells apart with records, by what they should cost. Judges each call with its records, each
 * cluster, each call without a record and each record without a call.
 */
export function judgeRows(context: JudgeContext, matched: MatchedRecords): JudgedRows {
  const { input, accepted, calls, others, matching } = matched;
  const { matches, clusters, alone, unassigned, leftover } = assignCalls(context, matched);
  const { window } = matching;
  const like = lookalikes(window, leftover.length === 0 ? [] : calls);
  const known: Losses = {
    strange: false,
    whole: isWhole(input.ledger),
    doubtful: exchangedLosses(window, {
      missing: unassigned,
      matches,
      isProved: (call) => isReadWhole(context, call),
    }),
    missing: missingByModel(alone, clusters),
  };
  const losses: Losses = {
    ...known,
    strange:
      matches.length + acceptedCalls(accepted) === 0 &&
      !clusters.some((cluster) => judgeCluster(context, cluster, known).some(isPaired)) &&
      areStrangers(context, [...alone, ...new Set(clusters.flatMap((cluster) => cluster.calls))]),
  };
  const judgements = [
    ...matches.map((match) => withMatch(judgeCall(context, match), match)),
    ...alone.map((call) => judgeMissing(context, call, losses)),
    ...clusters.flatMap((cluster) => judgeCluster(context, cluster, losses)),
    ...unmatchedGroups([...others.taken, ...leftover]).map((group) =>
      judgeUnmatched(context, group, context.whose(group[0]), like(group[0])),
    ),
  ];
  return { judgements, matches };
}

/** How many calls of each model must have a record, and none was found. */
function missingByModel(
  alone: readonly PaidCall[],
  clusters: readonly OpenCluster[],
): ReadonlyMap<string, number> {
  const missing = new Map<string, number>();
  const count = (model: string, more: number): void => {
    missing.set(model, (missing.get(model) ?? 0) + more);
  };
  for (const call of alone) if (recordDue(call) === 'must') count(call.model, 1);
  for (const { calls, groups } of clusters) {
    const lost = calls.length - groups.length;
    if (lost > 0) count(calls[0]?.model ?? '', lost);
  }
  return missing;
}

/** Entries of one charge together, each other record alone. */
function unmatchedGroups(records: readonly ServedRecord[]): readonly RequestGroup[] {
  return requestGroups(records).flatMap((group) =>
    isOneCharge(group) ? [group] : group.map((record) => [record] as const),
  );
}

function isPaired({ calls }: Judgement): boolean {
  return calls.some(({ call_id, record_ids }) => call_id !== null && record_ids.length > 0);
}

/**
 * Names the call that a record without one looks like: same model and token counts, inside its time. A second charge of
 * a call under another id looks so.
 */
function lookalikes(
  window: TimeWindow,
  calls: readonly PaidCall[],
): (record: ServedRecord) => PaidCall | null {
  const byPrint = new Map<string, PaidCall[]>();
  for (const call of calls) {
    for (const cache of ['inside', 'beside'] as const) {
      const print = printOf(call, cache);
      if (print === null) continue;
      const same = byPrint.get(print);
      if (same === undefined) byPrint.set(print, [call]);
      else same.push(call);
    }
  }
  return (record) =>
    (byPrint.get(printOfRecord(record)) ?? []).find((call) => inWindow(windowOf(window, call), record)) ??
    null;
}
