import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { replaceFileAfter, replaceFileBy } from '../../files/replace-file.ts';
import type { BillRow } from './bill-row.ts';
import { copyToParquet } from './parquet-rows.ts';
import { csvHeader, csvRow, ndjsonLine } from './row-text.ts';

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
