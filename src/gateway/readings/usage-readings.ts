import * as z from 'zod';

const MAX_PAGE = 10_000;

/** Choices of usage reads: totals and pages. */
export const usageReadings = {
  totals_settled: z
    .enum(['settled', 'final', 'gross'])
    .default('settled')
    .describe(
      'What `settled_amount` sums: `settled` records; `final`: all that ended; `gross`: those with their refunds.',
    ),
  totals_pending: z
    .enum(['reserved', 'amount'])
    .default('reserved')
    .describe('The field of pending records that totals sum.'),
  totals_refunded: z
    .enum(['all', 'failed'])
    .default('all')
    .describe('The refunds that totals sum: `all`, or those of failed calls.'),
  totals_records: z
    .enum(['with_unknown', 'without_unknown'])
    .default('with_unknown')
    .describe('Whether the count `records` includes unknown records.'),
  totals_open: z
    .enum(['counted', 'also_unknown', 'left_out'])
    .default('counted')
    .describe(
      'Open records in totals: `also_unknown`: `unknown_records` counts them too; `left_out`: totals only include ended records.',
    ),
  totals_day: z
    .enum(['created', 'settled'])
    .default('created')
    .describe(
      'The day under which `daily` sums a record: that of its `created_at`, or of its settlement, which is known as long as the process lives.',
    ),
  page_default: z.int().min(1).max(MAX_PAGE).default(50).describe('`limit` if a read gives none.'),
  page_max: z.int().min(1).max(MAX_PAGE).default(200).describe('Largest `limit`; 10000 at most.'),
  page_above_max: z
    .enum(['refused', 'cut'])
    .default('refused')
    .describe('A larger `limit` is 400, or taken for the largest.'),
  cursor_life_s: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe('Seconds after which an `opaque` cursor is 410; null: it never expires.'),
  ties: z
    .enum(['by_id', 'any'])
    .default('by_id')
    .describe('The order of records of one second: by their ids, or another one, the same in every read.'),
  cursor: z
    .enum(['opaque', 'offset', 'record_id'])
    .default('opaque')
    .describe(
      '`opaque`: bound to window and filters. `offset`: how many records are left (oldest first: were served). `record_id`: id of the last record.',
    ),
  order: z.enum(['newest_first', 'oldest_first']).default('newest_first').describe('Of the records.'),
  last_cursor: z
    .enum(['empty', 'null', 'absent'])
    .default('empty')
    .describe('`next_cursor` of the last page.'),
  last_page: z
    .enum(['with_records', 'may_be_empty'])
    .default('with_records')
    .describe('`may_be_empty`: a full page always names a next one.'),
  repeated_record: z
    .enum(['none', 'on_page', 'on_next_page'])
    .default('none')
    .describe('Whether and where the same record is shown twice.'),
};
