import type { CallKind } from '../core/call-kind.ts';

/** One line of `<state>/<target>/suspense.ndjson`: a charge that was still open when its run was judged. */
export const SUSPENSE_SCHEMA = 'weighbridge.suspense/1';

export const SUSPENSE_STATES = ['open', 'overdue', 'cleared'] as const;

export interface SuspenseItem {
  readonly schema: typeof SUSPENSE_SCHEMA;
  /** `call:<call id>` or `record:<request id>:<record id>`. */
  readonly id: string;
  readonly request_id: string | null;
  readonly kind: CallKind | null;
  readonly model: string | null;
  /** Least and most that it can come to, USD; null where no bound is known. */
  readonly amount_lo: string | null;
  readonly amount_hi: string | null;
  /** When its call was sent, or its record is dated, RFC 3339 UTC; null where neither is known. */
  readonly since: string | null;
  readonly deadline_at: string | null;
  readonly first_run: string;
  /** When that run last read, RFC 3339 UTC. */
  readonly first_seen: string | null;
  readonly last_run: string;
  /** `overdue`: its deadline has passed and it is still open. */
  readonly state: (typeof SUSPENSE_STATES)[number];
  /** What ended it: `record:<id>`, `finding:<id>` or `no_record_due`; null while it is open. */
  readonly cleared_by: string | null;
}
