import { z } from 'zod';
import { amount, wholeCount } from './scalars.ts';
import type { Shape } from './shape.ts';

/** At least what calls of the same kind were seen to get; at most what any cache can hold. */
const countSpan = z.strictObject({ lo: wholeCount, hi: wholeCount });
const amountSpan = z.strictObject({ lo: amount, hi: amount });

const cacheWrites = z.strictObject({ calls: wholeCount, tokens: wholeCount, amount });

/** Figures of the prompt cache over some calls; amounts are USD by the price book. */
const cacheFigures = z.strictObject({
  /** Calls whose answer told tokens read from the cache. */
  hits: wholeCount,
  /** Calls that were owed a hit, or a longer one, and did not get it. */
  missed: countSpan,
  /** Tokens that were owed as cached and charged as new. */
  lost_tokens: countSpan,
  /** What the missed hits would have taken off the charges. */
  lost: amountSpan,
  /** What the hits that came took off. */
  saved: amount,
  /** Of `lost.lo`: beginnings that were held and charged as written again. */
  rewritten: cacheWrites,
  /** Writes of more tokens than the prompt has, or of a prompt below the declared least. No part of `lost`. */
  invented: cacheWrites,
});
export type CacheFigures = Shape<typeof cacheFigures>;

const learntTerm = z
  .strictObject({
    value: z.number().nullable(),
    /** Declared in the configuration, learnt from calls that hit, or assumed because no call did. */
    basis: z.enum(['declared', 'learnt', 'assumed']),
  })
  .meta({ id: 'learnt_term' });

const modelCache = z.strictObject({
  model: z.string(),
  /** The longest time after which a prompt still hit. */
  lifetime_s: learntTerm,
  /** The shortest beginning that hit. */
  least_tokens: learntTerm,
  /** What all hits are whole multiples of. */
  block_tokens: learntTerm,
  ...cacheFigures.shape,
});
export type ModelCache = Shape<typeof modelCache>;

/** By the hour in which calls were sent, UTC. */
const hourCache = z.strictObject({ hour: z.string(), model: z.string(), ...cacheFigures.shape });
export type HourCache = Shape<typeof hourCache>;

/** What a prompt cache owed the calls, and what of it came. */
export const cacheSchema = z.strictObject({
  /** Charged text calls whose prompts can be told apart, and those whose cannot. */
  calls: wholeCount,
  untold: wholeCount,
  ...cacheFigures.shape,
  by_model: z.array(modelCache),
  by_hour: z.array(hourCache),
});
export type CacheResult = Shape<typeof cacheSchema>;
