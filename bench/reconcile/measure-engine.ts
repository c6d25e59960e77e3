/**
 * One engine over the files of a world, as a process of its own, so that its memory is its own:
 * `node bench/reconcile/measure-engine.ts floor|ours|append|again DIR MEMORY_BYTES`. Prints one line of JSON. The last two
 * judge the folder that `ours` has left.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { z } from 'zod';
import { judgeFolder, writeFolderReport } from '../../src/app/judge/judge-folder.ts';
import { ENGINES, type Measured } from './engine.ts';
import { worldFolder } from './world-folder.ts';

const [name = '', dir = '', memory = ''] = process.argv.slice(2);
const engine = z.enum(ENGINES).parse(name);
const temp = join(dir, 'temp');
rmSync(temp, { recursive: true, force: true });
mkdirSync(temp, { recursive: true });
const stages: { readonly name: string; readonly seconds: number }[] = [];
const began = performance.now();
const result = engine === 'floor' ? await floor() : await ours();
const seconds = (performance.now() - began) / 1000;
const used = process.cpuUsage();
const measured: Measured = {
  engine,
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

/** The whole audit, as `reconcile --run` does it: from the files of its folder to the verdict and its reports. */
async function ours(): Promise<string> {
  const folder = join(dir, 'audit');
  if (engine === 'ours') {
    rmSync(folder, { recursive: true, force: true });
    worldFolder(dir);
  }
  const judged = await stage('judge', () =>
    judgeFolder(folder, { memory_bytes: Number(memory), say: console.error }),
  );
  const { result } = await stage('report', async () => writeFolderReport(folder, judged));
  const together = result.coverage?.settings.find(({ name }) => name === 'judged_together')?.value ?? '0';
  return `${together} accepted, ${judged.reconciliation?.calls.length} judged one by one, ${result.findings.length} findings`;
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
