import type { z } from 'zod';
import { EXIT } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { sqlText } from './sql-text.ts';

type SqlValue = string | number | bigint | boolean | null;

/** The columns of some rows, as DuckDB hands them over: a BIGINT as bigint, NULL as null. */
export type Columns = readonly (readonly unknown[])[];

/**
 * Tables of one command, in memory as far as it goes. A file that cannot be read as asked is `store_unreadable`, any
 * other failure `store_failed` (exit 1).
 */
export interface Store {
  run(sql: string): Promise<void>;
  /** Few rows, checked. Whole numbers beyond 32 bits, decimals and dates come as text. */
  rows<R>(sql: string, schema: z.ZodType<R>): Promise<readonly R[]>;
  /** Many rows, some thousand at a time and never all in memory. */
  stream<R>(sql: string, read: (chunk: Columns) => Iterable<R>): AsyncIterable<R>;
  /** `table` may name its database: `kept.lines`. */
  append(table: string, rows: Iterable<readonly SqlValue[]>): Promise<void>;
  copy(sql: string, file: string, format: 'ndjson' | 'csv' | 'parquet'): Promise<void>;
  /** Most memory that this process has held so far. */
  peakBytes(): number;
  close(): Promise<void>;
}

export interface StoreOptions {
  /** What the whole process may take. */
  readonly memory_bytes: number;
  /** For what does not fit; must exist. */
  readonly temp_dir: string;
  /** Database file, made where it is missing; without it the tables are gone with the store. */
  readonly file?: string;
}

/** Of the process itself: Node, the program, and what DuckDB takes beside the buffers that its limit counts. */
const OWN_BYTES = 900_000_000;
const LEAST_BYTES = 128_000_000;
const THREADS = 2;

const FORMATS = {
  ndjson: 'FORMAT json',
  csv: 'FORMAT csv, HEADER',
  parquet: 'FORMAT parquet, COMPRESSION zstd',
} as const;

/**
 * Opens a store. The native module is loaded here and not before, so that commands without a store never pay for it.
 * A table made from files has a row for each of their lines, in their order: `rowid` is the number of the line from 0.
 * Other results have no order of their own.
 */
export async function openStore({ memory_bytes, temp_dir, file }: StoreOptions): Promise<Store> {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const limit = Math.max(memory_bytes - OWN_BYTES, LEAST_BYTES);
  const instance = await DuckDBInstance.create(file ?? ':memory:', {
    threads: String(THREADS),
    memory_limit: `${Math.floor(limit / 1_000_000)}MB`,
    temp_directory: temp_dir,
  }).catch(failed('opening the store'));
  const connection = await instance.connect();
  // What is staged is read once or twice and thrown away: packing it costs more than it saves.
  await connection.run("PRAGMA force_compression = 'uncompressed'");
  async function run(sql: string): Promise<void> {
    await connection.run(sql).catch(failed(sql));
  }
  return {
    run,
    async rows(sql, schema) {
      const reader = await connection.runAndReadAll(sql).catch(failed(sql));
      return reader.getRowObjectsJson().map((row) => schema.parse(row));
    },
    async *stream(sql, read) {
      const result = await connection.stream(sql).catch(failed(sql));
      while (true) {
        const chunk = await result.fetchChunk().catch(failed(sql));
        if (chunk === null || chunk.rowCount === 0) return;
        yield* read(chunk.getColumns());
      }
    },
    async append(table, rows) {
      const [name = '', database] = table.split('.').reverse();
      const appender = await connection
        .createAppender(name, 'main', database)
        .catch(failed(`appending to ${table}`));
      try {
        for (const row of rows) {
          for (const [column, value] of row.entries()) {
            if (value === null) appender.appendNull();
            else appender.appendValue(value, appender.columnType(column));
          }
          appender.endRow();
        }
        appender.flushSync();
      } finally {
        appender.closeSync();
      }
    },
    copy: (sql, target, format) => run(`COPY (${sql}) TO ${sqlText(target)} (${FORMATS[format]})`),
    peakBytes: () => process.resourceUsage().maxRSS * 1024,
    async close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

function failed(what: string): (cause: unknown) => never {
  return (cause) => {
    const said = cause instanceof Error ? cause.message : String(cause);
    throw new WeighbridgeError({
      code: said.startsWith('Invalid Input Error') ? 'store_unreadable' : 'store_failed',
      message: `${said.split('\n')[0]} (${what.slice(0, 60).replaceAll(/\s+/g, ' ')})`,
      hint: 'Give more memory with --memory, or free some space in the temporary folder.',
      exitCode: EXIT.internal,
    });
  };
}
