/**
 * `npm run bench:reconcile`: the audit of many calls beside a bare DuckDB parse and join of the same files, polars and
 * pandas, in one run. Judged, never asserted. Flags: `--calls 1000000`, `--rounds 3`, `--memory 2000000000`,
 * `--peers none`, `--dir DIR` for the files, which are deleted afterwards.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { busySeconds } from '../common/busy-cpu.ts';
import { machineLine } from '../common/pinning.ts';
import { printTable } from '../common/print-table.ts';
import { ENGINES, type Engine, type Measured, measured } from './engine.ts';
import { EVERY, FAULTS, writeWorld } from './world.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const HERE = join(ROOT, 'bench/reconcile');
/** Calls and records that are appended to what was judged. */
const APPENDED = 100_000;
const APPEND_SECONDS = 5;
const PACKAGES = ['polars==2.1.0', 'pandas==3.1.1'];

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '3' },
    memory: { type: 'string', default: '2000000000' },
    peers: { type: 'string', default: 'polars,pandas' },
    dir: { type: 'string', default: tmpdir() },
  },
});

const calls = Number(values.calls);
const dir = mkdtempSync(join(values.dir, 'weighbridge-bench-'));
const python = values.peers === 'none' ? null : venv();
try {
  console.log(machineLine());
  writeWorld(dir, calls);
  const [rows, records] = ['calls', 'records'].map((name) => statSync(join(dir, `${name}.ndjson`)).size);
  console.log(
    `${calls} calls of ${perLine(rows)} B, records of ${perLine(records)} B; every ${EVERY}th call is wrong: ${FAULTS.join(', ')}`,
  );
  const rounds: Measured[] = [];
  const others: number[] = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const engine of ['floor', 'ours'] as const) {
      const before = busySeconds();
      const done = nodeEngine(engine);
      const after = busySeconds();
      rounds.push(done);
      if (before !== null && after !== null) others.push(after - before - done.cpu_seconds);
    }
  }
  writeWorld(dir, calls + APPENDED, calls);
  for (const engine of ['append', 'again'] as const) rounds.push(nodeEngine(engine));
  for (const peer of ['polars', 'pandas'] as const) {
    const done = values.peers.includes(peer) ? peerEngine(peer) : null;
    if (done !== null) rounds.push(done);
  }
  print(rounds, others);
} finally {
  rmSync(dir, { recursive: true, force: true });
}

function perLine(bytes: number | undefined): number {
  return Math.round((bytes ?? 0) / calls);
}

function nodeEngine(engine: Engine): Measured {
  const done = spawnSync(process.execPath, [join(HERE, 'measure-engine.ts'), engine, dir, values.memory], {
    encoding: 'utf8',
    // As bin/weighbridge.mjs has it.
    env: { ...process.env, NODE_COMPILE_CACHE: join(ROOT, '.cache/compiled') },
  });
  if (done.status !== 0) throw new Error(`${engine}: ${done.stderr.slice(-2000)}`);
  return measured.parse(JSON.parse(done.stdout));
}

function peerEngine(peer: 'polars' | 'pandas'): Measured | null {
  if (python === null) return null;
  const done = spawnSync(python, [join(HERE, 'frames.py'), peer, dir], {
    encoding: 'utf8',
    timeout: 900_000,
  });
  if (done.status === 0) return measured.parse(JSON.parse(done.stdout));
  console.log(`${peer} is left out: ${done.error?.message ?? done.stderr.trim().split('\n').at(-1)}`);
  return null;
}

/** A virtual environment of its own; null, with a word, where it cannot be had. */
function venv(): string | null {
  const folder = join(ROOT, '.cache/bench/venv-frames');
  const program = join(folder, 'bin/python');
  if (existsSync(join(folder, 'ready'))) return program;
  console.log(`installing ${PACKAGES.join(', ')} with pip`);
  mkdirSync(folder, { recursive: true });
  for (const [command = '', ...args] of [
    ['python3', '-m', 'venv', folder],
    [join(folder, 'bin/pip'), 'install', '--quiet', '--disable-pip-version-check', ...PACKAGES],
    ['touch', join(folder, 'ready')],
  ]) {
    const done = spawnSync(command, args, { encoding: 'utf8' });
    if (done.status === 0) continue;
    console.log(
      `polars and pandas are left out: ${done.error?.message ?? done.stderr.trim().split('\n').at(-1)}`,
    );
    return null;
  }
  return program;
}

function print(rounds: readonly Measured[], others: readonly number[]): void {
  const of = (engine: Engine): readonly Measured[] =>
    rounds.filter((round) => round.engine === engine).sort((left, right) => left.seconds - right.seconds);
  const middle = (engine: Engine): Measured | undefined => of(engine)[Math.floor(of(engine).length / 2)];
  const floor = middle('floor');
  const shown = ENGINES.flatMap((engine) => middle(engine) ?? []);
  printTable([
    ['engine', 'wall s', '× floor', 'CPU s', '× floor', 'peak MB', 'found'],
    ...shown.map((round) => [
      round.engine,
      of(round.engine)
        .map(({ seconds }) => seconds.toFixed(1))
        .join(' / '),
      (round.seconds / (floor?.seconds ?? Number.NaN)).toFixed(1),
      round.cpu_seconds.toFixed(1),
      (round.cpu_seconds / (floor?.cpu_seconds ?? Number.NaN)).toFixed(1),
      (round.peak_bytes / 1e6).toFixed(0),
      round.result,
    ]),
  ]);
  for (const engine of ['ours', 'append'] as const) {
    for (const { name, seconds } of middle(engine)?.stages ?? [])
      console.log(`  ${engine}: ${name} ${seconds.toFixed(1)} s`);
  }
  console.log(`  other CPU s in each round: ${others.map((seconds) => seconds.toFixed(1)).join(', ')}`);
  const [ours, append] = [middle('ours'), middle('append')];
  if (ours === undefined || floor === undefined || append === undefined) return;
  const peak = Math.max(...of('ours').map(({ peak_bytes }) => peak_bytes));
  mark('within 2 × the floor', ours.seconds <= 2 * floor.seconds);
  mark(`${APPENDED} appended within ${APPEND_SECONDS} s`, append.seconds <= APPEND_SECONDS);
  mark('within its memory', peak <= Number(values.memory));
}

function mark(name: string, reached: boolean): void {
  console.log(`  ${reached ? 'reached' : 'missed '}  ${name}`);
}
