import { z } from 'zod';
import { amount, wholeCount } from './scalars.ts';
import type { Shape } from './shape.ts';

export const AGING_BUCKETS = ['0-2 min', '2-15 min', '15-60 min', '1-24 h', 'over 24 h'] as const;

/** Records that are not judged by a call of the ledger. */
const trafficSum = z.strictObject({ records: wholeCount, amount: amount.nullable() });
export type TrafficSum = Shape<typeof trafficSum>;

const knownSum = z.strictObject({
  /** `run <id>`, or `the probe`. */
  of: z.string(),
  ...trafficSum.shape,
});

const agingBucket = z.strictObject({
  bucket: z.enum(AGING_BUCKETS),
  calls: wholeCount,
  /** Least and most that they can come to; null where the most is not known. */
  lo: amount,
  hi: amount.nullable(),
});
export type AgingBucket = Shape<typeof agingBucket>;

const suspenseSum = z
  .strictObject({ items: wholeCount, amount: amount.nullable() })
  .meta({ id: 'suspense_sum' });
export type SuspenseSum = Shape<typeof suspenseSum>;

/** opening + added − cleared = closing, in items and in USD (the most that each can come to). */
const suspenseBridge = z.strictObject({
  opening: suspenseSum,
  added: suspenseSum,
  cleared: suspenseSum,
  closing: suspenseSum,
});
export type SuspenseBridge = Shape<typeof suspenseBridge>;

const chargedMoney = z.strictObject({
  calls: wholeCount,
  charged: amount.nullable(),
  expected: amount.nullable(),
  /** What is certainly charged too much, less what is certainly charged too little. */
  difference: amount.nullable(),
  /** charged = expected + difference + open; null in results of earlier versions. */
  open: amount.nullable().default(null),
});
export type ChargedMoney = Shape<typeof chargedMoney>;

const modelMoney = z.strictObject({ model: z.string(), ...chargedMoney.shape });
export type ModelMoney = Shape<typeof modelMoney>;

/** By the UTC day of the record. */
const dayMoney = z.strictObject({ day: z.string(), ...chargedMoney.shape });
export type DayMoney = Shape<typeof dayMoney>;

/** By the fingerprint of the API key; null for what no row names the key of. */
const keyMoney = z.strictObject({ key_fp: z.string().nullable(), ...chargedMoney.shape });
export type KeyMoney = Shape<typeof keyMoney>;

/** By a group of the rows, such as the team; null for rows that name none. */
const groupMoney = z.strictObject({ by: z.string(), group: z.string().nullable(), ...chargedMoney.shape });
export type GroupMoney = Shape<typeof groupMoney>;

const moneyResult = z.strictObject({
  /** Sum of what is due for calls whose right charge is one figure; null where there is none. */
  expected: amount.nullable(),
  charged: amount.nullable(),
  /** The part of `charged` whose expected charge is no one figure. */
  charged_inexact: amount.nullable(),
  refunded: amount.nullable(),
  pending: amount.nullable(),
  /** certain_over − certain_under. To the last digit, charged = expected + difference + open. */
  difference: amount.nullable(),
  /** Σ max(0, charged − highest possible) and Σ max(0, lowest possible − charged). */
  certain_over: amount.nullable(),
  certain_under: amount.nullable(),
  /** What is charged and may be due, where the right charge is no one figure: it can't be told. */
  open: amount.nullable(),
  records: wholeCount,
  /** Records of this key that no call of ours explains, on a shared key: not ours, not judged. */
  foreign: trafficSum,
  /** Records of calls that other runs of ours, or the daemon, made with this key; absent where there are none. */
  known: z.array(knownSum).optional(),
  /** Records without a call, where the ledger lacks rows of its own; absent where there are none. */
  unattributed: trafficSum.optional(),
  /** Calls whose charge is still awaited, by their age at the last read. */
  aging: z.array(agingBucket).default([]),
  /** Open items carried from earlier runs of the same state; null where no state is kept. */
  suspense: suspenseBridge.nullable().default(null),
  by_model: z.array(modelMoney).default([]),
  by_day: z.array(dayMoney).default([]),
  /** Absent where the calls name fewer than two keys. */
  by_key: z.array(keyMoney).optional(),
  /** Absent where no group was asked for with `--by`. */
  by_group: z.array(groupMoney).optional(),
});
export type MoneyResult = Shape<typeof moneyResult>;

/** The money of a result: the reconciler's sums, and whose they are. */
export const moneySchema = z.strictObject({
  ...moneyResult.shape,
  /** Those of `records` that belong to the trial calls made before the load. */
  trial_records: wholeCount,
  /** Charged for attempts that were followed by another one of the same call; null where a charge is not known. */
  retried: amount.nullable(),
});
