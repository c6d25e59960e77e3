import type { ResolvedTraffic } from '../config/resolved-config.ts';
import type { Arrival, ArrivalStage } from '../core/plan.ts';

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

/** Highest rate of all scenarios together, starts per 1,000 s: it is reached where one of the stages meets the next. */
export function peakMillirate(arrivals: readonly Arrival[]): number {
  const moments = new Set<number>([0]);
  for (const arrival of arrivals) {
    let end = 0;
    for (const stage of arrival.stages) {
      end += stage.duration_ms;
      moments.add(end);
    }
  }
  const sums = [...moments].flatMap((moment) =>
    (['before', 'after'] as const).map((side) =>
      arrivals.reduce((sum, arrival) => sum + rateAt(arrival, moment, side), 0),
    ),
  );
  // Sums of interpolated rates carry an error in the last bits; a millionth of a millirate is below any meaning.
  return Math.round(Math.max(0, ...sums) * 1e6) / 1e6;
}

function rateAt(arrival: Arrival, moment: number, side: 'before' | 'after'): number {
  let start = 0;
  for (const stage of arrival.stages) {
    const end = start + stage.duration_ms;
    const inside = side === 'before' ? moment > start && moment <= end : moment >= start && moment < end;
    if (inside) {
      const share = (moment - start) / stage.duration_ms;
      return stage.from_millirate + (stage.to_millirate - stage.from_millirate) * share;
    }
    start = end;
  }
  return 0;
}
