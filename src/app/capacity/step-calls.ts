import { WeighbridgeError } from '../../contracts/failure.ts';
import type { Objective, Plan, ScenarioPlan } from '../../contracts/plan.ts';
import { scheduledBetween } from '../../measure/arrival-time.ts';
import { measuredMs } from '../../measure/measured-window.ts';
import { stepPlan } from '../../plan/step-plan.ts';
import { largestSize } from '../../workload/seeded-order.ts';
import type { CapacityBounds } from './capacity-search.ts';
import { callsToHold } from './step-evidence.ts';

/** An objective that a step plans too few calls for, however they end. */
export interface Shortfall {
  readonly why: string;
  /** So many times as many calls decide it. */
  readonly factor: number;
}

/** What a step cannot decide: with fewer calls none over a bound proves nothing. */
export function tooFewPlanned(plan: Plan): readonly Shortfall[] {
  const { objectives, scenarios } = plan.workload;
  return objectives.flatMap((objective): readonly Shortfall[] => {
    const scenario = scenarios.find(({ name }) => name === objective.scenario);
    if (scenario === undefined || objective.measure === 'usd_per_1000_good') return [];
    const needed = callsToHold(objective);
    const calls = plannedCalls(plan, scenario, objective);
    if (calls === null || calls >= needed) return [];
    const { measure, percentile } = objective;
    const name = percentile === null ? measure : `${measure} p${percentile}`;
    const why = `${scenario.name} plans ${calls} ${calls === 1 ? 'call' : 'calls'} for ${name} and needs ${needed}`;
    return [{ why, factor: needed / Math.max(1, calls) }];
  });
}

/** The most measured calls that can have what an objective bounds; null where answers set the pace. */
function plannedCalls(
  plan: Plan,
  { arrival, text }: ScenarioPlan,
  { measure }: Pick<Objective, 'measure'>,
): number | null {
  const even = { ...arrival, process: 'even' as const };
  const { calls } = scheduledBetween(even, plan.workload.warm_up_ms / 1000, measuredMs(plan) / 1000);
  if (calls === null) return null;
  const turns = largestSize(text?.session?.turns ?? 1);
  const isOfStreams = measure === 'ttft_ms' || measure === 'tpot_ms';
  return Math.ceil(calls * turns * (isOfStreams ? (text?.stream_share ?? 0) : 1));
}

/** Refuses, before anything is paid, a search that cannot scale its plan, or whose first step can decide nothing. */
export function refuseSearch(plan: Plan, { from }: Pick<CapacityBounds, 'from'>): void {
  const trace = plan.workload.scenarios.find(({ arrival }) => arrival.trace !== null);
  if (trace !== undefined) {
    throw new WeighbridgeError({
      code: 'capacity_of_a_trace',
      message: `--find-capacity raises rates, but the scenario ${trace.name} replays a trace with fixed start times.`,
      hint: 'Give the scenario a rate, or remove it from the configuration.',
    });
  }
  const short = tooFewPlanned(stepPlan(plan, { instance: 'step1', scale: from }));
  if (short.length === 0) return;
  const factor = Math.max(...short.map((each) => each.factor));
  const measured = measuredMs(plan);
  const step = Math.ceil((plan.workload.duration_ms - measured + measured * factor) / 1000);
  throw new WeighbridgeError({
    code: 'capacity_too_few_calls',
    message: `A step of --find-capacity has too few calls to judge its objectives: ${short.map(({ why }) => why).join('; ')}.`,
    hint: `Give --step ${step}s, or give --from ${Math.ceil(from * factor * 100) / 100}. Nothing was charged.`,
  });
}
