/** Lines of usage/{pages,records,totals}.ndjson: what was read from the target, as served. */
export const READ_SCHEMA = 'weighbridge.usage-read/1';
export const USAGE_RECORD_SCHEMA = 'weighbridge.usage-record/1';
export const USAGE_TOTALS_SCHEMA = 'weighbridge.usage-totals/1';

/** Unix seconds, half-open: `start` inside, `end` outside (interface §4). */
export interface UsageWindow {
  readonly start: number;
  readonly end: number;
}

/**
 * One line of usage/pages.ndjson: one HTTP read, or the end of a sweep.
 * A sweep reads all records and the totals of the period once; the reconciler judges by the last complete one.
 */
export interface ReadLine {
  readonly schema: typeof READ_SCHEMA;
  readonly read: 'records' | 'totals' | 'book' | 'models' | 'account' | 'request' | 'sweep_end';
  readonly read_at: string;
  readonly sweep: number;
  readonly window: UsageWindow | null;
  /** The `request_id` filter of a `request` read. */
  readonly request_id: string | null;
  readonly cursor: string | null;
  readonly next_cursor: string | null;
  readonly has_more: boolean | null;
  readonly count: number | null;
  readonly status: number | null;
  /** Of the body as served; for a book also its file name under books/. */
  readonly sha256: string | null;
  /** For sweep_end: every window was read to its last page and no hazard was met. */
  readonly complete: boolean | null;
  readonly reasons: readonly string[];
}

export interface UsageRecordLine {
  readonly schema: typeof USAGE_RECORD_SCHEMA;
  readonly read_at: string;
  readonly sweep: number;
  /** True when it came from a `request_id` read outside a sweep. */
  readonly by_request_id: boolean;
  /** The record as served; validated where it is judged. */
  readonly record: unknown;
}

export interface UsageTotalsLine {
  readonly schema: typeof USAGE_TOTALS_SCHEMA;
  readonly read_at: string;
  readonly sweep: number;
  readonly window: UsageWindow;
  readonly totals: unknown;
}
