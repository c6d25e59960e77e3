import type { Progress } from '../../notices/progress.ts';

/** One moment of the load, for the lines over time; null where it was not known. */
export interface Point {
  readonly started_rate: number | null;
  readonly in_flight: number;
  readonly ttft_p95: number | null;
  readonly e2e_p95: number | null;
  readonly failed: number;
}

/** Null while nothing is driven. */
export function pointOf({ stage, load }: Progress): Point | null {
  if ((stage !== 'load' && stage !== 'trial') || load === null) return null;
  const { started_rate, in_flight, ttft, e2e, failed } = load.total;
  return {
    started_rate,
    in_flight,
    ttft_p95: ttft?.p95_ms ?? null,
    e2e_p95: e2e?.p95_ms ?? null,
    failed,
  };
}
