import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { CsvError, parse } from 'csv-parse';
import { z } from 'zod';
import { type LosslessJson, parseLosslessJson } from '../../client/lossless-json.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { USAGE_RECORD_SCHEMA } from '../../contracts/usage-lines.ts';
import { withoutCell } from '../../ledger/evidence/shown-text.ts';
import { textLines } from '../../ledger/text-lines.ts';
import { mappedRow, rowsOfDocument } from './mapped-record.ts';
import type { RecordMapping } from './record-mapping.ts';
import {
  checkFields,
  parquetRows,
  RECORD_COLUMNS,
  RecordColumns,
  type RecordPlace,
  recordsCorrupt,
} from './record-tables.ts';

/** One usage record of a file, by the names of the interface. */
interface FileRecord {
  /** Line, or row of a Parquet file, from 1. */
  readonly line: number;
  /** Numbers that a double would change are texts of their digits. */
  readonly record: Readonly<Record<string, unknown>>;
  /** Null where nothing says that it is another one than USD. */
  readonly currency: string | null;
}

/** A record, a row that the mapping leaves out, or the torn last line of a file that was being written. */
export type RecordRead =
  | FileRecord
  | { readonly line: number; readonly left: string }
  | { readonly line: number; readonly torn: string };

const anyPage = z.looseObject({ data: z.unknown(), has_more: z.boolean() });
const anyRecord = z.record(z.string(), z.unknown());
const csvRow = z.object({
  record: z.record(z.string(), z.string()),
  info: z.object({ lines: z.number() }),
});

/**
 * The usage records of an NDJSON, JSON, CSV or Parquet file; which of them it is, its name or first character tells.
 * Throws `records_missing`, and `records_corrupt` with file and line (exit 2): nothing is skipped.
 */
export async function* recordsOf(
  file: string,
  mapping: RecordMapping | null = null,
  by: string | null = null,
): AsyncGenerator<RecordRead, void, undefined> {
  const start = await startOf(file);
  const reader = mapping === null ? AS_SERVED : readerOf(mapping, by);
  if (start.startsWith('PAR1')) yield* parquetRecords(file, reader);
  else if (/^\u{feff}?\s*\{/u.test(start)) yield* lineRecords(file, reader);
  else if (/^\u{feff}?\s*\[/u.test(start)) yield* documentRecords(file, reader);
  else yield* csvRecords(file, reader);
}

type Cells = Readonly<Record<string, string | null>>;

/** How the documents and the rows of a table become records. */
interface RowsReader {
  readonly names: (names: readonly string[], file: string) => void;
  readonly cells: (cells: Cells, place: RecordPlace) => RecordRead;
  readonly document: (value: unknown, place: RecordPlace) => Iterable<RecordRead>;
}

const AS_SERVED: RowsReader = {
  names: (names, file) => void new RecordColumns(names, file),
  cells: cellsRecord,
  document: unwrapped,
};

function readerOf(mapping: RecordMapping, by: string | null): RowsReader {
  const read = (row: Readonly<Record<string, unknown>>, place: RecordPlace): RecordRead => {
    const mapped = mappedRow(row, mapping, place, by);
    return 'left' in mapped
      ? { line: place.line, left: mapped.left }
      : { line: place.line, record: mapped.record, currency: null };
  };
  return {
    // A member that the mapping names and no row has is told with its row.
    names: () => {},
    cells: read,
    document: (value, place) => rowsOfDocument(value, mapping, place).map((row) => read(row, place)),
  };
}

async function startOf(file: string): Promise<string> {
  const found = await stat(file).catch(() => null);
  if (found === null || !found.isFile()) {
    throw new WeighbridgeError({
      code: 'records_missing',
      message: `There is no file of usage records at ${file}${found === null ? '' : '. It is a folder'}.`,
      hint: 'Give an NDJSON, JSON, CSV or Parquet file. Or give the address of a gateway that begins with http:// or https://.',
    });
  }
  let head = '';
  for await (const chunk of createReadStream(file, { end: 63 })) head += String(chunk);
  return head;
}

async function* lineRecords(file: string, reader: RowsReader): AsyncGenerator<RecordRead> {
  const pages = new PagesOfFile(file);
  for await (const { text, number: line, ended } of textLines(file)) {
    const parsed = losslessOf(line === 1 ? text.replace(/^\u{feff}/u, '') : text);
    if (parsed !== null) {
      pages.see(parsed.value, line);
      yield* reader.document(parsed.value, { file, line });
    } else if (ended && line === 1) return yield* documentRecords(file, reader);
    else if (ended)
      throw recordsCorrupt({ file, line }, 'expected one JSON object, found text that is not JSON');
    else yield { line, torn: `${file}:${line}: expected one JSON object, found a part of one` };
  }
  yield* pages.end();
}

/** A list of records, or one object that goes over several lines. */
async function* documentRecords(file: string, reader: RowsReader): AsyncGenerator<RecordRead> {
  const parsed = losslessOf((await readFile(file, 'utf8')).replace(/^\u{feff}/u, ''));
  if (parsed === null)
    throw recordsCorrupt({ file, line: 1 }, 'expected records in JSON, found text that is not JSON');
  const list = z.array(z.unknown()).safeParse(parsed.value);
  const pages = new PagesOfFile(file);
  for (const [index, value] of (list.data ?? [parsed.value]).entries()) {
    pages.see(value, index + 1);
    yield* reader.document(value, { file, line: index + 1 });
  }
  yield* pages.end();
}

/** Whether the pages of a file go on to their last one. */
class PagesOfFile {
  readonly #file: string;
  /** The last page, where it says that another one follows. */
  #open: number | null = null;

  constructor(file: string) {
    this.#file = file;
  }

  see(value: unknown, line: number): void {
    const page = anyPage.safeParse(value);
    if (page.success) this.#open = page.data.has_more ? line : null;
  }

  *end(): Generator<RecordRead> {
    const line = this.#open;
    if (line === null) return;
    const torn = `${this.#file}:${line}: expected the page after this one, which says has_more, found none`;
    yield { line, torn };
  }
}

/** A record by itself, or a page of records as the gateway serves it. */
function* unwrapped(value: unknown, place: RecordPlace): Generator<FileRecord> {
  const fields = anyRecord.safeParse(value);
  if (!fields.success) throw recordsCorrupt(place, 'expected a record, which is a JSON object');
  const currency = currencyOf(fields.data);
  // A run folder holds a record once for each read of it: taken from there it would count as often.
  if (fields.data['schema'] === USAGE_RECORD_SCHEMA)
    throw recordsCorrupt(
      place,
      'expected a usage record, found a line of a run folder, which holds all reads',
    );
  const { data } = fields.data;
  const row = `row ${place.line}`;
  if (data === undefined) yield fileRecord(fields.data, `${row} lacks`, currency, place);
  else
    for (const [item, record] of recordsOfPage(data, place).entries())
      yield fileRecord(record, `item ${item} of data in ${row} lacks`, currency, place);
}

function fileRecord(
  record: FileRecord['record'],
  what: string,
  currency: string | null,
  place: RecordPlace,
): FileRecord {
  checkFields((name) => Object.hasOwn(record, name), what, place);
  return { line: place.line, record: keptFields(record), currency };
}

/** Beside the fields of the interface what some gateways add: the provider's call, and the group of prices. */
const KEPT = new Set([...RECORD_COLUMNS, 'upstream_request_id', 'price_group']);

/** What somebody exported beside the fields of a record, such as users and addresses, never reaches a folder. */
function keptFields(record: FileRecord['record']): FileRecord['record'] {
  return Object.fromEntries(Object.entries(record).filter(([name]) => KEPT.has(name)));
}

function recordsOfPage(data: unknown, place: RecordPlace): readonly Readonly<Record<string, unknown>>[] {
  const page = z.array(anyRecord).safeParse(data);
  if (page.success) return page.data;
  const [item] = page.error.issues[0]?.path ?? [];
  const where = typeof item === 'number' ? `as item ${item} of data` : 'in data';
  throw recordsCorrupt(place, `expected a page of records, found no record ${where}`);
}

/** What is no text cannot be USD: its name is what was served. */
function currencyOf(fields: Readonly<Record<string, unknown>>): string | null {
  const { currency } = fields;
  if (currency === undefined || currency === null || currency === '') return null;
  return typeof currency === 'string' ? currency : JSON.stringify(currency);
}

async function* csvRecords(file: string, reader: RowsReader): AsyncGenerator<RecordRead> {
  let hasColumns = false;
  const rows = createReadStream(file).pipe(
    parse({
      columns: (names: string[]) => {
        reader.names(names, file);
        hasColumns = true;
        return names;
      },
      bom: true,
      info: true,
    }),
  );
  let line = 2;
  try {
    for await (const row of rows) {
      const { record, info } = csvRow.parse(row);
      yield reader.cells(record, { file, line });
      // A row that goes over several lines is told by its first.
      line = info.lines + 1;
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw recordsCorrupt(
      { file, line },
      `expected CSV with one row of column names: ${withoutCell(error.message)}`,
    );
  }
  if (!hasColumns) throw recordsCorrupt({ file, line: 1 }, 'expected a row of column names, found nothing');
}

async function* parquetRecords(file: string, reader: RowsReader): AsyncGenerator<RecordRead> {
  let line = 0;
  for await (const cells of parquetRows(file, (names) => reader.names(names, file))) {
    line += 1;
    yield reader.cells(cells, { file, line });
  }
}

function cellsRecord(cells: Cells, place: RecordPlace): FileRecord {
  const record = keptFields(RecordColumns.record(cells, place));
  return { line: place.line, record, currency: currencyOf(cells) };
}

function losslessOf(text: string): LosslessJson | null {
  try {
    return parseLosslessJson(text);
  } catch {
    return null;
  }
}
