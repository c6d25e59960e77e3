import type { Arrival, Workload } from '../contracts/plan.ts';
import { largestSize } from './seeded-order.ts';

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

/** A limit on requests that is below what the plan starts, both per second. */
export interface RpsShortfall {
  readonly rps: number;
  readonly planned: number;
}

/**
 * Where `http.rps` is below the planned peak, so that starts wait for it. Turns of a session count, of a random process the
 * mean and of a trace the mean over the duration; polls, downloads and retries, which the limit counts, come on top. Null
 * where there is no limit or it leaves room.
 */
export function rpsShortfall({ http, scenarios, duration_ms }: Workload): RpsShortfall | null {
  if (http.rps === null) return null;
  const traced = scenarios.reduce((sum, { arrival }) => sum + (arrival.trace?.calls ?? 0), 0);
  const arrivals = scenarios.map(({ arrival, text }) => {
    const turns = largestSize(text?.session?.turns ?? 1);
    const stages = arrival.stages.map((stage) => ({
      ...stage,
      from_millirate: stage.from_millirate * turns,
      to_millirate: stage.to_millirate * turns,
    }));
    return { ...arrival, stages };
  });
  const planned = peakMillirate(arrivals) / 1000 + (duration_ms > 0 ? (traced * 1000) / duration_ms : 0);
  return planned > http.rps ? { rps: http.rps, planned: Math.round(planned * 1000) / 1000 } : null;
}
