import type { Objective } from '../../contracts/plan.ts';
import type { PaidKind } from '../../core/call-kind.ts';
import { type CallCosts, sumCosts } from '../call-costs.ts';
import { type CallTimes, callTimes } from '../call-times.ts';
import { goodCalls } from '../good-call.ts';
import type { LogicalCall } from '../logical-call.ts';

/** The calls of one kind that a run measured, in the order of their starts, as a comparison needs them. */
export interface KindSample {
  readonly kind: PaidKind;
  readonly calls: readonly SampledCall[];
}

export interface SampledCall {
  /** Null where the call failed, or we ended it. */
  readonly times: CallTimes | null;
  /** False where we ended it ourselves. */
  readonly judged: boolean;
  readonly good: boolean;
  /** 10⁻¹² USD; null where it is not known exactly. */
  readonly cost: bigint | null;
}

export function kindSample(
  kind: PaidKind,
  calls: readonly LogicalCall[],
  objectives: readonly Objective[],
  costs: CallCosts | null,
): KindSample {
  return {
    kind,
    calls: calls
      .toSorted((left, right) => left.startedAt - right.startedAt)
      .map((call) => ({
        times: call.last.outcome === 'ok' ? callTimes(call) : null,
        judged: call.judged,
        good: goodCalls([call], objectives) === 1,
        cost: costs === null ? null : costOf(call, costs),
      })),
  };
}

/** A part of a common sum is no one call's. */
function costOf({ attempts }: LogicalCall, costs: CallCosts): bigint | null {
  const ids = attempts.filter(({ outcome }) => outcome !== 'not_sent').map(({ call_id }) => call_id);
  if (costs.shared.some(({ call_ids }) => ids.some((id) => call_ids.has(id)))) return null;
  const cost = sumCosts(ids, { single: costs.single, shared: [] });
  return cost === null || cost.at_most ? null : cost.amount;
}
