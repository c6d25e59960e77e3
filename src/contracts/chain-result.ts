import { z } from 'zod';
import { amount, wholeCount } from './scalars.ts';
import type { Shape } from './shape.ts';
import { UPSTREAM_KINDS } from './upstream-call.ts';
import { warrantSchema } from './warrant.ts';

/** How a sale and a purchase were brought together: by the marker of the prompt, by an id, by model, tokens and time, by the model and
 * time of a sum. */
export const LINK_WAYS = ['marker', 'id', 'fingerprint', 'sum'] as const;
export type LinkWay = (typeof LINK_WAYS)[number];

/**
 * What is wrong between the books: bought and sold to nobody; sold more often than it was bought; another model bought
 * than was sold.
 */
export const CHAIN_CLASSES = ['unbilled', 'doubly_billed', 'model_swapped'] as const;
export type ChainClass = (typeof CHAIN_CLASSES)[number];

/**
 * Why a purchase stands alone: nobody paid though somebody had to; the record may still come or settle; the records were
 * not read whole; the call failed for the customer; its record may be dated outside the period; no call or record of these books
 * is its own; it is no call: a tax, a fee.
 */
export const ALONE_REASONS = [
  'unbilled',
  'waiting',
  'not_read',
  'let_off',
  'edge',
  'strange',
  'no_call',
] as const;
export type AloneReason = (typeof ALONE_REASONS)[number];

/** revenue − cost = margin + sold_alone − bought_alone, to the digit. */
const sums = {
  sales: wholeCount,
  purchases: wholeCount,
  revenue: amount,
  cost: amount,
  /** Revenue less cost of what has both. */
  margin: amount,
  /** Revenue without a purchase. */
  sold_alone: amount,
  /** Cost without a record of a sale. */
  bought_alone: amount,
  /** Part of `bought_alone`. */
  unbilled: amount,
  /** Part of the revenue. */
  doubly_billed: amount,
  /** Part of the cost: attempts before the last one of a call. */
  retried: amount,
};
const chainSums = z.strictObject(sums).meta({ id: 'chain_sums' });
export type ChainSums = Shape<typeof chainSums>;

/** By the UTC day and the model of the sale; of a purchase alone by its own. */
const chainLine = z.strictObject({ day: z.string().nullable(), model: z.string(), ...sums });
export type ChainLine = Shape<typeof chainLine>;

const counted = z.strictObject({ count: wholeCount, amount });

const chainFinding = z.strictObject({
  id: z.string(),
  class: z.enum(CHAIN_CLASSES),
  severity: z.enum(['S1', 'S2', 'S3', 'S4']),
  confidence: z.enum(['proved', 'strong', 'bounded', 'weak']),
  warrant: warrantSchema,
  gates: z.boolean(),
  day: z.string().nullable(),
  /** The model that was sold, or bought where nothing was sold. */
  model: z.string(),
  bought_model: z.string().nullable(),
  /** USD that hang on it: the cost of what was not billed, the charges beyond the first, the revenue of another model. */
  amount,
  request_id: z.string().nullable(),
  call_id: z.string().nullable(),
  /** Ids of the purchases, or the lines of the file where they have none. */
  upstream: z.array(z.string()),
  why: z.string(),
});
export type ChainFinding = Shape<typeof chainFinding>;

const chainModel = z.strictObject({
  sold: z.string(),
  bought: z.string(),
  calls: wholeCount,
  revenue: amount,
  cost: amount,
});
export type ChainModel = Shape<typeof chainModel>;

/** Customer records, the gateway's calls, the provider's bill: what was sold, bought and kept. Amounts are USD. */
export const chainSchema = z.strictObject({
  upstream: z.strictObject({
    kind: z.enum(UPSTREAM_KINDS),
    mapping: z.string().nullable(),
    whole: z.boolean(),
  }),
  total: chainSums,
  lines: z.array(chainLine),
  links: z.array(z.strictObject({ by: z.enum(LINK_WAYS), sales: wholeCount, purchases: wholeCount })),
  models: z.array(chainModel),
  alone: z.array(z.strictObject({ why: z.enum(ALONE_REASONS), ...counted.shape })),
  /** Further charges for one purchase that a cache of the gateway explains as well. */
  sold_again: counted,
  /** Purchases that no sale explains, dated before or after all of them: in no sum. */
  outside: counted,
  /** Sales and purchases without a known amount: in no sum. */
  unknown: z.strictObject({ sales: wholeCount, purchases: wholeCount }),
  findings: z.array(chainFinding),
});
export type ChainResult = Shape<typeof chainSchema>;
