import { z } from 'zod';
import { parseAmount } from '../core/amount.ts';
import { FAULT_CLASSES } from './fault-class.ts';
import type { Shape } from './shape.ts';

/** One line of `<state>/<target>/claims.ndjson`: what became of a claim. Lines are only ever added. */
export const CLAIM_SCHEMA = 'weighbridge.claim/1';

export const CLAIM_STATES = ['open', 'sent', 'credited', 'refused'] as const;
export type ClaimState = (typeof CLAIM_STATES)[number];

/**
 * `charge`: what a request was charged, or still has held, beyond what is due. `refund`: what did not come back of a reserve;
 * only in claims of earlier versions.
 */
const CLAIM_PARTS = ['charge', 'refund'] as const;

const exact = z.string().refine((text) => parseAmount(text) !== null, 'expected a plain decimal');
const text = z.string().nullable();

const claimedRecord = z.object({ request_id: z.string(), id: z.string() });
export type ClaimedRecord = Shape<typeof claimedRecord>;

/** What one request was charged too much, or has held. Amounts are USD decimal strings. */
const claim = z.looseObject({
  /** From the part and the request (or its records where it has no id): the same in every audit that sees it. */
  id: z.string(),
  part: z.enum(CLAIM_PARTS),
  class: z.enum(FAULT_CLASSES),
  /** The finding that it rests on. */
  finding: z.string(),
  request_id: text,
  /** Its records when it was claimed; an id alone may collide between requests. */
  records: z.array(claimedRecord),
  model: text,
  amount: exact,
  /** The part of the amount that is still held as a reserve, and not charged. */
  held: exact,
  // Earlier versions asked every amount back.
  /** True where the amount is asked back; false where an explanation is, because a term that it rests on is told by nobody. */
  demanded: z.boolean().default(true),
  /**
   * What the records of the request took of the credit when it was claimed (for a refund: what they had charged or given back
   * of the reserve). A later read that shows less (more) shows a credit. Null where it cannot be told.
   */
  standing: exact.nullable(),
});
export type Claim = Shape<typeof claim>;

export const claimEvent = z.looseObject({
  schema: z.literal(CLAIM_SCHEMA),
  /** RFC 3339 UTC. */
  at: z.string(),
  claim: z.string(),
  state: z.enum(CLAIM_STATES),
  /** `bundle`: written into one; `user`: said by command; `records`: seen in later records. */
  by: z.enum(['bundle', 'user', 'records']),
  /** What came back, USD; null where it is not a credit, or a user did not say (then all of it). */
  credited: exact.nullable(),
  /** The bundle that it was written into; null in later lines. */
  bundle: text,
  /** The audit that it was claimed by, or seen as credited by; null where a user said it. */
  run_id: text,
  /** When that audit last read, RFC 3339 UTC. */
  read_at: text,
  /** In the first line of a claim. */
  opened: claim.nullable(),
});
export type ClaimEvent = Shape<typeof claimEvent>;
