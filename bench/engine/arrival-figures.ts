import { quantile } from './statistics.ts';

export interface ArrivalFigures {
  readonly arrived: number;
  /** From the first arrival to the last. */
  readonly mean_rate: number | null;
  /** p99 of how far a gap between two arrivals is from the planned one, ms. */
  readonly gap_error_p99_ms: number | null;
  /** p99 of how far an arrival is from its place in an even schedule, the median one being on time, ms. */
  readonly deviation_p99_ms: number | null;
}

/** Judges arrivals (µs, ascending) that were asked for at an even rate per second. */
export function arrivalFigures(arrivalsUs: readonly number[], rate: number): ArrivalFigures {
  const gap = 1000 / rate;
  const at = arrivalsUs.map((us) => us / 1000);
  const errors = at.slice(1).map((ms, index) => Math.abs(ms - (at[index] ?? 0) - gap));
  const lags = at.map((ms, index) => ms - index * gap);
  const centre = quantile(lags, 0.5) ?? 0;
  const span = (at.at(-1) ?? 0) - (at[0] ?? 0);
  return {
    arrived: at.length,
    mean_rate: span > 0 ? ((at.length - 1) * 1000) / span : null,
    gap_error_p99_ms: quantile(errors, 0.99),
    deviation_p99_ms: quantile(
      lags.map((lag) => Math.abs(lag - centre)),
      0.99,
    ),
  };
}
