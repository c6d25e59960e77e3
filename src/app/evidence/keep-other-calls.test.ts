import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { LEDGER_SCHEMA } from '../../contracts/schema-names.ts';
import { formatInstant } from '../../core/time.ts';
import { readKnown } from '../../reconcile/input/known-files.ts';
import {
  brief,
  inputOf,
  intentOf,
  recordOf,
  START_MS,
  textRow,
} from '../../reconcile/reconcile.test-support.ts';
import { reconcile } from '../../reconcile/reconcile.ts';
import { type ListedRun, listRun } from '../../state/listed-runs.ts';
import { OtherCallsKeeper } from './keep-other-calls.ts';

const KEY = 'k1';
let root: string;
let out: string;
let home: string;
let said: string[];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'weighbridge-known-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  [out, home, said] = [join(root, 'reports'), join(root, 'state', 'host_1'), []];
  for (const dir of [join(out, 'A'), home]) mkdirSync(dir, { recursive: true });
});

function write(file: string, ...lines: readonly object[]): void {
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

function headerOf(run_id: string): object {
  const clock = { wall: formatInstant(START_MS), mono_ms: 0 };
  const versions = { weighbridge: '0', k6: 'none', go: 'none' };
  const none = { segment: null, seed: null, plan_hash: null, key_fp: null, cores: null };
  return { schema: LEDGER_SCHEMA, run_id, instance: 'i0', file: 0, clock, versions, ...none };
}

/** Of another run, listed, whose calls have these names. */
async function otherRun(
  run_id: string,
  names: readonly string[],
  changes: Partial<ListedRun> = {},
): Promise<string> {
  const folder = join(out, run_id);
  const rows = names.map((name) => textRow(name, { key_fp: KEY }));
  write(join(folder, 'calls', 'i0-0.ndjson'), headerOf(run_id), ...rows);
  const [first_sent, last_end] = [START_MS, START_MS + 60_000].map((ms) => formatInstant(ms));
  await listRun(home, {
    run_id,
    folder,
    key_fp: KEY,
    first_sent: first_sent ?? '',
    last_end: last_end ?? null,
    ...changes,
  });
  return folder;
}

const known = (name = '') => join(out, 'A', 'known', name);

/** Run A with a call of its own and records of others, judged as its folder knows it. */
async function judged(
  names: readonly string[],
  own: readonly string[] = ['A'],
  runDir = join(out, 'A'),
  key: 'shared' | 'exclusive' = 'exclusive',
) {
  const records = ['a', ...names].map((name) => recordOf(name));
  const input = inputOf({ rows: [textRow('a', { key_fp: KEY })], sweeps: [{ records }], key });
  const keeper = new OtherCallsKeeper({ runDir, home, keys: [KEY], say: (line) => said.push(line) });
  const judge = async () => reconcile({ ...input, known: await readKnown(runDir) });
  const { findings, money } = await keeper.judged(judge, (reconciliation) => ({ reconciliation, own }));
  return { phantoms: findings.length, known: money.known ?? [], foreign: money.foreign.records };
}

test('calls of a listed run are known to the folder, and stay so without it', async () => {
  const folder = await otherRun('B', ['x', 'y', 'elsewhere']);
  const ofB = [{ of: 'run B', records: 2, amount: '0.0056' }];
  expect(await judged(['x', 'y'])).toEqual({ phantoms: 0, known: ofB, foreign: 0 });
  const bytes = readFileSync(known('B.ndjson'), 'utf8');
  expect(await judged(['x', 'y'])).toMatchObject({ known: ofB });
  rmSync(folder, { recursive: true });
  expect(await judged(['x', 'y'])).toMatchObject({ phantoms: 0, known: ofB });
  expect(readFileSync(known('B.ndjson'), 'utf8')).toBe(bytes);
  expect(readdirSync(known())).toEqual(['B.ndjson']);
});

test('a run that nobody else wrote into reads no ledger of others', async () => {
  const folder = await otherRun('B', []);
  writeFileSync(join(folder, 'calls', 'i0-0.ndjson'), 'no ledger\nat all\n');
  expect(await judged([])).toEqual({ phantoms: 0, known: [], foreign: 0 });
  expect([said, existsSync(known())]).toEqual([[], false]);
});

test('a record that comes a day after its run is known where it would be accused, and sought for nothing else', async () => {
  const before = (ms: number) => formatInstant(START_MS - ms);
  const folder = await otherRun('B', ['x'], { first_sent: before(7_200_000), last_end: before(3_600_000) });
  expect(await judged(['x'])).toMatchObject({ phantoms: 0, known: [{ of: 'run B' }] });
  rmSync(known(), { recursive: true });
  writeFileSync(join(folder, 'calls', 'i0-0.ndjson'), 'no ledger\nat all\n');
  expect(await judged(['x'], ['A'], join(out, 'A'), 'shared')).toMatchObject({ foreign: 1 });
  expect(said).toEqual([]);
});

test('a run of another key, the run itself, and one of another day are no others', async () => {
  await otherRun('B', ['x'], { key_fp: 'another' });
  await otherRun('A', ['y']);
  const long = START_MS - 3 * 86_400_000;
  await otherRun('C', ['z'], { first_sent: formatInstant(long), last_end: formatInstant(long + 1) });
  expect(await judged(['x', 'y', 'z'])).toEqual({ phantoms: 3, known: [], foreign: 0 });
});

test('of a run whose folder is gone its time is known, from five minutes before its first call', async () => {
  const at = (s: number) => formatInstant(START_MS + s * 1000);
  const gone = async (run_id: string, first_sent: string, last_end: string | null) => {
    rmSync(await otherRun(run_id, [], { first_sent, last_end }), { recursive: true });
  };
  await gone('B', at(301), at(400));
  expect(await judged(['x'])).toEqual({ phantoms: 1, known: [], foreign: 0 });
  await gone('C', at(300), at(400));
  expect(await judged(['x'])).toEqual({ phantoms: 0, known: [], foreign: 1 });
  expect(JSON.parse(readFileSync(known('gone.json'), 'utf8'))).toMatchObject({
    runs: [{ run_id: 'C', from: at(0), to: at(400) }],
  });
});

test('one that was killed was over when the next began', async () => {
  const at = (s: number) => formatInstant(START_MS + s * 1000);
  rmSync(await otherRun('B', [], { first_sent: at(-900), last_end: null }), { recursive: true });
  expect(await judged(['x'])).toMatchObject({ phantoms: 0, foreign: 1 });
  await otherRun('C', [], { first_sent: at(-600), last_end: at(-500) });
  expect(await judged(['x'])).toMatchObject({ phantoms: 1, foreign: 0 });
  // Its calls are read again as long as its end is not noted.
  const folder = await otherRun('B', ['x'], { first_sent: at(-900), last_end: null });
  expect(await judged(['x'])).toMatchObject({ phantoms: 0, known: [{ of: 'run B' }] });
  expect(existsSync(folder)).toBe(true);
});

test('a folder that was moved beside the judged one is found there', async () => {
  await otherRun('B', ['x']);
  const moved = join(root, 'moved');
  cpSync(out, moved, { recursive: true });
  rmSync(out, { recursive: true });
  const result = await judged(['x'], ['A'], join(moved, 'A'));
  expect(result).toMatchObject({ phantoms: 0, known: [{ of: 'run B', records: 1 }] });
});

test('a ledger that cannot be read is told, and the time of its run is known', async () => {
  const folder = await otherRun('B', []);
  writeFileSync(join(folder, 'calls', 'i0-0.ndjson'), 'no ledger\nat all\n');
  expect(await judged(['x'])).toEqual({ phantoms: 0, known: [], foreign: 1 });
  expect(said).toMatchObject([expect.stringContaining('The calls of another command could not be read: ')]);
});

test('calls of the daemons of the address are known, row and intent in files of different days', async () => {
  const day = (ms: number) => formatInstant(ms).slice(0, 10);
  const calls = (dir: string, ms: number) => join(dir, 'probe', 'calls', `${day(ms)}-120000abcd-0.ndjson`);
  write(calls(home, START_MS - 86_400_000), headerOf('probe-main'), intentOf('x', { key_fp: KEY }));
  write(calls(home, START_MS), headerOf('probe-main'), textRow('x', { key_fp: KEY }));
  write(calls(`${home}+second`, START_MS), headerOf('probe-second'), textRow('y', { key_fp: KEY }));
  write(calls(`${home}+third`, START_MS), headerOf('probe-third'), textRow('z', { key_fp: 'another' }));
  write(calls(`${home}0`, START_MS), headerOf('probe-other'), textRow('w', { key_fp: KEY }));
  write(calls(home, START_MS - 9 * 86_400_000), { schema: 'damaged', and: 'never opened' });
  const result = await judged(['x', 'y', 'z', 'w']);
  expect(result).toEqual({
    phantoms: 2,
    known: [{ of: 'the probe', records: 2, amount: '0.0056' }],
    foreign: 0,
  });
  // An audit of its own ledger takes none of it for another's.
  rmSync(known(), { recursive: true });
  expect(await judged(['x', 'y'], ['probe-main', 'probe-second'])).toMatchObject({ phantoms: 2, known: [] });
});

test('without a state the folder alone tells', async () => {
  await otherRun('B', ['x']);
  await judged(['x']);
  const input = inputOf({ rows: [textRow('a')], sweeps: [{ records: [recordOf('a'), recordOf('x')] }] });
  expect(brief(reconcile({ ...input, known: await readKnown(join(out, 'A')) }))).toEqual([]);
  expect(brief(reconcile(input))).toHaveLength(1);
});
