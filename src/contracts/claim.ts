import type { FaultClass } from './fault-class.ts';

/** One line of `<state>/<target>/claims.ndjson`: what became of a claim. Lines are only ever added. */
export const CLAIM_SCHEMA = 'weighbridge.claim/1';

export const CLAIM_STATES = ['open', 'sent', 'credited', 'refused'] as const;
export type ClaimState = (typeof CLAIM_STATES)[number];

/**
 * `charge`: what a request was charged, or still has held, beyond what is due. `refund`: what did not come back of a reserve;
 * only in claims of earlier versions.
 */
export const CLAIM_PARTS = ['charge', 'refund'] as const;
type ClaimPart = (typeof CLAIM_PARTS)[number];

export interface ClaimedRecord {
  readonly request_id: string;
  readonly id: string;
}

/** What one request was charged too much, or has held. Amounts are USD decimal strings. */
export interface Claim {
  /** From the part and the request (or its records where it has no id): the same in every audit that sees it. */
  readonly id: string;
  readonly part: ClaimPart;
  readonly class: FaultClass;
  /** The finding that it rests on. */
  readonly finding: string;
  readonly request_id: string | null;
  /** Its records when it was claimed; an id alone may collide between requests. */
  readonly records: readonly ClaimedRecord[];
  readonly model: string | null;
  readonly amount: string;
  /** The part of the amount that is still held as a reserve, and not charged. */
  readonly held: string;
  /** True where the amount is asked back; false where an explanation is, because a term that it rests on is told by nobody. */
  readonly demanded: boolean;
  /**
   * What the records of the request took of the credit when it was claimed (for a refund: what they had charged or given back
   * of the reserve). A later read that shows less (more) shows a credit. Null where it cannot be told.
   */
  readonly standing: string | null;
}

export interface ClaimEvent {
  readonly schema: typeof CLAIM_SCHEMA;
  /** RFC 3339 UTC. */
  readonly at: string;
  readonly claim: string;
  readonly state: ClaimState;
  /** `bundle`: written into one; `user`: said by command; `records`: seen in later records. */
  readonly by: 'bundle' | 'user' | 'records';
  /** What came back, USD; null where it is not a credit, or a user did not say (then all of it). */
  readonly credited: string | null;
  /** The bundle that it was written into; null in later lines. */
  readonly bundle: string | null;
  /** The audit that it was claimed by, or seen as credited by; null where a user said it. */
  readonly run_id: string | null;
  /** When that audit last read, RFC 3339 UTC. */
  readonly read_at: string | null;
  /** In the first line of a claim. */
  readonly opened: Claim | null;
}
