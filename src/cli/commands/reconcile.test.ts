import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { UNWATCHED } from '../../app/notices/unwatched.test-support.ts';
import type { LedgerHeader } from '../../contracts/ledger-lines.ts';
import { LEDGER_SCHEMA } from '../../contracts/schema-names.ts';
import { bookDocument, inputOf, recordOf, textRow } from '../../reconcile/reconcile.test-support.ts';
import { FileLock } from '../../state/file-lock.ts';
import { planOf, stateOf } from '../../workload/plan.test-support.ts';
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
    ...UNWATCHED,
    width: 100,
    env: {},
  });
  return { code, said: said.join('\n') };
}

const calls = () => readdirSync(join(run, 'calls')).sort();

test('the files of two instances are judged as one run, which its folder then holds', async () => {
  const half = await reconciled('--ledger', run);
  // The record of the second instance's call has none here, which proves nothing.
  expect(half.said).toContain('findings  none');
  expect(half.said).toContain('unclear   1 record ($0.0028) without a call');
  const whole = await reconciled('--ledger', run, other);
  expect(whole.said).toContain('expected $0.0056 · charged $0.0056 · difference $0');
  expect(whole.said).not.toContain('phantom_record');
  expect(calls()).toEqual(['i0-0.ndjson', 'i1-0.ndjson']);
  expect(await reconciled('--run', 'run', '--out', dir)).toEqual(whole);
  expect(await reconciled('--ledger', other, join(run, 'calls'), other)).toEqual(whole);
});

test('a run that is judged again is listed in the index of --out as it stands now; no page elsewhere is touched', async () => {
  const index = join(dir, 'index.html');
  write(index, 'a page of somebody');
  await reconciled('--ledger', run, '--out', join(dir, 'elsewhere'));
  expect(readFileSync(index, 'utf8')).toBe('a page of somebody');
  await reconciled('--run', 'run', '--out', dir);
  expect(readFileSync(index, 'utf8')).toContain('<a href="run/report.html">run</a>');
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

test('a damaged ledger of a run folder is a fault of ours, one that was handed in is bad input', async () => {
  const file = join(run, 'calls/i0-0.ndjson');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"kind":"chat"', '"kind":"[key]"'));
  const corrupt = { said: expect.stringContaining('ledger_corrupt') };
  expect(await reconciled('--run', 'run', '--out', dir)).toMatchObject({ code: 1, ...corrupt });
  expect(await reconciled('--ledger', run)).toMatchObject({ code: 2, ...corrupt });
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

test('--month last is the calendar month before that of the clock, in UTC', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-12-01T00:00:00Z') });
  onTestFinished(() => void vi.useRealTimers());
  const of = (name: string, at: string) => recordOf(name, { created_at: Date.parse(at) / 1000 });
  write(
    join(dir, 'records.ndjson'),
    ndjson([
      of('a', '2026-10-31T23:59:59Z'),
      of('b', '2026-11-01T00:00:00Z'),
      of('c', '2026-11-30T23:59:59Z'),
      of('d', '2026-12-01T00:00:00Z'),
    ]),
  );
  write(join(dir, 'book.json'), JSON.stringify(bookDocument()));
  const files = ['--records', join(dir, 'records.ndjson'), '--pricebook', join(dir, 'book.json')];
  const { code, said } = await reconciled('--month', 'last', ...files, '--out', join(dir, 'out'));
  expect(said).toContain('2 records read');
  expect(said).toMatch(/"run_id":"month-2026-11-/);
  expect(code).toBe(0);
});

test('an assumed reading judges a run, and the audit of a period, again and again until another is given', async () => {
  const words = '--assume-reading amount is declared as gross, but';
  const ofRun = ['--run', 'run', '--out', dir];
  expect((await reconciled(...ofRun, '--assume-reading', 'amount=gross')).said).toContain(words);
  expect((await reconciled(...ofRun)).said).toContain(words);
  expect((await reconciled(...ofRun, '--assume-reading', 'amount=net')).said).not.toContain(words);
  write(join(dir, 'records.ndjson'), ndjson([recordOf('a'), recordOf('b')]));
  write(join(dir, 'book.json'), JSON.stringify(bookDocument()));
  const files = ['--records', join(dir, 'records.ndjson'), '--pricebook', join(dir, 'book.json')];
  const ofPeriod = ['--month', '2026-11', ...files, '--out', join(dir, 'out')];
  expect((await reconciled(...ofPeriod, '--assume-reading', 'amount=gross')).said).toContain(words);
  expect((await reconciled(...ofPeriod)).said).toContain(words);
});

test('--due finds the runs itself, and takes nothing that names one', async () => {
  const due = (...flags: string[]) => reconciled('--due', '--out', join(dir, 'none'), ...flags);
  expect(await due()).toEqual({ code: 0, said: 'no run is due\n{"due":[],"exit_codes":[]}' });
  for (const flags of [
    ['--run', 'a'],
    ['--month', '2026-10'],
    ['--upstream', 'j'],
  ])
    expect(await due(...flags)).toMatchObject({
      code: 2,
      said: expect.stringContaining(`together with ${flags[0]}`),
    });
  expect((await due('--target', 'ftp://x')).code).toBe(2);
});

const looks = z.object({ due: z.array(z.object({ run_id: z.string(), exit_status: z.number() })) });

test('--due looks at what is due, once; what cannot be read is due still, and who reads it is left alone', async () => {
  const out = join(dir, 'out');
  const planned = planOf({ run_id: 'run' });
  const target = { ...planned.target, root: 'http://gw.example', embedded: false };
  const began = (hours: number, name: string, changes: object = {}): string => {
    const created_at = new Date(Date.now() - hours * 3_600_000).toISOString();
    const folder = join(out, name);
    cpSync(run, folder, { recursive: true });
    write(join(folder, 'plan.json'), JSON.stringify({ ...planned, target, created_at, ...changes }));
    return folder;
  };
  const due = async () => {
    const { said } = await reconciled('--due', '--out', out, '--state', join(dir, 'state'));
    return looks.parse(JSON.parse(said.split('\n').at(-1) ?? '')).due;
  };
  began(0.5, '20261120T235900Z-0000');
  const good = began(3, '20261120T120000Z-0001');
  began(3, '20261120T120000Z-0002', { workload: { duration_ms: 1 } });
  const held = FileLock.take(join(began(3, '20261120T120000Z-0003'), '.lock'));
  if (!('lock' in held)) throw new Error('a lock of our own is taken');
  const first = await due();
  expect(first.map(({ run_id }) => run_id)).toEqual(['20261120T120000Z-0001', '20261120T120000Z-0002']);
  expect(first[1]?.exit_status).toBe(2);
  const judged = readFileSync(join(good, 'result.json'), 'utf8');
  held.lock.release();
  expect((await due()).map(({ run_id }) => run_id)).toEqual([
    '20261120T120000Z-0002',
    '20261120T120000Z-0003',
  ]);
  expect(readFileSync(join(good, 'result.json'), 'utf8')).toBe(judged);
});

test('--config judges a run anew by its tolerances; report renders the same, and without the flag the run holds', async () => {
  const kept = join(import.meta.dirname, '../../../test/kept-folders');
  const [name = ''] = readdirSync(join(kept, 'reports')).sort();
  const folder = join(dir, 'reports', name);
  cpSync(join(kept, 'reports', name), folder, { recursive: true });
  const lenient = join(dir, 'lenient.yaml');
  writeFileSync(lenient, 'version: 1\ntolerances: { gate: S1, gate_usd: "100", min_checked: 0.5 }\n');
  const flags = [
    '--ledger',
    folder,
    '--records',
    join(kept, 'records.ndjson'),
    '--state',
    join(dir, 'state'),
  ];
  expect((await reconciled(...flags)).code).toBe(5);
  const { code, said } = await reconciled(...flags, '--config', lenient);
  expect(code, said).toBe(0);
  const rendered = await runProgram(['report', '--run', name, '--out', join(dir, 'reports')], {
    out: () => {},
    err: () => {},
    ...UNWATCHED,
    width: 100,
    env: {},
  });
  expect(rendered).toBe(0);
  expect((await reconciled(...flags)).code).toBe(5);
  writeFileSync(lenient, 'version: 1\ntolerances: { gate: S9 }\n');
  expect((await reconciled(...flags, '--config', lenient)).code).toBe(2);
});

test('a run on a target without a bill has none to be read, and no key is asked for', async () => {
  const planned = planOf({ run_id: 'run' });
  const target = { ...planned.target, root: 'http://gw.example', embedded: false, bill: 'none' as const };
  const folder = join(dir, 'plain', '20261120T120000Z-0009');
  cpSync(run, folder, { recursive: true });
  rmSync(join(folder, 'usage'), { recursive: true, force: true });
  write(join(folder, 'plan.json'), JSON.stringify({ ...planned, target }));
  const { code, said } = await reconciled('--out', join(dir, 'plain'), '--run', '20261120T120000Z-0009');
  expect(code).toBe(2);
  expect(said).toMatch(/called http:\/\/gw\.example, which serves no usage records/);
});

/** Rows of new-api as its rule charges them: prices by ratio, half up to a unit of 1/500,000 USD. */
function newApiLog(charged: (index: number, units: number) => number): string {
  const rows = Array.from({ length: 12 }, (_, index) => {
    const [input, cached, output] = [1_000 + 37 * index, 200 + index, 50 + 3 * index];
    const units = Math.floor((input - cached + cached * 0.5 + output * 4) * 0.075 + 0.5);
    return {
      type: 2,
      created_at: Date.UTC(2026, 9, 9) / 1_000 + index,
      model_name: 'wb-chat-mini',
      quota: charged(index, units),
      prompt_tokens: input,
      completion_tokens: output,
      request_id: `req-${index}`,
      content: 'a prompt of somebody',
      other: JSON.stringify({ model_ratio: 0.075, cache_tokens: cached }),
    };
  });
  return JSON.stringify({ success: true, data: { items: [...rows, { ...rows[0], type: 5 }] } });
}

test('the log of another program is judged by its mapping, and by a changed mapping anew', async () => {
  const [log, pricing, out] = [join(dir, 'log.json'), join(dir, 'pricing.json'), join(dir, 'out')];
  const model = {
    model_name: 'wb-chat-mini',
    quota_type: 0,
    model_ratio: 0.075,
    completion_ratio: 4,
    cache_ratio: 0.5,
  };
  write(pricing, JSON.stringify({ success: true, data: [model] }));
  const month = ['--month', '2026-10', '--pricebook', pricing, '--records', log, '--out', out];
  write(
    log,
    newApiLog((_, units) => units),
  );
  const honest = await reconciled(...month, '--records-mapping', 'new-api');
  expect(honest.said).toContain('1 row is left out by the mapping: type 5, other.usage_semantic null');
  expect([honest.code, honest.said]).toEqual([0, expect.stringContaining('findings  none')]);
  write(
    log,
    newApiLog((index, units) => (index === 7 ? 2 * units : units)),
  );
  const double = await reconciled(...month, '--records-mapping', 'new-api');
  // Without a ledger it may be reasoning that the log leaves out: the sum is told, and nobody is accused.
  expect([double.code, double.said]).toEqual([7, expect.stringContaining("$0.000432 can't be told")]);
  const own = join(dir, 'own.yaml');
  write(
    own,
    readFileSync('src/app/evidence/record-mappings/new-api.yaml', 'utf8').replaceAll('0.000002', '0.000004'),
  );
  const half = await reconciled(...month, '--records-mapping', own);
  expect(half.said).toContain('12 records read');
  for (const file of readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.\w+$/.test(name),
  ))
    expect(readFileSync(join(out, file), 'utf8')).not.toContain('a prompt of somebody');
});

test('--preview shows the records of files as they are understood, and judges nothing', async () => {
  const log = join(dir, 'log.json');
  write(
    log,
    newApiLog((_, units) => units),
  );
  const shown = await reconciled('--records', log, '--records-mapping', 'new-api', '--preview');
  expect(shown.code).toBe(0);
  const preview = z
    .object({
      shown: z.array(z.looseObject({ amount: z.string() })),
      records: z.number(),
      left: z.record(z.string(), z.number()),
    })
    .parse(JSON.parse(shown.said));
  expect(preview).toMatchObject({ records: 12, left: { 'type 5, other.usage_semantic null': 1 } });
  expect(preview.shown).toHaveLength(10);
  expect((await reconciled('--preview')).code).toBe(2);
});
