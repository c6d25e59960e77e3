import type { ResolvedTraffic } from '../config/resolved-config.ts';
import type { Arrival, ArrivalStage } from '../contracts/plan.ts';

type Pace = Pick<
  ResolvedTraffic,
  'millirate' | 'stages' | 'process' | 'burstiness' | 'concurrency' | 'max_calls'
>;

/** The stages of a scenario over the plan's duration: cut where they are longer, held at the last rate where shorter. */
export function buildArrival(traffic: Pace, durationMs: number): Arrival {
  const { process, burstiness, concurrency, max_calls } = traffic;
  const stages: ArrivalStage[] = [];
  let rate = traffic.millirate;
  let left = durationMs;
  for (const stage of traffic.stages) {
    if (left <= 0) break;
    const duration = Math.min(left, stage.duration_ms);
    // A ramp that is cut ends at the whole millirate nearest to where it got.
    const reached = rate + Math.round(((stage.millirate - rate) * duration) / stage.duration_ms);
    stages.push({ duration_ms: duration, from_millirate: rate, to_millirate: reached });
    rate = reached;
    left -= duration;
  }
  if (left > 0) stages.push({ duration_ms: left, from_millirate: rate, to_millirate: rate });
  return { stages, max_calls, process, burstiness, concurrency, trace: null };
}
