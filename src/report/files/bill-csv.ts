import type { BilledSpan } from '../../contracts/bucket-bill.ts';
import { csvLine } from '../words/csv-line.ts';

export const BILL_CSV = 'bill.csv';

const COLUMNS = [
  'model',
  'start',
  'end',
  'billed',
  'ours',
  'ours_most',
  'over',
  'under',
  'open',
  'verdict',
  'why',
] as const satisfies readonly (keyof BilledSpan)[];

/** bill.csv: each bucket of a bill. In each row billed = ours + over − under + open. */
export function billCsv(spans: readonly BilledSpan[]): string {
  return [COLUMNS, ...spans.map((span) => COLUMNS.map((column) => span[column] ?? ''))].map(csvLine).join('');
}
