import { z } from 'zod';
import { wholeCount } from './scalars.ts';
import type { Shape } from './shape.ts';

/** USD, or whole tokens where the bill tells no money. */
const figure = z
  .string()
  .regex(/^-?\d+(\.\d+)?$/)
  .describe('USD as plain decimal, or tokens: as `unit` says');

/** billed = ours + over − under + open, to the last digit. */
const weighedFigures = {
  billed: figure,
  /** The least that the charges of our calls or records come to. */
  ours: figure,
  /** Billed too much for certain, and too little. */
  over: figure,
  under: figure,
  /** Billed beside that: late, rounded, or of charges that nobody knows. */
  open: figure,
};

const verdictCounts = { agrees: wholeCount, over: wholeCount, under: wholeCount, cant_be_told: wholeCount };

const billedModel = z.strictObject({ model: z.string(), ...verdictCounts, ...weighedFigures });
export type BilledModel = Shape<typeof billedModel>;

const billedSpan = z.strictObject({
  model: z.string(),
  /** As the bill names it, in the zone of its days: `2026-10-03`, or `2026-10-03 14:00`. */
  start: z.string(),
  end: z.string(),
  ...weighedFigures,
  /** The most that the charges of ours come to; null where nothing says so. */
  ours_most: figure.nullable(),
  verdict: z.enum(['agrees', 'over', 'under', 'cant_be_told']),
  why: z.string(),
});
export type BilledSpan = Shape<typeof billedSpan>;

/** A bill that tells sums, held against the calls or records of the same time. */
export const bucketBillSchema = z.strictObject({
  unit: z.enum(['USD', 'tokens']),
  /** The mapping that it was read by. */
  mapping: z.string(),
  rows: wholeCount,
  buckets: wholeCount,
  zone: z.strictObject({
    name: z.string(),
    how: z.enum(['declared', 'told', 'inferred', 'several', 'none_fits']),
    /** Further zones by which it may be read; a difference counts only where it holds in all. */
    others: z.array(z.string()),
  }),
  /** To what each amount is rounded, and how; the quantum is null where tokens are counted. */
  quantum: figure.nullable(),
  rounding: z.enum(['nearest', 'down', 'up', 'any']),
  /** By how much charges are late at most, and over how many ends of buckets they pass. */
  late_s: wholeCount,
  late_edges: wholeCount,
  /** Why differences count: the bill is said to be of these calls alone, its sums show it, or nothing does. */
  scope: z.enum(['declared', 'habit', 'untold']),
  /** Buckets that could show a difference, and those that do. */
  telling: wholeCount,
  exceptions: wholeCount,
  ...verdictCounts,
  /** Σ over its rows: billed = ours + over − under + open + unassigned. */
  money: z.strictObject({ ...weighedFigures, unassigned: figure }),
  /** What is billed for no model, or for one that no call names. */
  unassigned: z.array(z.strictObject({ item: z.string(), rows: wholeCount, billed: figure })),
  by_model: z.array(billedModel),
  /** Buckets that do not agree, the largest sums first, 200 at most; bill.csv has all. */
  differing: z.array(billedSpan),
});
export type BucketBillResult = Shape<typeof bucketBillSchema>;
