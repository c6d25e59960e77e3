import { z } from 'zod';
import { FAULT_CLASSES } from './fault-class.ts';
import { amount, ratio, wholeCount } from './scalars.ts';
import type { Shape } from './shape.ts';
import { LEAF_FIGURES, READ_HAZARDS } from './usage-lines.ts';

/** What an audit without a ledger says of a charge that its record does not tell enough of. */
export const WITHOUT_A_LOG = "can't be checked without a log of your calls";

export const EXERCISED_KINDS = ['price', 'tier_edge', 'tie', 'cache', 'format_outcome', 'refund'] as const;

/**
 * By what a point is read: the user's word, the price book, our own calls, records that tell, the totals, the usual sense
 * of a word, or nothing.
 */
const READING_BASES = ['declared', 'book', 'calls', 'records', 'totals', 'word', 'assumed'] as const;

const coverageSetting = z.strictObject({
  name: z.string(),
  value: z.string(),
  evidence: z.string(),
  /** Null for what is no reading of the gateway's books, and in results of earlier versions. */
  basis: z.enum(READING_BASES).nullable().default(null),
  /** Lawful readings that remain beside `value`; empty: none, or none that the auditor would read otherwise. */
  also: z.array(z.string()).default([]),
  /** `record:ID` or `call:ID` that shows it; null where none does by itself. */
  example: z.string().nullable().default(null),
  /** USD by which another reading would move what is expected; null where it was not computed. */
  changes: amount.nullable().default(null),
});
export type CoverageSetting = Shape<typeof coverageSetting>;

/** One point as it is shown; what is left out is empty. */
export function shownSetting(
  parts: Pick<CoverageSetting, 'name' | 'value' | 'evidence'> & Partial<CoverageSetting>,
): CoverageSetting {
  return { basis: null, also: [], example: null, changes: null, ...parts };
}

const notCheckable = z.strictObject({
  why: z.string(),
  /** Of the charged USD. */
  share: ratio,
  calls: wholeCount,
});
export type NotCheckable = Shape<typeof notCheckable>;

/** USD of one kind of purchase. */
const recordCoverage = z.strictObject({
  kind: z.enum(['text', 'image', 'video']),
  charged: amount,
  /** To the digit or within bounds. */
  checked: amount,
  /** What can't be checked without a log of the calls. */
  untold: amount,
});
export type RecordCoverage = Shape<typeof recordCoverage>;

const exercisedLine = z.strictObject({
  kind: z.enum(EXERCISED_KINDS),
  line: z.string(),
  model: z.string().nullable(),
  /** Calls that went over it; 0: never. */
  seen: wholeCount,
});
export type ExercisedLine = Shape<typeof exercisedLine>;

const classCoverage = z.strictObject({
  class: z.enum(FAULT_CLASSES),
  /** Rows on which the fault would have shown. */
  checked: wholeCount,
  found: wholeCount,
  /** Where none was found: the error rate is below this at 95 % (3 over `checked`); null where nothing was checked. */
  below: z.number().nullable(),
});
export type ClassCoverage = Shape<typeof classCoverage>;

/** Shares of the charged USD, as decimal fractions that sum to 1; null where nothing was charged. */
export const coverageSchema = z.strictObject({
  to_the_digit: ratio.nullable(),
  within_bounds: ratio.nullable(),
  not_checkable: ratio.nullable(),
  provisional: ratio.nullable(),
  /** Charges above $0 that equal the price list to the digit, of all; null in results of earlier versions. */
  charges: z.strictObject({ matched: wholeCount, of: wholeCount }).nullable().default(null),
  /** How each price was known: published by the target, declared by the user, inferred from records. */
  prices: z.strictObject({ published: wholeCount, declared: wholeCount, inferred: wholeCount }),
  /** Each point where the interface is silent: the setting used, and why. */
  settings: z.array(coverageSetting),
  /** Of `to_the_digit`: what the client's own evidence carries, and what only the record's tokens at the book's price. */
  basis: z
    .strictObject({ client: ratio.nullable(), record: ratio.nullable() })
    .default({ client: null, record: null }),
  /** The part of `within_bounds` that equals prices or a rounding inferred from the same records: never exact. */
  consistent: ratio.nullable().default(null),
  not_checkable_why: z.array(notCheckable).default([]),
  /** The part of `not_checkable` that no usage record can decide, whatever is read. */
  untold: ratio.nullable().default(null),
  /** An audit without a ledger, by what was bought; empty for any other. */
  of_records: z.array(recordCoverage).default([]),
  /** When the last provisional finding becomes final; null where none is provisional. */
  provisional_until: z.string().nullable().default(null),
  /** Price lines, tier edges, ties, cache kinds, formats and refund paths: how often each was seen. */
  exercised: z.array(exercisedLine).default([]),
  /** Per class: rows on which it could have shown, and what 0 of n means. */
  classes: z.array(classCoverage).default([]),
});
export type CoverageResult = Shape<typeof coverageSchema>;

const completenessLeaf = z.strictObject({
  start: z.number(),
  end: z.number(),
  model: z.string().nullable(),
  figure: z.enum(LEAF_FIGURES),
  totals: z.string().nullable(),
  records: z.string().nullable(),
  stable: z.boolean(),
});

export const completenessSchema = z.strictObject({
  complete: z.boolean(),
  pages: wholeCount,
  records: wholeCount,
  totals_records: wholeCount.nullable(),
  reads: wholeCount,
  last_read_at: z.string().nullable(),
  open_calls: wholeCount,
  reasons: z.array(z.string()),
  /** Two walks over every part of the period served the same, and the totals count it: nothing is missing from it. */
  proved: z.boolean().default(false),
  leaves: z.array(completenessLeaf).default([]),
  /** The ten hazards of reading usage, and which of them this read met. */
  hazards: z
    .array(z.strictObject({ hazard: z.enum(READ_HAZARDS), met: z.boolean(), reads: z.array(z.string()) }))
    .default([]),
});
export type CompletenessResult = Shape<typeof completenessSchema>;
