import { ROW_COLUMNS, type RowColumn } from './row-columns.ts';

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
export async function copyToParquet(lines: string, file: string, scratch: string): Promise<void> {
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
