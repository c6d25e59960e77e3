import type { JudgeContext } from '../expect/judge-context.ts';
import type { CallMatch } from '../match/call-match.ts';
import type { MatchedRecords } from '../match/match-records.ts';
import type { PaidCall } from '../records/paid-call.ts';
import type { ServedRecord } from '../records/served-record.ts';
import { assignOpen } from './assign-open.ts';
import { matchByCharge } from './match-by-charge.ts';
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
