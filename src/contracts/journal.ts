/** Lines of the embedded gateway's `--journal` file: what it really received, sent and did wrong on purpose. */
export const JOURNAL_SCHEMA = 'weighbridge.journal/1';

/** One per paid call received, written when the call ends. */
export interface JournalCall {
  readonly schema: typeof JOURNAL_SCHEMA;
  readonly type: 'call';
  readonly request_id: string;
  /** The marker found in the prompt, or null. */
  readonly marker: string | null;
  readonly key_fp: string | null;
  readonly endpoint: string;
  readonly received_at: string;
  readonly first_token_ms: number | null;
  readonly end_ms: number;
  readonly events: number;
  /** What the gateway's ledger charges for this call, USD. */
  readonly amount: string;
  /** Largest lateness of the gateway's own events, ms. */
  readonly lateness_ms: number;
  /** These four are missing in older journals. The model asked for. */
  readonly model?: string;
  /** Null: the gateway stopped before the call had ended. */
  readonly result?: 'completed' | 'failed' | 'incomplete' | 'cancelled' | 'unknown' | null;
  /** Tokens that went in, and those that had come out when it ended. */
  readonly input_tokens?: number;
  readonly output_tokens?: number;
}

/** One per fired fault: the truth against which an audit is graded. */
export interface JournalFault {
  readonly schema: typeof JOURNAL_SCHEMA;
  readonly type: 'fault';
  readonly fault: string;
  readonly request_id: string;
  readonly ordinal: number;
  readonly parameters: Readonly<Record<string, string | number | boolean>>;
  /** Effect on the charge, USD, signed: positive when the customer pays too much. */
  readonly delta: string;
}

export type JournalLine = JournalCall | JournalFault;
