import * as z from 'zod';
import { jsonOf } from '../../text/json-of.ts';
import { CsvError, type CsvField, readCsv } from './read-csv.ts';

/** One line of a trace file as texts by column, with the places of problems. */
export interface TraceRecord {
  readonly values: ReadonlyMap<string, string>;
  /** The columns of the file, or the keys of this line. */
  readonly names: readonly string[];
  /** True where every line has every column. */
  readonly tabular: boolean;
  /** Holds what an NDJSON line says of its blocks; undefined for nothing. */
  readonly hashIds?: unknown;
  /** `file:line:column` of a column's value. */
  readonly at: (column: string) => string;
}

/** A line that cannot be read. */
export interface BrokenRecord {
  readonly at: string;
  readonly rule: string;
  readonly found: string | null;
}

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const object = z.record(z.string(), z.unknown());

/**
 * The lines of a trace: NDJSON where the text begins with a brace, else CSV whose first line names the columns. Empty
 * values of a CSV and nulls are absent; so are keys that hold lists or objects.
 */
export function* traceRecords(text: string, file: string): Generator<TraceRecord | BrokenRecord> {
  yield* /^[\uFEFF\s]*\{/.test(text) ? ndjsonRecords(text, file) : csvRecords(text, file);
}

function* csvRecords(text: string, file: string): Generator<TraceRecord | BrokenRecord> {
  let header: readonly string[] | null = null;
  try {
    for (const record of readCsv(text)) {
      if (header === null) {
        const twice = repeated(record);
        if (twice !== null) {
          const { line, column, text: name } = twice;
          yield { at: `${file}:${line}:${column}`, rule: 'must name each column once', found: name };
          return;
        }
        header = record.map((field) => field.text);
        continue;
      }
      const places = new Map(header.map((name, i) => [name, record[i]]));
      const values = new Map<string, string>();
      for (const [name, field] of places)
        if (field !== undefined && field.text !== '') values.set(name, field.text);
      yield {
        values,
        names: header,
        tabular: true,
        at: (column) => {
          const field = places.get(column) ?? record[0];
          return `${file}:${field?.line ?? 1}:${field?.column ?? 1}`;
        },
      };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    yield { at: `${file}:${error.line}:${error.column}`, rule: error.message, found: null };
  }
}

/** The second of two columns of one name, of which only one could be read; columns without a name are read by nobody. */
function repeated(header: readonly CsvField[]): CsvField | null {
  const names = header.map(({ text }) => text);
  return header.find(({ text }, index) => text !== '' && names.indexOf(text) < index) ?? null;
}

function* ndjsonRecords(text: string, file: string): Generator<TraceRecord | BrokenRecord> {
  let line = 0;
  for (const raw of text.replace(/^\uFEFF/, '').split('\n')) {
    line += 1;
    if (raw.trim() === '') continue;
    const place = `${file}:${line}:1`;
    const parsed = object.safeParse(jsonOf(raw));
    if (!parsed.success) {
      yield { at: place, rule: 'must be a JSON object', found: raw.slice(0, 40) };
      continue;
    }
    const values = new Map<string, string>();
    for (const [key, value] of Object.entries(parsed.data)) {
      const known = scalar.safeParse(value);
      if (known.success && known.data !== null) values.set(key, String(known.data));
    }
    const hashIds = parsed.data['hash_ids'];
    yield { values, names: [...values.keys()], tabular: false, hashIds, at: () => place };
  }
}
