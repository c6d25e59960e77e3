import type { PaidKind } from '../core/call-kind.ts';
import { type BillingReadings, UNDECLARED } from './billing-readings.ts';
import type { FaultClass } from './fault-class.ts';
import type { Minimum, Rounding } from './price-book.ts';

/** What the two sides agreed beyond the published book, and how the user reads points where it is silent. */
export interface BillingTerms {
  /** The group of the price book that our key belongs to; null where the book has none or it is not known. */
  readonly group: string | null;
  readonly agreed: readonly AgreedPrice[];
  readonly policy: BillingPolicy;
  readonly readings: BillingReadings;
  /** Which readings and policies `--assume-reading` gave in place of the configuration's. */
  readonly assumed: readonly string[];
  readonly deadlines: BillingDeadlines;
  /** What is known of the target's prompt cache; null where nothing is declared. */
  readonly cache: DeclaredCache | null;
}

/** Null in a field: learnt from the calls. */
export interface DeclaredCache {
  /** How long a prompt that was sent stays in the cache after its last use. */
  readonly lifetime_ms: number | null;
  /** The shortest beginning that is held. */
  readonly least_tokens: number | null;
  /** Beginnings are held in whole blocks of so many tokens. */
  readonly block_tokens: number | null;
  /** The target promised a hit: one that does not come is a finding. */
  readonly promised: boolean;
}

/** A price that holds for us from `from` (inside) until `until` (outside), RFC 3339 UTC; null: without end. */
export interface AgreedPrice {
  readonly name: string;
  /** Model ids; a trailing `*` matches every id that begins so. */
  readonly models: readonly string[];
  readonly endpoints: readonly PaidKind[] | null;
  readonly from: string | null;
  readonly until: string | null;
  /** Over the book's price; a plain decimal. */
  readonly factor: string | null;
  /** USD for 1,000,000 tokens, one image, one second or one request; null leaves the book's prices. */
  readonly prices: AgreedUnitPrices | null;
  readonly rounding: Rounding | null;
  readonly minimum: Minimum | null;
}

interface AgreedUnitPrices {
  readonly input?: string;
  readonly output?: string;
  readonly cache_read?: string;
  readonly cache_write?: string;
  readonly image?: string;
  readonly video_second?: string;
  readonly request?: string;
}

export const POLICY_ANSWERS = ['free', 'charged', 'unsaid'] as const;

/** Whether such an answer may be charged; `unsaid` accuses only outside the interval of what it can cost. */
type PolicyAnswer = (typeof POLICY_ANSWERS)[number];

interface BillingPolicy {
  readonly empty_output: PolicyAnswer;
  readonly server_error: PolicyAnswer;
  /** A stream cut before its end; `charged` means that what was delivered is. */
  readonly aborted: PolicyAnswer;
}

/** Names where a reading or a policy is declared: in the configuration, or by the flag that stands before it. */
export function declaredIn(
  { assumed }: Pick<BillingTerms, 'assumed'>,
  block: 'readings' | 'policy',
  name: string,
): string {
  return assumed.includes(name) ? `--assume-reading ${name}` : `billing.${block}.${name}`;
}

/** Milliseconds after the end of a call before which a finding is provisional. */
export interface BillingDeadlines {
  readonly text_ms: number;
  readonly task_ms: number;
  readonly refund_ms: number;
  /** Where a class has a deadline of its own. */
  readonly by_class: Readonly<Partial<Record<FaultClass, number>>>;
}

export const NO_TERMS: BillingTerms = {
  group: null,
  agreed: [],
  policy: { empty_output: 'unsaid', server_error: 'unsaid', aborted: 'unsaid' },
  readings: UNDECLARED,
  assumed: [],
  deadlines: { text_ms: 15 * 60_000, task_ms: 24 * 3_600_000, refund_ms: 24 * 3_600_000, by_class: {} },
  cache: null,
};
