import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { stateOf } from '../workload/plan.test-support.ts';
import { LedgerTail } from './ledger-tail.ts';

let dir = '';

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'weighbridge-tail-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
});

const row = (id: string) => `{"schema":"weighbridge.call/1","call_id":"${id}"}`;

test('gives what was appended since the last look, each line once and whole', async () => {
  const file = join(dir, 'i0-0.ndjson');
  const tail = new LedgerTail(dir, 'i0');
  expect(await tail.read()).toEqual({ states: [], calls: [] });
  const second = Buffer.from(`${row('é写')}\n`);
  // Broken in the middle of a letter.
  const cut = second.indexOf(0xe5) + 1;
  appendFileSync(file, `${row('a')}\n`);
  appendFileSync(file, second.subarray(0, cut));
  expect((await tail.read()).calls).toEqual([row('a')]);
  expect((await tail.read()).calls).toEqual([]);
  appendFileSync(file, second.subarray(cut));
  appendFileSync(
    file,
    `${JSON.stringify(stateOf({ elapsed_ms: 1_000 }))}\n{"schema":"weighbridge.intent/1"}\n`,
  );
  const { states, calls } = await tail.read();
  expect(calls).toEqual([row('é写')]);
  expect(states.map(({ elapsed_ms }) => elapsed_ms)).toEqual([1_000]);
});

test('follows every file of its own load engine and none of another', async () => {
  for (const name of [
    'i0-0.ndjson',
    'i0-1.ndjson',
    'i0-0.texts',
    'i01-0.ndjson',
    'i1-0.ndjson',
    'trial-0.ndjson',
    'i0-x-0.ndjson',
  ])
    appendFileSync(join(dir, name), `${row(name)}\n`);
  expect((await new LedgerTail(dir, 'i0').read()).calls).toEqual([row('i0-0.ndjson'), row('i0-1.ndjson')]);
});

test('a line longer than what is read at once comes whole', async () => {
  const long = row('x'.repeat(9_000_000));
  appendFileSync(join(dir, 'i0-0.ndjson'), `${row('a')}\n${long}\n${row('b')}\n`);
  const { calls } = await new LedgerTail(dir, 'i0').read();
  expect(calls.map(({ length }) => length)).toEqual([row('a').length, long.length, row('b').length]);
});
