import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { UNWATCHED } from '../../app/notices/unwatched.test-support.ts';
import { LEDGER_SCHEMA } from '../../contracts/schema-names.ts';
import { bookDocument, inputOf, recordOf, textRow } from '../../reconcile/reconcile.test-support.ts';
import { explanationSchema } from '../../report/explain/explanation-schema.ts';
import { planOf, stateOf } from '../../workload/plan.test-support.ts';
import { runProgram } from '../program.ts';

const ROOT = 'https://gateway.example';

let dir = '';
/** A run in which `b` was charged twice and `c` too much, on a gateway that keeps state. */
let run = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'weighbridge-claims-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  run = join(dir, 'out/run');
  const names = ['a', 'b', 'c'];
  const header = {
    schema: LEDGER_SCHEMA,
    run_id: 'run',
    instance: 'one',
    file: 0,
    segment: '0:1',
    seed: 1,
    clock: { wall: '2026-11-20T12:00:00.000Z', mono_ms: 0 },
    plan_hash: 'h',
    key_fp: null,
    cores: 2,
    versions: { weighbridge: '0', k6: '2', go: '1' },
  };
  const rows = names.map((name) => textRow(name));
  write('calls/one-0.ndjson', [header, ...rows, stateOf({ instance: 'one', run_id: 'run' })]);
  const target = {
    name: 'gateway',
    root: ROOT,
    v1: `${ROOT}/v1`,
    api: `${ROOT}/api`,
    embedded: false,
    key: 'exclusive' as const,
    bill: 'served' as const,
  };
  writeText('plan.json', JSON.stringify(planOf({ run_id: 'run', target })));
  const book = JSON.stringify(bookDocument());
  writeText(`books/${createHash('sha256').update(book).digest('hex')}.json`, book);
  declared('net');
  served([{ records: RECORDS }]);
});

/** As a contract says, or nobody did, what a refund means for an amount. */
function declared(amount: 'net' | 'auto'): void {
  writeText(
    'config.yaml',
    `tolerances: { min_checked: 0.95, gate: S3 }\nbilling: { readings: { amount: ${amount} } }\n`,
  );
}

const TWICE = recordOf('b', { id: 'rec-b2' });
const HIGH = recordOf('c', { amount: '0.0030', refunded_amount: '0.007' });
const RECORDS = [recordOf('a'), recordOf('b'), TWICE, HIGH];

type Sweeps = NonNullable<Parameters<typeof inputOf>[0]['sweeps']>;

function served(sweeps: Sweeps): void {
  const { reads, records } = inputOf({ sweeps });
  write('usage/pages.ndjson', reads);
  write('usage/records.ndjson', records);
}

function write(name: string, lines: readonly unknown[]): void {
  writeText(name, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

function writeText(name: string, text: string): void {
  mkdirSync(dirname(join(run, name)), { recursive: true });
  writeFileSync(join(run, name), text);
}

async function weighbridge(...args: readonly string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const status = await runProgram(args, {
    out: (line) => out.push(line),
    err: (line) => err.push(line),
    ...UNWATCHED,
    width: 100,
    env: {},
  });
  return { status, out: out.join('\n'), err: err.join('\n') };
}

const state = () => join(dir, 'state');
const bundleTo = (file: string, ...more: readonly string[]) =>
  weighbridge(
    'report',
    '--out',
    join(dir, 'out'),
    '--state',
    state(),
    '--bundle',
    join(dir, file),
    '--json',
    ...more,
  );
const claims = (...args: readonly string[]) => weighbridge('claims', ...args, '--state', state());

const verdict = z.object({
  bundle: z
    .object({
      id: z.string(),
      file: z.string().nullable(),
      claims: z.number(),
      claimed_usd: z.string().nullable(),
      untold: z.array(z.string()),
    })
    .nullable(),
});
function bundleOf({ out }: { readonly out: string }) {
  return verdict.parse(JSON.parse(out.split('\n').at(-1) ?? '')).bundle;
}

function stateFile(): string {
  return readFileSync(join(state(), 'gateway.example', 'claims.ndjson'), 'utf8');
}

test('a dry run prints what is held and left out, and writes neither bundle nor claim', async () => {
  const { err, ...rest } = await bundleTo('claim.zip', '--dry-run');
  expect(bundleOf(rest)).toMatchObject({ file: null, claims: 2, claimed_usd: '0.003' });
  expect(err).toContain('  leaves out:\n    API keys, access tokens, and the fingerprints of keys');
  expect(existsSync(join(dir, 'claim.zip'))).toBe(false);
  expect(existsSync(state())).toBe(false);
  expect((await weighbridge('report', '--out', join(dir, 'out'), '--dry-run')).err).toContain('flag_alone');
});

test('a cause below claims.minimum_usd is in no bundle, and is said with its sum', async () => {
  const least = (usd: string) =>
    writeText(
      'config.yaml',
      `billing: { readings: { amount: net } }\ntolerances: { min_checked: 0.95, gate: S3 }\nclaims: { minimum_usd: "${usd}" }\n`,
    );
  least('0.001');
  const some = await bundleTo('claim.zip', '--dry-run');
  expect(bundleOf(some)).toMatchObject({ claims: 1, claimed_usd: '0.0028' });
  expect(some.err).toContain('not claimed: below the least amount claimed · USD 0.0002 · 1 cause');
  least('1.00');
  const none = await bundleTo('claim.zip', '--dry-run');
  expect(bundleOf(none)).toBeNull();
  expect(none.err).toContain('not claimed: below the least amount claimed · USD 0.003 · 2 causes');
  expect(none.err).toContain('No bundle was written. There is nothing to claim.');
});

test('while a term is told by nobody the bundle asks; once it is declared the same charges are claimed', async () => {
  declared('auto');
  const asked = await weighbridge(
    'report',
    '--out',
    join(dir, 'out'),
    '--state',
    state(),
    '--bundle',
    '--json',
  );
  const question = bundleOf(asked);
  expect(question).toMatchObject({ claims: 2, claimed_usd: null, untold: ['amount_meaning'] });
  expect(question?.file).toBe(join(run, `question-${question?.id}.zip`));
  expect(asked.err).toContain(
    '2 questions, no sum is demanded until the target publishes, or the configuration declares, whether an amount has its refund taken off (billing.readings.amount)',
  );
  expect((await claims()).out).toContain(`bundle ${question?.id} of run, which asks and demands no sum`);
  declared('net');
  const claim = bundleOf(await bundleTo('claim.zip'));
  expect(claim).toMatchObject({ claims: 2, claimed_usd: '0.003', untold: [] });
  expect(claim?.id).not.toBe(question?.id);
  expect((await claims()).out).toContain('open 2 ($0.003)');
  expect((await claims()).out).not.toContain('demands no sum');
});

test('what was asked and sent is not asked again', async () => {
  declared('auto');
  await claims('sent', bundleOf(await bundleTo('one.zip'))?.id ?? '');
  const again = await bundleTo('two.zip');
  expect(bundleOf(again)).toBeNull();
  expect(again.err).toContain('asked before:');
});

test('the bundle opens with common tools, and its manifest holds', async () => {
  await bundleTo('claim.zip');
  const files = unzipSync(readFileSync(join(dir, 'claim.zip')));
  let folder = '';
  for (const [name, bytes] of Object.entries(files)) {
    folder = join(dir, name.split('/')[0] ?? '');
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), bytes);
  }
  const check = () =>
    spawnSync('sha256sum', ['--check', 'MANIFEST.sha256'], { cwd: folder, encoding: 'utf8' });
  expect(check()).toMatchObject({ status: 0, stdout: expect.stringContaining('letter.md: OK') });
  appendFileSync(join(folder, 'letter.md'), 'and more\n');
  expect(check().status).toBe(1);
});

test('written again it is the same bytes and no further claim; once sent it is not claimed again', async () => {
  const first = bundleOf(await bundleTo('one.zip'));
  const noted = stateFile();
  expect(noted.trimEnd().split('\n')).toHaveLength(2);
  expect(bundleOf(await bundleTo('two.zip'))).toMatchObject({ id: first?.id });
  expect(readFileSync(join(dir, 'one.zip')).equals(readFileSync(join(dir, 'two.zip')))).toBe(true);
  expect(stateFile()).toBe(noted);
  expect((await claims()).out).toContain('open 2 ($0.003) · sent 0 ($0)');

  expect((await claims('sent', first?.id ?? '')).out).toContain('open 0 ($0) · sent 2 ($0.003)');
  const again = await bundleTo('three.zip');
  expect(bundleOf(again)).toBeNull();
  expect(again.err).toContain('claimed before:');
  expect(existsSync(join(dir, 'three.zip'))).toBe(false);
});

test('a refund in later records credits its claim, which no bundle claims again', async () => {
  await bundleTo('one.zip');
  const back = { ...TWICE, billing_status: 'refunded', amount: '0', refunded_amount: '0.01' };
  served([{ records: RECORDS }, { records: [recordOf('a'), recordOf('b'), back, HIGH] }]);
  await weighbridge('reconcile', '--out', join(dir, 'out'), '--run', 'run', '--state', state());
  const { out } = await claims();
  expect(out).toContain('open 1 ($0.0002) · sent 0 ($0) · credited 1 ($0.0028)');
  expect(out).toMatch(/credited {2}\$0\.0028 {2}duplicate_charge {2}req-b .*\$0\.0028 came back/);
  expect(stateFile()).toContain('"by":"records","credited":"0.0028"');
  const noted = stateFile();
  await weighbridge('reconcile', '--out', join(dir, 'out'), '--run', 'run', '--state', state());
  expect(stateFile()).toBe(noted);
  // The record is charged once more: what was credited stays credited.
  served([{ records: RECORDS }, { records: RECORDS }, { records: RECORDS }]);
  expect(bundleOf(await bundleTo('two.zip'))).toMatchObject({ claims: 1, claimed_usd: '0.0002' });
});

test('a run is read again while a claim of it was sent and is not answered', async () => {
  const first = bundleOf(await bundleTo('one.zip'));
  const again = ['reconcile', '--out', join(dir, 'out'), '--run', 'run', '--state', state()];
  expect((await weighbridge(...again)).err).not.toContain('to be read');
  await claims('sent', first?.id ?? '');
  expect((await weighbridge(...again)).err).toContain('records of this run are still unread');
  await claims('credited', first?.id ?? '');
  expect((await weighbridge(...again)).err).not.toContain('to be read');
});

test('a part that came back leaves the claim as it was, with what came back', async () => {
  const first = bundleOf(await bundleTo('one.zip'));
  await claims('sent', first?.id ?? '');
  const part = { ...HIGH, amount: '0.0029', refunded_amount: '0.0071' };
  served([{ records: RECORDS }, { records: [recordOf('a'), recordOf('b'), TWICE, part] }]);
  await weighbridge('reconcile', '--out', join(dir, 'out'), '--run', 'run', '--state', state());
  expect((await claims()).out).toMatch(/sent {6}\$0\.0002 {2}amount_mismatch {2}req-c .*\$0\.0001 came back/);
});

test('an audit that has not seen what came back of a claim does not claim it whole again', async () => {
  const first = bundleOf(await bundleTo('one.zip'));
  await claims('sent', first?.id ?? '');
  const part = { ...HIGH, amount: '0.0029', refunded_amount: '0.0071' };
  const later = { records: [recordOf('a'), recordOf('b'), TWICE, part] };
  served([{ records: RECORDS }, later]);
  const again = ['reconcile', '--out', join(dir, 'out'), '--run', 'run', '--state', state()];
  await weighbridge(...again);
  await claims('open', first?.id ?? '');
  // As another audit of the same requests has it, which read before the gateway gave back.
  served([{ records: RECORDS }]);
  const stale = await bundleTo('two.zip');
  expect(bundleOf(stale)).toMatchObject({ claims: 1, claimed_usd: '0.0028' });
  expect(stale.err).toMatch(/claimed before: \w+ · \$0\.0002 · open · \$0\.0001 came back/);
  expect((await weighbridge(...again)).err).toContain('records of this run are still unread');
  served([{ records: RECORDS }, later]);
  expect(bundleOf(await bundleTo('three.zip'))).toMatchObject({ claims: 2, claimed_usd: '0.0029' });
  expect((await claims()).out).toContain('open 2 ($0.0029)');
});

test('a record that is out of sight shows no credit, nor does a dry run note one', async () => {
  await bundleTo('one.zip');
  const noted = stateFile();
  served([{ records: RECORDS }, { records: [recordOf('a'), recordOf('b'), HIGH] }]);
  await weighbridge('reconcile', '--out', join(dir, 'out'), '--run', 'run', '--state', state());
  expect(stateFile()).toBe(noted);
  const back = { ...HIGH, amount: '0.0028', refunded_amount: '0.0072' };
  served([{ records: RECORDS }, { records: [recordOf('a'), recordOf('b'), TWICE, back] }]);
  await bundleTo('two.zip', '--dry-run');
  expect(stateFile()).toBe(noted);
  await bundleTo('two.zip');
  expect(stateFile()).toContain('"by":"records","credited":"0.0002"');
});

test('what was read before the claim shows no credit', async () => {
  served([{ records: RECORDS, at_ms: Date.UTC(2026, 10, 25) }]);
  await bundleTo('one.zip');
  const pending = RECORDS.map((record) => ({
    ...record,
    amount: '0',
    refunded_amount: '0',
    reserved_amount: '0',
  }));
  served([{ records: pending, at_ms: Date.UTC(2026, 10, 24) }]);
  await weighbridge('reconcile', '--out', join(dir, 'out'), '--run', 'run', '--state', state());
  expect((await claims()).out).toContain('open 2 ($0.003)');
});

test('refused, open again, credited by hand: the last of them for good', async () => {
  const first = bundleOf(await bundleTo('one.zip'));
  const id = first?.id ?? '';
  expect((await claims('refused', id)).out).toContain('refused 2 ($0.003)');
  expect((await claims('open', id)).out).toContain('open 2 ($0.003)');
  expect((await claims('credited', id, '--target', `${ROOT}/v1`)).out).toContain('credited 2 ($0.003)');
  const claim = /^ {4}([0-9a-f]{12}) {2}credited/m.exec((await claims()).out)?.[1] ?? '';
  expect(await claims('sent', claim)).toMatchObject({
    status: 2,
    err: expect.stringContaining('claim_credited'),
  });
  const json = z
    .object({
      targets: z.array(z.object({ claims: z.array(z.object({ state: z.string(), credited: z.string() })) })),
    })
    .parse(JSON.parse((await claims('--json')).out));
  expect(json.targets[0]?.claims.map(({ state: now }) => now)).toEqual(['credited', 'credited']);
});

test('what may still come right stands with the date from which it can be claimed, also without any claim', async () => {
  expect((await claims()).out).toBe('no claims');
  const folder = join(state(), 'gateway.example');
  const item = (id: string, deadline_at: string, is: 'open' | 'cleared') => ({
    ...{ schema: 'weighbridge.suspense/1', id, request_id: null, kind: 'chat', model: 'text-1', key_fp: 'k' },
    ...{ amount_lo: '0', amount_hi: '1', since: null, deadline_at, first_run: 'run', first_seen: null },
    ...{ last_run: 'run', state: is, cleared_by: null },
  });
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'suspense.ndjson'),
    [
      item('call:a', '2026-11-21T00:00:00.000Z', 'open'),
      item('call:b', '2026-11-20T00:00:00.000Z', 'cleared'),
      item('call:c', '2026-11-22T00:00:00.000Z', 'open'),
    ]
      .map((each) => `${JSON.stringify(each)}\n`)
      .join(''),
  );
  expect((await claims()).out.split('\n').at(-1)).toBe(
    '  awaited: 2 charges that may still settle or be refunded in time; can be claimed from 2026-11-21T00:00:00.000Z, the last from 2026-11-22T00:00:00.000Z',
  );
});

test('what nobody claimed is refused with the nearest id, and a state that does not exist', async () => {
  expect((await claims()).out).toBe('no claims');
  const first = bundleOf(await bundleTo('one.zip'));
  const id = first?.id ?? '';
  const wrong = `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`;
  expect(await claims('sent', wrong)).toMatchObject({
    status: 2,
    err: expect.stringContaining(`Did you mean ${id}?`),
  });
  expect(await claims('sent')).toMatchObject({ status: 2, err: expect.stringContaining('claim_not_found') });
  expect(await claims('paid', id)).toMatchObject({ status: 2, err: expect.stringContaining('found paid') });
});

test('a line that is no event of a claim is refused with file and line', async () => {
  await bundleTo('one.zip');
  appendFileSync(
    join(state(), 'gateway.example', 'claims.ndjson'),
    '{"schema":"weighbridge.claim/1","claim":"x"}\n',
  );
  const { status, err } = await claims();
  expect(status).toBe(2);
  expect(err).toContain('claims.ndjson:3 is not a line of weighbridge.claim/1');
});

test('half a line, of a disk that was full or a process that was killed, was never noted and costs nothing else', async () => {
  const first = bundleOf(await bundleTo('one.zip'));
  const file = join(state(), 'gateway.example', 'claims.ndjson');
  const noted = stateFile();
  appendFileSync(file, noted.slice(0, 100));
  expect((await claims()).out).toContain('open 2 ($0.003)');
  expect((await claims('sent', first?.id ?? '')).out).toContain('sent 2 ($0.003)');
  expect(stateFile().startsWith(`${noted}{"schema"`)).toBe(true);
  // A last line that an editor left without its end is a line.
  writeFileSync(file, noted.trimEnd());
  expect((await claims('sent', first?.id ?? '')).out).toContain('sent 2 ($0.003)');
});

test('no bundle is written whose claims cannot be noted: another would claim them again', async () => {
  mkdirSync(join(state(), 'gateway.example', 'claims.ndjson.lock'), { recursive: true });
  expect((await bundleTo('one.zip')).status).not.toBe(0);
  expect(readdirSync(dir).sort()).toEqual(['out', 'state']);
});

test('explain tells one request, offers the nearest id, and has a form for programs', async () => {
  const out = ['--out', join(dir, 'out'), '--run', 'run'];
  const told = await weighbridge('explain', 'req-b', ...out);
  expect(told.status).toBe(0);
  expect(told.out).toContain('Billed twice (duplicate_charge)');
  const json = await weighbridge('explain', 'call-b', ...out, '--json');
  expect(explanationSchema.parse(JSON.parse(json.out)).rows[0]).toMatchObject({
    charged: '0.0056',
    certain_over: '0.0028',
  });
  const none = await weighbridge('explain', 'req-bb', ...out);
  expect(none).toMatchObject({ status: 2, err: expect.stringMatching(/Did you mean req-[abc]\?/) });
  expect(none.err).toContain('id_not_found');
});

test('explain finds the finding that a verdict pointed at, though a run was made since', async () => {
  const out = ['--out', join(dir, 'out')];
  await weighbridge('report', ...out, '--run', 'run');
  const [id] = /"id":"(\w+)"/.exec(readFileSync(join(run, 'findings.ndjson'), 'utf8'))?.slice(1) ?? [];
  mkdirSync(join(dir, 'out/z-later/calls'), { recursive: true });
  const told = await weighbridge('explain', id ?? '', ...out);
  expect(told).toMatchObject({ status: 0, out: expect.stringMatching(`^finding +${id} `) });
});

test.each(['explain', 'claims', 'report'])('the help of %s begins with examples', async (command) => {
  const { out } = await weighbridge(command, '--help');
  expect(out.split('\n')[0]).toBe('Examples:');
});
