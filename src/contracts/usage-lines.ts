/** Lines of usage/{pages,records,totals}.ndjson: what was read from the target, as served. */
export const READ_SCHEMA = 'weighbridge.usage-read/1';
export const USAGE_RECORD_SCHEMA = 'weighbridge.usage-record/1';
export const USAGE_TOTALS_SCHEMA = 'weighbridge.usage-totals/1';

/** Unix seconds, half-open: `start` inside, `end` outside (interface §4). */
export interface UsageWindow {
  readonly start: number;
  readonly end: number;
}

/** What a read of usage is for: the sweep itself, a proof or a probe of it, or one request id. */
export const READ_PURPOSES = ['sweep', 'seam', 'edge', 'filter', 'bisect', 'single'] as const;
export type ReadPurpose = (typeof READ_PURPOSES)[number];

/** What an answer shows that the interface rules out, or that a reader must not pass over. */
export const READ_ODDITIES = [
  'cursor_repeated',
  'cursor_missing',
  'cursor_too_long',
  'empty_page_with_more',
  'page_repeated',
  'page_limit',
  'promised_nothing',
  'records_repeated',
  'outside_window',
  'edge_record_lost',
  'seam_differs',
  'stray_model',
  'stray_request_id',
  'window_differs',
] as const;
export type ReadOddityKind = (typeof READ_ODDITIES)[number];

export interface ReadOddity {
  readonly kind: ReadOddityKind;
  /** How many records or cursors show it. */
  readonly count: number;
  /** One of them in words. */
  readonly text: string;
}

/**
 * The ways in which a read of usage can go wrong without an error: an end that moves between pages; a period wider than
 * a window; records that come behind the cursor; ties at a page's edge; records that change while they are read;
 * filters lost with a cursor; pages without end; rate limits; an unknown page size; days that are not UTC days.
 */
export const READ_HAZARDS = [
  'moving_end',
  'long_window',
  'insert_behind_cursor',
  'edge_ties',
  'moving_records',
  'lost_filter',
  'endless_pages',
  'rate_limit',
  'page_size',
  'local_days',
] as const;
export type ReadHazard = (typeof READ_HAZARDS)[number];

/** One hazard of a sweep. Its rule was kept in any case; `met` tells that it showed itself. */
export interface HazardSeen {
  readonly hazard: ReadHazard;
  readonly met: boolean;
  /** Ids of the answers that show it, at most 10. */
  readonly reads: readonly string[];
}

export const LEAF_FIGURES = ['records', 'settled', 'pending', 'refunded'] as const;
export type LeafFigure = (typeof LEAF_FIGURES)[number];

/** A part of the period whose totals were compared with the records that the sweep served for it. */
export interface ReadLeaf {
  readonly start: number;
  readonly end: number;
  /** Null: all models. */
  readonly model: string | null;
  readonly figure: LeafFigure;
  /** By the totals of this part and by the sweep's records in it: counts, or USD decimals. Null where unreadable. */
  readonly totals: string | null;
  readonly records: string | null;
  /** What a read of this part alone served; null where none was made. */
  readonly served: string | null;
  /** Pages of another size served other records for it, though nothing else changed. */
  readonly by_page_size: boolean;
  /** Two reads agreed: of the records by their content, of a disagreement by both its sides. */
  readonly stable: boolean;
  /** Ids of the answers it rests on. */
  readonly reads: readonly string[];
}

/** Figures of an account read, in the account's own units, which are no USD (interface §2). */
export interface AccountFigures {
  readonly quota: number;
  readonly used_quota: number;
  readonly request_count: number;
}

/** What the archive of the target held: read earlier, by another command, and no part of any sweep. */
export const ARCHIVED_READS = ['archived_book', 'archived_records'] as const;

/**
 * One line of usage/pages.ndjson: one HTTP read, the end of a sweep, or what was taken up from the archive.
 * A sweep reads all records and the totals of the period once; the reconciler judges by the last complete one.
 */
export interface ReadLine {
  readonly schema: typeof READ_SCHEMA;
  readonly read:
    | 'records'
    | 'totals'
    | 'book'
    | 'models'
    | 'account'
    | 'request'
    | 'sweep_end'
    | (typeof ARCHIVED_READS)[number];
  readonly read_at: string;
  readonly sweep: number;
  readonly window: UsageWindow | null;
  /** The `request_id` filter of a `request` read. */
  readonly request_id: string | null;
  /** Of more than 256 characters their hash, as `sha256:…`. */
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
  /** The id that the answer itself carries. */
  readonly answer_request_id: string | null;
  /** As the page or the totals tell it. */
  readonly currency: string | null;
  /** Which walk of the sweep, from 1 over all its windows; null outside its walks. */
  readonly pass: number | null;
  readonly purpose: ReadPurpose | null;
  /** The `model` filter. */
  readonly model: string | null;
  /** Whose key read it; null where there is one key only. */
  readonly key_fp: string | null;
  /** Ordinal of the page in its walk, from 1, and the seconds of its newest and oldest record. */
  readonly page: number | null;
  readonly newest: number | null;
  readonly oldest: number | null;
  readonly oddities: readonly ReadOddity[];
  readonly account: AccountFigures | null;
  /** For sweep_end: the passes whose records count, one a window. Null in older folders, whose records have no pass. */
  readonly judged_passes: readonly number[] | null;
  readonly hazards: readonly HazardSeen[] | null;
  readonly leaves: readonly ReadLeaf[] | null;
}

/** What lines of older versions lack. */
export const READ_DEFAULTS = {
  answer_request_id: null,
  currency: null,
  pass: null,
  purpose: null,
  model: null,
  key_fp: null,
  page: null,
  newest: null,
  oldest: null,
  oddities: [],
  account: null,
  judged_passes: null,
  hazards: null,
  leaves: null,
} as const satisfies Partial<ReadLine>;

export interface UsageRecordLine {
  readonly schema: typeof USAGE_RECORD_SCHEMA;
  readonly read_at: string;
  readonly sweep: number;
  /** True when it came from outside a sweep: from a `request_id` read, or from the archive. */
  readonly by_request_id: boolean;
  /** The walk that served it, and the page of that walk; null outside sweeps and in folders of older versions. */
  readonly pass: number | null;
  readonly read: number | null;
  readonly key_fp: string | null;
  /** Of its page. */
  readonly currency: string | null;
  /** The record as served; validated where it is judged. */
  readonly record: unknown;
}

export const RECORD_DEFAULTS = {
  pass: null,
  read: null,
  key_fp: null,
  currency: null,
} as const satisfies Partial<UsageRecordLine>;

export interface UsageTotalsLine {
  readonly schema: typeof USAGE_TOTALS_SCHEMA;
  readonly read_at: string;
  readonly sweep: number;
  readonly window: UsageWindow;
  readonly totals: unknown;
  readonly key_fp: string | null;
  readonly answer_request_id: string | null;
}

export const TOTALS_DEFAULTS = {
  key_fp: null,
  answer_request_id: null,
} as const satisfies Partial<UsageTotalsLine>;
