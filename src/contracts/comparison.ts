import type { PaidKind } from '../core/call-kind.ts';

/** What two runs are compared by: times in ms, shares from 0 to 1, USD. */
export const COMPARED_MEASURES = [
  'ttft_p50',
  'ttft_p95',
  'ttft_p99',
  'tpot_p50',
  'tpot_p95',
  'e2e_p50',
  'e2e_p95',
  'e2e_p99',
  'e2e_planned_p50',
  'e2e_planned_p95',
  'e2e_planned_p99',
  'error_share',
  'bad_share',
  'usd_per_1000_good',
] as const;
export type ComparedMeasure = (typeof COMPARED_MEASURES)[number];

/** One measure of one kind in two runs. Of every measure less is better. */
export interface ComparedFigure {
  readonly kind: PaidKind;
  readonly measure: ComparedMeasure;
  readonly before: number;
  readonly after: number;
  /** Change over `before`; null where that is 0. */
  readonly change: number | null;
  /** 99 % interval of `after` − `before`; null where there are too few calls to give one. */
  readonly low: number | null;
  readonly high: number | null;
  /** `worse`, `better`: the interval leaves 0 out. `same`: no difference is shown. */
  readonly verdict: 'worse' | 'better' | 'same' | 'too_few_calls';
}

/** `--max-regression`: by how much a measure may be worse than in the baseline. */
export interface RegressionLimit {
  /** Null for every kind. */
  readonly kind: PaidKind | null;
  readonly measure: ComparedMeasure;
  /** Share of the baseline's figure. */
  readonly most: number;
}

/** The run against the one that it may not be worse than. */
export interface BaselineResult {
  readonly run_id: string;
  readonly limits: readonly RegressionLimit[];
  /** Of the limits' measures. */
  readonly figures: readonly ComparedFigure[];
  /** Why times are not judged; empty where they are. */
  readonly unsound: readonly string[];
}
