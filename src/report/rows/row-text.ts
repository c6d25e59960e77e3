import { csvLine } from '../csv-line.ts';
import type { BillRow } from './bill-row.ts';
import { ROW_COLUMNS, type RowColumn } from './row-columns.ts';

/** One line of rows.ndjson, with its line break: numbers as numbers, amounts as decimal strings. */
export function ndjsonLine(row: BillRow): string {
  const members = ROW_COLUMNS.map((column) => `${JSON.stringify(column.name)}:${jsonValue(column, row)}`);
  return `{${members.join(',')}}\n`;
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
