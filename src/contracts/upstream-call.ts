import { z } from 'zod';
import { amount, wholeCount } from './scalars.ts';
import type { Shape } from './shape.ts';

/** `upstream.ndjson` of a run folder: what the gateway behind the target was asked for, and what that cost. */
export const UPSTREAM_SCHEMA = 'weighbridge.upstream/1';

/**
 * What the file was: the journal of an embedded gateway, usage records, rows of another program, a ledger of ours whose
 * calls a price book prices, a bill that tells sums.
 */
export const UPSTREAM_KINDS = ['journal', 'records', 'rows', 'ledger', 'bill'] as const;

const upstreamHeader = z.looseObject({
  schema: z.literal(UPSTREAM_SCHEMA),
  type: z.literal('header'),
  kind: z.enum(UPSTREAM_KINDS),
  /** Of the rows of another program. */
  mapping: z.string().nullable(),
  /** Declared: each call of the file was sold in the records that are judged. */
  whole: z.boolean(),
  /** Declared: what is bought for a model that is sold under another name. */
  models: z.array(z.strictObject({ sold: z.string(), bought: z.string() })),
});
export type UpstreamHeader = Shape<typeof upstreamHeader>;

const count = wholeCount.nullable();

const upstreamCall = z.looseObject({
  schema: z.literal(UPSTREAM_SCHEMA),
  type: z.literal('call'),
  /** Its own id first: lines that share it are one call. Empty where the file names none. */
  ids: z.array(z.string()),
  /** The marker of its prompt. */
  marker: z.string().nullable(),
  model: z.string(),
  /** RFC 3339 UTC. */
  at: z.string().nullable(),
  /** Of a bill that tells sums: the end, not inside, of the time whose calls the line sums. A line without a model sums no calls. */
  until: z.string().exactOptional(),
  /** What it cost, USD; null where that is not known. */
  cost: amount.nullable(),
  input: count,
  output: count,
  cache_read: count,
  cache_write: count,
});
export type UpstreamCall = Shape<typeof upstreamCall>;

export const upstreamLine = z.discriminatedUnion('type', [upstreamHeader, upstreamCall]);
