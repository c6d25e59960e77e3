/** What an account statement of the gateway says of the audited period. Amounts are USD decimal strings. */
export interface Statement {
  readonly opening: string;
  readonly top_ups: readonly TopUp[];
  readonly closing: string;
}

export interface TopUp {
  readonly amount: string;
  /** Of its receipt, where the statement names one. */
  readonly request_id: string | null;
}

/**
 * opening + top_ups − settled + refunds − holds − others = due; closing − due = unexplained. Amounts are USD; null where
 * an amount that it rests on cannot be read.
 */
export interface StatementBridge {
  readonly opening: string;
  readonly top_ups: string;
  /** Charges of the period before what was given back of them. */
  readonly settled: string | null;
  /** What was given back of settled charges. */
  readonly refunds: string | null;
  /** Reserves that are still held. */
  readonly holds: string | null;
  /** Charged to this key for calls that are not ours. */
  readonly others: string | null;
  readonly due: string | null;
  readonly closing: string;
  readonly unexplained: string | null;
  readonly receipts: readonly TopUp[];
}
