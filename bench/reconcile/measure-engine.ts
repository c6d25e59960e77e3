/**
 * One engine over the files of a world, as a process of its own, so that its memory is its own:
 * `node bench/reconcile/measure-engine.ts floor|ours DIR MEMORY_BYTES`. Prints one line of JSON.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { NO_TERMS } from '../../src/core/billing-terms.ts';
import { READ_DEFAULTS, READ_SCHEMA, type ReadLine } from '../../src/core/usage-lines.ts';
import { openStore } from '../../src/ledger/store/open-store.ts';
import { compileCells } from '../../src/pricebook/compile-cells.ts';
import { readPriceBook } from '../../src/pricebook/read-price-book.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { DEFAULT_TOLERANCES } from '../../src/reconcile/reconcile-input.ts';
import { acceptCleanCalls } from '../../src/reconcile/relations/accept-clean-calls.ts';
import type { Engine, Measured } from './engine.ts';
import { BOOK, MODELS, READ_AT, START_MS } from './world.ts';

const [engine = '', dir = '', memory = ''] = process.argv.slice(2);
const temp = join(dir, 'temp');
rmSync(temp, { recursive: true, force: true });
mkdirSync(temp, { recursive: true });
const stages: { readonly name: string; readonly seconds: number }[] = [];
const began = performance.now();
const result = engine === 'floor' ? await floor() : await ours();
const seconds = (performance.now() - began) / 1000;
const used = process.cpuUsage();
const measured: Measured = {
  engine: engine === 'floor' ? 'floor' : 'ours',
  seconds,
  cpu_seconds: (used.user + used.system) / 1e6,
  peak_bytes: peakBytes(),
  result,
  stages,
};
console.log(JSON.stringify(measured));
rmSync(temp, { recursive: true, force: true });

/** A bare parse and join of the same files: what the work costs before anything is judged. */
async function floor(): Promise<string> {
  const options = {
    threads: '2',
    memory_limit: '1300MB',
    temp_directory: temp,
    preserve_insertion_order: 'false',
  };
  const instance = await DuckDBInstance.create(':memory:', options);
  const connection = await instance.connect();
  const reader = await connection.runAndReadAll(`SELECT count(*), sum(CAST(r.record.amount AS DECIMAL(38,12)))
    FROM read_ndjson('${dir}/calls.ndjson', columns = {request_id: 'VARCHAR', model: 'VARCHAR',
        usage: 'STRUCT(input BIGINT, output BIGINT, cache_read BIGINT, cache_write BIGINT)'}) AS c
      JOIN read_ndjson('${dir}/records.ndjson', columns = {record: 'STRUCT(request_id VARCHAR, amount VARCHAR)'}) AS r
      ON c.request_id = r.record.request_id`);
  return `${String(reader.getRowsJson()[0]?.[0])} pairs`;
}

async function ours(): Promise<string> {
  const reading = readPriceBook(new TextEncoder().encode(JSON.stringify(BOOK)));
  if ('unreadable' in reading) throw new Error(reading.unreadable.join('; '));
  const { cells } = compileCells(reading.book, { models: MODELS, group: null, key_fp: null });
  const window = { start: START_MS / 1000 - 60, end: Date.parse(READ_AT) / 1000 };
  const store = await stage('open', () => openStore({ memory_bytes: Number(memory), temp_dir: temp }));
  const accepted = await stage('accept and load the rest', () =>
    acceptCleanCalls(store, {
      ledger_files: [`${dir}/calls.ndjson`],
      record_files: [`${dir}/records.ndjson`],
      judged: { sweep: 1, passes: null },
      windows: [window],
      cells,
      bounds: [],
      readings: { amount_meaning: null, input_includes_cache: 'yes' },
      late_ms: 900_000,
      earlier: [],
      posting_ms: 900_000,
      temp_dir: temp,
    }),
  );
  if ('declined' in accepted) throw new Error(accepted.declined);
  const end: ReadLine = {
    ...READ_DEFAULTS,
    schema: READ_SCHEMA,
    read: 'sweep_end',
    read_at: READ_AT,
    sweep: 1,
    window,
    request_id: null,
    cursor: null,
    next_cursor: null,
    has_more: null,
    count: null,
    status: 200,
    sha256: null,
    complete: true,
    reasons: [],
  };
  const judged = await stage('judge the rest', async () =>
    reconcile({
      plan: null,
      ledger: accepted.ledger,
      reads: [end],
      records: accepted.records,
      totals: [],
      books: [{ sha256: 'a'.repeat(64), reading }],
      key: 'exclusive',
      tolerances: DEFAULT_TOLERANCES,
      terms: NO_TERMS,
      basis: 'ledger',
      suspense: null,
      upstream: new Map(),
    }),
  );
  await store.close();
  return `${accepted.accepted.calls} accepted, ${accepted.ledger.rows.length} judged one by one, ${judged.findings.length} findings`;
}

async function stage<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
  const from = performance.now();
  const value = await work();
  stages.push({ name, seconds: (performance.now() - from) / 1000 });
  return value;
}

function peakBytes(): number {
  if (!existsSync('/proc/self/status')) return process.resourceUsage().maxRSS * 1024;
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) * 1024;
}

export type { Engine };
