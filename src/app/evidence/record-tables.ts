import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { parseNumberText } from '../../core/decimal.ts';
import { shownText } from '../../ledger/evidence/shown-text.ts';
import { openStore } from '../../ledger/store/open-store.ts';
import { sqlText } from '../../ledger/store/sql-text.ts';

const MEMORY_BYTES = 1_500_000_000;
const cell = z.string().nullable();

/** A file that begins as Parquet and is none, such as one that was cut short. */
function unreadable(file: string): (cause: unknown) => never {
  return (cause) => {
    if (!(cause instanceof WeighbridgeError) || cause.code !== 'store_unreadable') throw cause;
    throw recordsCorrupt({ file, line: 1 }, 'expected a Parquet file, found another or a part of one');
  };
}

/** The rows of a Parquet file in their order, each cell as text to its last digit. `check` sees the names of the columns first. */
export async function* parquetRows(
  file: string,
  check: (names: readonly string[]) => void,
): AsyncGenerator<Readonly<Record<string, string | null>>, void, undefined> {
  const temp = mkdtempSync(join(tmpdir(), 'weighbridge-parquet-'));
  const store = await openStore({ memory_bytes: MEMORY_BYTES, temp_dir: temp });
  try {
    const from = `read_parquet(${sqlText(file)})`;
    const described = await store
      .rows(`DESCRIBE SELECT * FROM ${from}`, z.object({ column_name: z.string() }))
      .catch(unreadable(file));
    const names = described.map(({ column_name }) => column_name);
    check(names);
    yield* store.stream(`SELECT COLUMNS(*)::VARCHAR FROM ${from}`, (columns) =>
      (columns[0] ?? []).map((_, row) =>
        Object.fromEntries(names.map((name, index) => [name, cell.parse(columns[index]?.[row])])),
      ),
    );
  } finally {
    await store.close();
    rmSync(temp, { recursive: true, force: true });
  }
}

const TEXTS = ['id', 'request_id', 'model', 'result', 'billing_status', 'pricebook_id', 'pricing_version'];
const COUNTS = ['created_at', 'input_tokens', 'output_tokens', 'cache_read_tokens', 'cache_write_tokens'];
const AMOUNTS = ['amount', 'reserved_amount', 'refunded_amount'];
const FLAGS: Readonly<Record<string, boolean>> = { true: true, false: false, '1': true, '0': false };

/** What a usage record has, and a table of them as columns: the field names of the interface, in any order, and others beside. */
export const RECORD_COLUMNS: readonly string[] = [...TEXTS, ...COUNTS, ...AMOUNTS, 'usage_estimated'];

/** Refuses what is no usage record: judged as one, any other file would be a finding a row. What a field holds is judged later. */
export function checkFields(has: (name: string) => boolean, what: string, place: RecordPlace): void {
  const missing = RECORD_COLUMNS.filter((name) => !has(name));
  if (missing.length > 0)
    throw recordsCorrupt(place, `expected a usage record, ${what} ${missing.join(', ')}`);
}

export class RecordColumns {
  /** Throws `records_corrupt` for columns that are missing, or one that stands twice and would hide the first. */
  constructor(names: readonly string[], file: string) {
    checkFields((name) => names.includes(name), 'the columns lack', { file, line: 1 });
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined)
      throw recordsCorrupt({ file, line: 1 }, `expected each column once, found ${twice} twice`);
  }

  /** One row as the gateway would have served it. An empty cell of a number or amount is a field that is missing. */
  static record(
    cells: Readonly<Record<string, string | null>>,
    place: RecordPlace,
  ): Readonly<Record<string, unknown>> {
    return Object.fromEntries(
      Object.entries(cells).flatMap(([name, cell]): [string, unknown][] => {
        const text = cell ?? '';
        const isNumber = COUNTS.includes(name) || AMOUNTS.includes(name);
        return isNumber && text === '' ? [] : [[name, recordField(name, text, place)]];
      }),
    );
  }
}

/** A field as the gateway would have served it, of a cell or member of another program. */
export function recordField(name: string, value: unknown, place: RecordPlace): unknown {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (COUNTS.includes(name)) return countIn(name, text, place);
  if (AMOUNTS.includes(name)) return amountIn(name, text, place);
  return name === 'usage_estimated' ? flagIn(text, place) : text;
}

/** A count that a double cannot hold stays text, which a judgement tells as malformed instead of rounding it. */
function countIn(name: string, text: string, place: RecordPlace): number | string {
  if (!/^-?\d{1,40}$/.test(text))
    throw recordsCorrupt(place, `${name}: expected a whole number, found ${shownText(JSON.stringify(text))}`);
  const count = Number(text);
  return Number.isSafeInteger(count) ? count : text;
}

function amountIn(name: string, text: string, place: RecordPlace): string {
  if (parseNumberText(text) !== null) return text;
  throw recordsCorrupt(
    place,
    `${name}: expected a decimal with a point, found ${shownText(JSON.stringify(text))}`,
  );
}

function flagIn(text: string, place: RecordPlace): boolean {
  const flag = FLAGS[text.toLowerCase()];
  if (flag !== undefined) return flag;
  throw recordsCorrupt(
    place,
    `usage_estimated: expected true or false, found ${shownText(JSON.stringify(text))}`,
  );
}

/** Where a record stands: lines, and rows of a Parquet file, count from 1. */
export interface RecordPlace {
  readonly file: string;
  readonly line: number;
}

/** A record that cannot be read: nothing is skipped, so all of the file is refused. */
export function recordsCorrupt({ file, line }: RecordPlace, what: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'records_corrupt',
    message: `${file}:${line}: ${what}`,
    hint: 'Correct that line, or export the records again. docs/records.md shows each format.',
  });
}
