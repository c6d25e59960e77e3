import { join } from 'node:path';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import type { Result } from '../../contracts/result.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { plural } from '../../text/plural.ts';
import type { FocusBilling, FocusVersion } from '../focus/focus-columns.ts';
import { focusCsv } from '../focus/focus-csv.ts';
import { type BillRow, billRows } from '../rows/bill-row.ts';
import { writeCsvRows, writeNdjsonRows, writeParquetRows } from '../rows/write-rows.ts';
import { junitXml } from './junit.ts';
import { openMetrics } from './open-metrics.ts';

/** What `report --format` may name, and the file that each makes. */
export const FORMATS = {
  junit: 'junit.xml',
  focus: 'focus.csv',
  'rows.ndjson': 'rows.ndjson',
  'rows.csv': 'rows.csv',
  'rows.parquet': 'rows.parquet',
  'metrics.prom': 'metrics.prom',
} as const;
export type Format = keyof typeof FORMATS;

export interface FormatOptions {
  readonly formats: readonly Format[];
  readonly focus: { readonly version: FocusVersion; readonly billing: FocusBilling };
}

export interface WrittenFormats {
  readonly paths: readonly string[];
  /** What a reader of the files must know. */
  readonly notes: readonly string[];
}

/** Writes further forms of a judged run into its folder; where no bill was read, they have no rows. */
export async function writeFormats(
  dir: string,
  { result, reconciliation }: { readonly result: Result; readonly reconciliation: Reconciliation | null },
  { formats, focus }: FormatOptions,
): Promise<WrittenFormats> {
  const rows = reconciliation === null ? [] : billRows(result.run_id, reconciliation);
  const notes: string[] = [];
  const paths: string[] = [];
  for (const format of formats) {
    const path = join(dir, FORMATS[format]);
    await write(format, path);
    paths.push(path);
  }
  return { paths, notes };

  async function write(format: Format, path: string): Promise<void> {
    switch (format) {
      case 'junit':
        return place(path, junitXml(result, reconciliation?.findings ?? []));
      case 'metrics.prom':
        return place(path, openMetrics(result));
      case 'rows.ndjson':
        return writeNdjsonRows(path, rows);
      case 'rows.csv':
        return writeCsvRows(path, rows);
      case 'rows.parquet':
        return writeParquetRows(path, rows);
      case 'focus':
        return place(path, focusText(rows));
    }
  }

  function focusText(of: readonly BillRow[]): string {
    const { text, left_out } = focusCsv(of, { ...focus, target: result.target });
    if (focus.version !== '1.0') notes.push(`focus.csv: FOCUS ${focus.version} is unvalidated`);
    if (left_out > 0) {
      notes.push(`focus.csv: ${plural(left_out, 'row')} left out, whose charge or time cannot be read`);
    }
    return text;
  }
}

function place(path: string, text: string): void {
  replaceFile(path, text);
}
