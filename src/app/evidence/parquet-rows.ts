import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { openStore } from '../../ledger/store/open-store.ts';
import { sqlText } from '../../ledger/store/sql-text.ts';
import { recordsCorrupt } from './record-columns.ts';

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
