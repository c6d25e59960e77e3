import { z } from 'zod';
import type { Shape } from './shape.ts';

/** Lines of usage/{pages,records,totals}.ndjson: what was read from the target, as served. */
export const READ_SCHEMA = 'weighbridge.usage-read/1';
export const USAGE_RECORD_SCHEMA = 'weighbridge.usage-record/1';
export const USAGE_TOTALS_SCHEMA = 'weighbridge.usage-totals/1';

const text = z.string().nullable();
const number = z.number().nullable();

/** Unix seconds, half-open: `start` inside, `end` outside (interface §4). */
const usageWindow = z.looseObject({ start: z.number(), end: z.number() });
export type UsageWindow = Shape<typeof usageWindow>;

/** What a read of usage is for: the sweep itself, a proof or a probe of it, or one request id. */
const READ_PURPOSES = ['sweep', 'seam', 'edge', 'filter', 'bisect', 'single'] as const;
export type ReadPurpose = (typeof READ_PURPOSES)[number];

/** What an answer shows that the interface rules out, or that a reader must not pass over. */
const READ_ODDITIES = [
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

const readOddity = z.looseObject({
  kind: z.enum(READ_ODDITIES),
  /** How many records or cursors show it. */
  count: z.number(),
  /** One of them in words. */
  text: z.string(),
});
export type ReadOddity = Shape<typeof readOddity>;

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
const hazardSeen = z.looseObject({
  hazard: z.enum(READ_HAZARDS),
  met: z.boolean(),
  /** Ids of the answers that show it, at most 10. */
  reads: z.array(z.string()),
});
export type HazardSeen = Shape<typeof hazardSeen>;

export const LEAF_FIGURES = ['records', 'settled', 'pending', 'refunded'] as const;
export type LeafFigure = (typeof LEAF_FIGURES)[number];

/** A part of the period whose totals were compared with the records that the sweep served for it. */
const readLeaf = z.looseObject({
  start: z.number(),
  end: z.number(),
  /** Null: all models. */
  model: text,
  figure: z.enum(LEAF_FIGURES),
  /** By the totals of this part and by the sweep's records in it: counts, or USD decimals. Null where unreadable. */
  totals: text,
  records: text,
  /** What a read of this part alone served; null where none was made. */
  served: text,
  /** Pages of another size served other records for it, though nothing else changed. */
  by_page_size: z.boolean(),
  /** Two reads agreed: of the records by their content, of a disagreement by both its sides. */
  stable: z.boolean(),
  /** Ids of the answers it rests on. */
  reads: z.array(z.string()),
});
export type ReadLeaf = Shape<typeof readLeaf>;

/** Figures of an account read, in the account's own units, which are no USD (interface §2). */
const accountFigures = z.looseObject({
  quota: z.number(),
  used_quota: z.number(),
  request_count: z.number(),
});
export type AccountFigures = Shape<typeof accountFigures>;

/** What the archive of the target held: read earlier, by another command, and no part of any sweep. */
export const ARCHIVED_READS = ['archived_book', 'archived_records'] as const;

/** What lines of older versions lack. */
const readAdditions = {
  /** The id that the answer itself carries. */
  answer_request_id: text.default(null),
  /** As the page or the totals tell it. */
  currency: text.default(null),
  /** Which walk of the sweep, from 1 over all its windows; null outside its walks. */
  pass: number.default(null),
  purpose: z.enum(READ_PURPOSES).nullable().default(null),
  /** The `model` filter. */
  model: text.default(null),
  /** Whose key read it; null where there is one key only. */
  key_fp: text.default(null),
  /** Ordinal of the page in its walk, from 1, and the seconds of its newest and oldest record. */
  page: number.default(null),
  newest: number.default(null),
  oldest: number.default(null),
  oddities: z.array(readOddity).default([]),
  account: accountFigures.nullable().default(null),
  /** For sweep_end: the passes whose records count, one a window. Null in older folders, whose records have no pass. */
  judged_passes: z.array(z.number()).nullable().default(null),
  hazards: z.array(hazardSeen).nullable().default(null),
  leaves: z.array(readLeaf).nullable().default(null),
};
export const READ_DEFAULTS = z.object(readAdditions).parse({});

/**
 * One line of usage/pages.ndjson: one HTTP read, the end of a sweep, or what was taken up from the archive.
 * A sweep reads all records and the totals of the period once; the reconciler judges by the last complete one.
 */
export const readLine = z.looseObject({
  schema: z.literal(READ_SCHEMA),
  read: z.enum(['records', 'totals', 'book', 'models', 'account', 'request', 'sweep_end', ...ARCHIVED_READS]),
  read_at: z.string(),
  sweep: z.number(),
  window: usageWindow.nullable(),
  /** The `request_id` filter of a `request` read. */
  request_id: text,
  /** Of more than 256 characters their hash, as `sha256:…`. */
  cursor: text,
  next_cursor: text,
  has_more: z.boolean().nullable(),
  count: number,
  status: number,
  /** Of the body as served; for a book also its file name under books/. */
  sha256: text,
  /** For sweep_end: every window was read to its last page and no hazard was met. */
  complete: z.boolean().nullable(),
  reasons: z.array(z.string()),
  ...readAdditions,
});
export type ReadLine = Shape<typeof readLine>;

const recordAdditions = {
  /** The walk that served it, and the page of that walk; null outside sweeps and in folders of older versions. */
  pass: number.default(null),
  read: number.default(null),
  key_fp: text.default(null),
  /** Of its page. */
  currency: text.default(null),
};
export const RECORD_DEFAULTS = z.object(recordAdditions).parse({});

/** One line of usage/records.ndjson. */
export const usageRecordLine = z.looseObject({
  schema: z.literal(USAGE_RECORD_SCHEMA),
  read_at: z.string(),
  sweep: z.number(),
  /** True when it came from outside a sweep: from a `request_id` read, or from the archive. */
  by_request_id: z.boolean(),
  ...recordAdditions,
  /** The record as served; validated where it is judged. */
  record: z.unknown(),
});
export type UsageRecordLine = Shape<typeof usageRecordLine>;

const totalsAdditions = { key_fp: text.default(null), answer_request_id: text.default(null) };

/** One line of usage/totals.ndjson. */
export const usageTotalsLine = z.looseObject({
  schema: z.literal(USAGE_TOTALS_SCHEMA),
  read_at: z.string(),
  sweep: z.number(),
  window: usageWindow,
  ...totalsAdditions,
  totals: z.unknown(),
});
export type UsageTotalsLine = Shape<typeof usageTotalsLine>;
