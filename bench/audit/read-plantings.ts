/** A fault of reads: while it is planted, usage, the account or the book is read. */
export interface ReadPlanting {
  readonly fault: string;
  readonly parameters: Readonly<Record<string, string | number | boolean>>;
  readonly reads: 'usage' | 'account' | 'book';
}

const usage = (fault: string, parameters: ReadPlanting['parameters'] = {}): ReadPlanting => ({
  fault,
  parameters,
  reads: 'usage',
});

export const READ_PLANTINGS: readonly ReadPlanting[] = [
  usage('bill.cursor_skip'),
  usage('bill.cursor_repeat'),
  usage('bill.cursor_loop'),
  usage('bill.cursor_unstable'),
  usage('bill.cursor_has_more_lie', { variant: 'ends_early' }),
  usage('bill.cursor_has_more_lie', { variant: 'promises_more' }),
  usage('bill.cursor_filter_lost'),
  usage('bill.filter_mismatch', { variant: 'model_prefix' }),
  usage('bill.filter_mismatch', { variant: 'request_id_ignored' }),
  usage('bill.window_edge', { variant: 'end_inclusive' }),
  usage('bill.window_edge', { variant: 'start_exclusive' }),
  usage('bill.totals_drift', { variant: 'settled' }),
  usage('bill.totals_drift', { variant: 'records' }),
  usage('bill.totals_drift', { variant: 'by_model' }),
  usage('bill.totals_drift', { variant: 'daily' }),
  usage('bill.totals_drift', { variant: 'local_day', offset_hours: 14 }),
  usage('bill.totals_drift', { variant: 'local_day', offset_hours: -14 }),
  usage('bill.totals_drift', { variant: 'unknown_records' }),
  { fault: 'bill.quota_drift', parameters: { factor: '1.1' }, reads: 'account' },
  { fault: 'bill.quota_drift', parameters: { factor: '2' }, reads: 'account' },
  { fault: 'bill.book_incoherent', parameters: { variant: 'unpriced' }, reads: 'book' },
  { fault: 'bill.book_incoherent', parameters: { variant: 'silent_change' }, reads: 'book' },
];
