import { z } from 'zod';
import { FREE_KINDS, PAID_KINDS } from '../core/call-kind.ts';
import type { Shape } from './shape.ts';

/** One line of `<state>/<target>/suspense.ndjson`: a charge that was still open when its run was judged. */
export const SUSPENSE_SCHEMA = 'weighbridge.suspense/1';

const SUSPENSE_STATES = ['open', 'overdue', 'cleared'] as const;

const text = z.string().nullable();

export const suspenseItem = z.looseObject({
  schema: z.literal(SUSPENSE_SCHEMA),
  /** `call:<call id>` or `record:<request id>:<record id>`. */
  id: z.string(),
  request_id: text,
  kind: z.enum([...PAID_KINDS, ...FREE_KINDS]).nullable(),
  model: text,
  /** Least and most that it can come to, USD; null where no bound is known. */
  amount_lo: text,
  amount_hi: text,
  /** When its call was sent, or its record is dated, RFC 3339 UTC; null where neither is known. */
  since: text,
  deadline_at: text,
  first_run: z.string(),
  /** When that run last read, RFC 3339 UTC. */
  first_seen: text,
  last_run: z.string(),
  /** `overdue`: its deadline has passed and it is still open. */
  state: z.enum(SUSPENSE_STATES),
  /** What ended it: `record:<id>`, `finding:<id>` or `no_record_due`; null while it is open. */
  cleared_by: text,
});
export type SuspenseItem = Shape<typeof suspenseItem>;
