import { z } from 'zod';
import { amount } from './scalars.ts';
import type { Shape } from './shape.ts';

/** What an account statement of the gateway says of the audited period. Amounts are USD decimal strings. */
export interface Statement {
  readonly opening: string;
  readonly top_ups: readonly TopUp[];
  /** What was taken off top-ups, or beside calls. */
  readonly fees: readonly string[];
  readonly closing: string;
}

const topUp = z.strictObject({
  amount,
  /** Of its receipt, where the statement names one. */
  request_id: z.string().nullable(),
});
export type TopUp = Shape<typeof topUp>;

/**
 * opening + top_ups − fees − settled + refunds − holds − others = due; closing − due = unexplained. Amounts are USD; null where
 * an amount that it rests on cannot be read.
 */
export const statementSchema = z.strictObject({
  opening: amount,
  top_ups: amount,
  /** Absent where the statement tells none. */
  fees: amount.exactOptional(),
  /** Charges of the period before what was given back of them. */
  settled: amount.nullable(),
  /** What was given back of settled charges. */
  refunds: amount.nullable(),
  /** Reserves that are still held. */
  holds: amount.nullable(),
  /** Charged to this key for calls that are not ours. */
  others: amount.nullable(),
  due: amount.nullable(),
  closing: amount,
  unexplained: amount.nullable(),
  receipts: z.array(topUp),
});
export type StatementBridge = Shape<typeof statementSchema>;
