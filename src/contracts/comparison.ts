import { z } from 'zod';
import { PAID_KINDS } from '../core/call-kind.ts';
import type { Shape } from './shape.ts';

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

const kind = z.enum(PAID_KINDS);
const measure = z.enum(COMPARED_MEASURES);

/** One measure of one kind in two runs. Of every measure less is better. */
const comparedFigure = z.strictObject({
  kind,
  measure,
  before: z.number(),
  after: z.number(),
  /** Change over `before`; null where that is 0. */
  change: z.number().nullable(),
  /** 99 % interval of `after` − `before`; null where there are too few calls to give one. */
  low: z.number().nullable(),
  high: z.number().nullable(),
  /** `worse`, `better`: the interval leaves 0 out. `same`: no difference is shown. */
  verdict: z.enum(['worse', 'better', 'same', 'too_few_calls']),
});
export type ComparedFigure = Shape<typeof comparedFigure>;

/** `--max-regression`: by how much a measure may be worse than in the baseline. */
const regressionLimit = z.strictObject({
  /** Null for every kind. */
  kind: kind.nullable(),
  measure,
  /** Share of the baseline's figure. */
  most: z.number(),
});
export type RegressionLimit = Shape<typeof regressionLimit>;

/** The run against the one that it may not be worse than. */
export const baselineSchema = z.strictObject({
  run_id: z.string(),
  limits: z.array(regressionLimit),
  /** Of the limits' measures. */
  figures: z.array(comparedFigure),
  /** Why times are not judged; empty where they are. */
  unsound: z.array(z.string()),
});
export type BaselineResult = Shape<typeof baselineSchema>;
