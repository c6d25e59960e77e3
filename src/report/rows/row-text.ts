import { csvLine } from '../csv-line.ts';
import type { BillRow } from './bill-row.ts';
import { ROW_COLUMNS, type RowColumn } from './row-columns.ts';

/** One line of rows.ndjson, with its line break: numbers as numbers, amounts as decimal strings. */
export function ndjsonLine(row: BillRow): string {
  const members = ROW_COLUMNS.map((column) => `${JSON.stringify(column.name)}:${jsonValue(column, row)}`);
  return `{${wholeCharacters(members.join(','))}}\n`;
}

/** Half a surrogate pair, which JSON escapes, is refused by readers of UTF-8, and stands in no CSV file either. */
function wholeCharacters(json: string): string {
  if (!json.includes('\\ud')) return json;
  return json.replaceAll(/(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, '$1\\ufffd');
}

function jsonValue({ type, read }: RowColumn, row: BillRow): string {
  const value = read(row);
  if (value === null) return 'null';
  return type === 'text' || type === 'decimal' ? JSON.stringify(value) : value;
}

/** The header line of rows.csv. */
export function csvHeader(): string {
  return csvLine(ROW_COLUMNS.map(({ name }) => name));
}

/** An empty cell where nothing is known. */
export function csvRow(row: BillRow): string {
  return csvLine(ROW_COLUMNS.map(({ read }) => read(row) ?? ''));
}
