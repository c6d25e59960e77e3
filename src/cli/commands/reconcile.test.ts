import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { LEDGER_SCHEMA, type LedgerHeader } from '../../core/ledger-lines.ts';
import { planOf, stateOf } from '../../core/plan.test-support.ts';
import { bookDocument, inputOf, recordOf, textRow } from '../../reconcile/reconcile.test-support.ts';
import { runProgram } from '../program.ts';

let dir = '';
/** One run of two instances: the second wrote its files elsewhere. The records of both are in the run folder. */
let run = '';
let other = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'weighbridge-reconcile-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  run = join(dir, 'run');
  other = join(dir, 'other');
  const { reads, records } = inputOf({ sweeps: [{ records: [recordOf('a'), recordOf('b')] }] });
  writeInstance(join(run, 'calls'), 'i0', 'a', '0:1/2');
  writeInstance(other, 'i1', 'b', '1/2:1');
  write(join(run, 'plan.json'), JSON.stringify(planOf({ run_id: 'run' })));
  write(join(run, 'usage/pages.ndjson'), ndjson(reads));
  write(join(run, 'usage/records.ndjson'), ndjson(records));
  const book = JSON.stringify(bookDocument());
  write(join(run, `books/${createHash('sha256').update(book).digest('hex')}.json`), book);
});

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function ndjson(lines: readonly unknown[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

function writeInstance(folder: string, instance: string, call: string, segment: string, runId = 'run'): void {
  const header: LedgerHeader = {
    schema: LEDGER_SCHEMA,
    run_id: runId,
    instance,
    file: 0,
    segment,
    seed: 1,
    clock: { wall: '2026-11-20T12:00:00.000Z', mono_ms: 0 },
    plan_hash: 'h',
    key_fp: null,
    cores: 2,
    versions: { weighbridge: '0', k6: '2', go: '1' },
  };
  write(
    join(folder, `${instance}-0.ndjson`),
    ndjson([
      header,
      textRow(call, { instance, text_ref: `${instance}-0.texts` }),
      stateOf({ instance, run_id: runId }),
    ]),
  );
}

async function reconciled(...flags: readonly string[]) {
  const said: string[] = [];
  const code = await runProgram(['reconcile', ...flags, '--json'], {
    out: (line) => said.push(line),
    err: (line) => said.push(line),
    redraw: () => undefined,
    live: false,
    width: 100,
    env: {},
  });
  return { code, said: said.join('\n') };
}

const calls = () => readdirSync(join(run, 'calls')).sort();

test('the files of two instances are judged as one run, which its folder then holds', async () => {
  const half = await reconciled('--ledger', run);
  // The record of the second instance's call has no call.
  expect(half.said).toContain('Record without a call (phantom_record): 1 finding +$0.0028');
  const whole = await reconciled('--ledger', run, other);
  expect(whole.said).toContain('expected $0.0056 · charged $0.0056 · difference $0');
  expect(whole.said).not.toContain('phantom_record');
  expect(calls()).toEqual(['i0-0.ndjson', 'i1-0.ndjson']);
  expect(await reconciled('--run', 'run', '--out', dir)).toEqual(whole);
  expect(await reconciled('--ledger', other, join(run, 'calls'), other)).toEqual(whole);
});

test('the texts of a ledger file come along with it, where they are', async () => {
  write(join(other, 'i1-0.texts'), 'what was said\n');
  write(join(other, 'i7-0.texts'), 'of no file of the run\n');
  await reconciled('--ledger', run, other);
  expect(calls()).toEqual(['i0-0.ndjson', 'i1-0.ndjson', 'i1-0.texts']);
  expect(readFileSync(join(run, 'calls/i1-0.texts'), 'utf8')).toBe('what was said\n');
});

test('files of other runs, and other files of the same name, are refused before any is copied', async () => {
  writeInstance(join(dir, 'foreign'), 'i2', 'c', '0:1', 'another');
  const foreign = await reconciled('--ledger', run, other, join(dir, 'foreign'));
  expect(foreign).toMatchObject({ code: 2, said: expect.stringContaining('ledger_mixed') });
  writeInstance(join(dir, 'same-name'), 'i0', 'c', '0:1/2');
  const clash = await reconciled('--ledger', run, other, join(dir, 'same-name'));
  expect(clash).toMatchObject({ code: 2, said: expect.stringContaining('ledger_clash') });
  cpSync(other, join(dir, 'copy'), { recursive: true });
  writeInstance(join(dir, 'copy'), 'i1', 'd', '1/2:1');
  expect((await reconciled('--ledger', run, other, join(dir, 'copy'))).said).toContain('ledger_clash');
  expect(calls()).toEqual(['i0-0.ndjson']);
  expect((await reconciled('--ledger', other)).said).toContain('run_not_found');
});

test('folders in calls/ belong to the run, and a run without any ledger file is refused', async () => {
  writeInstance(join(run, 'calls/second'), 'i1', 'b', '1/2:1');
  expect((await reconciled('--ledger', run)).said).toContain('expected $0.0056 · charged $0.0056');
  expect(calls()).toEqual(['i0-0.ndjson', 'second']);
  rmSync(join(run, 'calls'), { recursive: true });
  mkdirSync(join(run, 'calls'));
  const none = await reconciled('--ledger', run);
  expect(none).toMatchObject({ code: 2, said: expect.stringContaining('ledger_missing') });
});

test('the commands of the report find its folder again, wherever it stands', async () => {
  const place = join(dir, 'by hand');
  cpSync(run, place, { recursive: true });
  await reconciled('--ledger', place);
  const report = readFileSync(join(place, 'report.md'), 'utf8');
  expect(report).toContain(`weighbridge report --out ${dir} --run 'by hand'`);
  expect(report).toContain(`weighbridge reconcile --out ${dir} --run 'by hand'`);
  expect((await reconciled('--out', dir, '--run', 'by hand')).said).toContain('charged $');
  expect(readFileSync(join(place, 'report.md'), 'utf8')).toBe(report);
});
