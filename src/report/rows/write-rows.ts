import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { replaceFileAfter, replaceFileBy } from '../../files/replace-file.ts';
import { csvLine } from '../words/csv-line.ts';
import type { BillRow } from './bill-row.ts';
import { ROW_COLUMNS, type RowColumn } from './row-columns.ts';

/** Characters held before they are written: some thousand rows. */
const BUFFERED = 4_000_000;

export function writeNdjsonRows(file: string, rows: Iterable<BillRow>): void {
  writeLines(file, '', rows, ndjsonLine);
}

export function writeCsvRows(file: string, rows: Iterable<BillRow>): void {
  writeLines(file, csvHeader(), rows, csvRow);
}

/** Through the lines of rows.ndjson, so that both hold the same. */
export async function writeParquetRows(file: string, rows: Iterable<BillRow>): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'weighbridge-rows-'));
  try {
    const lines = join(scratch, 'rows.ndjson');
    writeNdjsonRows(lines, rows);
    await replaceFileAfter(file, (part) => copyToParquet(lines, part, scratch));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function writeLines(
  file: string,
  header: string,
  rows: Iterable<BillRow>,
  lineOf: (row: BillRow) => string,
): void {
  replaceFileBy(file, (part) => {
    const open = openSync(part, 'w');
    try {
      let held = header;
      for (const row of rows) {
        held += lineOf(row);
        if (held.length < BUFFERED) continue;
        writeFileSync(open, held);
        held = '';
      }
      writeFileSync(open, held);
    } finally {
      closeSync(open);
    }
  });
}

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

const MEMORY_BYTES = 1_200_000_000;

/** Of DECIMAL(38,12): 26 digits before the point. What has more of them is not known there, and stands in the other files. */
const DECIMAL = 'DECIMAL(38,12)';

const CASTS: { readonly [T in RowColumn['type']]: string } = {
  text: 'VARCHAR',
  integer: 'BIGINT',
  decimal: DECIMAL,
  real: 'DOUBLE',
  flag: 'BOOLEAN',
  json: 'VARCHAR',
};

/** rows.parquet from the lines of rows.ndjson, in their order: amounts as DECIMAL(38,12), packed by zstd. */
async function copyToParquet(lines: string, file: string, scratch: string): Promise<void> {
  const { openStore } = await import('../../ledger/store/open-store.ts');
  const { sqlLines } = await import('../../ledger/store/sql-text.ts');
  const store = await openStore({ memory_bytes: MEMORY_BYTES, temp_dir: scratch });
  try {
    const held = ROW_COLUMNS.map(({ name, type }) => `"${name}": '${type === 'json' ? 'JSON' : 'VARCHAR'}'`);
    await store.run(`CREATE TABLE rows AS SELECT * FROM ${sqlLines([lines], `{${held.join(', ')}}`)}`);
    const cells = ROW_COLUMNS.map(({ name, type }) => `TRY_CAST("${name}" AS ${CASTS[type]}) AS "${name}"`);
    await store.copy(`SELECT ${cells.join(', ')} FROM rows ORDER BY rowid`, file, 'parquet');
  } finally {
    await store.close();
  }
}
