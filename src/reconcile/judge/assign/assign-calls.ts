import { chargeOfRequest, exactOf } from '../../expect/charge.ts';
import { expectedCharge } from '../../expect/expected-charge.ts';
import { bookOf, type JudgeContext } from '../../expect/judge-context.ts';
import { type CallMatch, type PassResult, passResult } from '../../match/call-match.ts';
import type { MatchedRecords } from '../../match/match-records.ts';
import { pairInTime } from '../../match/pair-in-time.ts';
import { requestGroups } from '../../match/request-groups.ts';
import type { TimeWindow } from '../../match/time-window.ts';
import type { PaidCall } from '../../records/paid-call.ts';
import { recordDue } from '../../records/record-due.ts';
import type { ServedRecord } from '../../records/served-record.ts';
import { assignOpen } from './assign-open.ts';
import { openClusters } from './open-clusters.ts';

/** Every call with its records, in a cluster, or alone; and the records that are left. */
export interface AssignedCalls {
  readonly matches: readonly CallMatch[];
  readonly clusters: ReturnType<typeof openClusters>['clusters'];
  /** Calls without a record, outside every cluster. */
  readonly alone: readonly PaidCall[];
  /** Calls that were left when the records by charge ran out, those in clusters too. */
  readonly unassigned: readonly PaidCall[];
  readonly leftover: readonly ServedRecord[];
}

/** Pairs what no id or watermark tells apart by what each call should have cost. */
export function assignCalls(
  context: JudgeContext,
  { matching, unmatched, others }: MatchedRecords,
): AssignedCalls {
  const { window } = matching;
  const byCharge = matchByCharge(context, window, matching.open, unmatched);
  const assigned = assignOpen(context, window, byCharge.calls, byCharge.records);
  const { clusters, leftover } = openClusters(context, window, assigned.calls, assigned.records);
  others.explain(window, [...leftover, ...clusters.flatMap(({ groups }) => groups.flat())]);
  const clustered = new Set(clusters.flatMap((cluster) => cluster.calls));
  return {
    matches: [...matching.matches, ...byCharge.matches, ...assigned.matches],
    clusters,
    alone: [...matching.missing, ...assigned.calls].filter((call) => !clustered.has(call)),
    unassigned: assigned.calls,
    leftover,
  };
}

/**
 * Brings image and video calls together with records that charge exactly what they owe: such records count no tokens,
 * so the charge is all that tells them apart. Calls that owe the same may change places without changing a verdict.
 */
function matchByCharge(
  context: JudgeContext,
  window: TimeWindow,
  calls: readonly PaidCall[],
  records: readonly ServedRecord[],
): PassResult {
  const groups = Map.groupBy(requestGroups(records), (group) =>
    chargeKey(group[0].asked_model, chargeOfRequest(group, context.settings)),
  );
  const latest = context.shelf.latest;
  const owing = Map.groupBy(
    calls.filter((call) => !call.text && ['must', 'free'].includes(recordDue(call))),
    (call) => {
      const [first] = records;
      const book = first === undefined ? latest : (bookOf(context, first) ?? latest);
      const expected = expectedCharge(context, call, null, book);
      const point = 'unknown' in expected ? null : expected.point;
      return chargeKey(call.model, point === null ? null : { lo: point, hi: point });
    },
  );
  owing.delete('');
  const matches = [...owing].flatMap(([key, same]) =>
    pairInTime(window, same, groups.get(key) ?? []).map(
      ({ call, group, candidates }): CallMatch => ({
        call,
        records: group,
        pass: 'fingerprint',
        score: 1 / candidates,
        why: `same model and the charge that it owes, inside its time; ${candidates} such calls were open then`,
      }),
    ),
  );
  return passResult(matches, calls, records);
}

function chargeKey(model: string, charge: { readonly lo: bigint; readonly hi: bigint } | null): string {
  const exact = charge === null ? null : exactOf(charge);
  return exact === null ? '' : JSON.stringify([model, exact.toString()]);
}
