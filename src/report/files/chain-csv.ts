import type { ChainLine } from '../../contracts/chain-result.ts';
import { csvLine } from '../words/csv-line.ts';

const COLUMNS = [
  'day',
  'model',
  'sales',
  'purchases',
  'revenue',
  'cost',
  'margin',
  'sold_alone',
  'bought_alone',
  'unbilled',
  'doubly_billed',
  'retried',
] as const satisfies readonly (keyof ChainLine)[];

/** chain.csv: a line for each UTC day and model, amounts in USD; the columns add up to the totals of result.json. */
export function chainCsv(lines: readonly ChainLine[]): string {
  return [COLUMNS, ...lines.map((line) => COLUMNS.map((name) => String(line[name] ?? '')))]
    .map(csvLine)
    .join('');
}
