import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { UNWATCHED } from '../../src/app/notices/unwatched.test-support.ts';
import { runProgram } from '../../src/cli/program.ts';
import { keyFingerprint } from '../../src/gateway/account/account-registry.ts';
import { readFaultPlan } from '../../src/gateway/faults/read-fault-plan.ts';
import { type GatewayReady, startGateway } from '../../src/gateway/start-gateway.ts';
import { openStore } from '../../src/ledger/store/open-store.ts';
import { listFiles, ROOT, scratchDir } from '../support/run-weighbridge.ts';

const resultSchema = z.object({
  basis: z.string(),
  money: z.object({ records: z.number(), charged: z.string().nullable(), difference: z.string().nullable() }),
  coverage: z.object({ to_the_digit: z.number().nullable(), within_bounds: z.number().nullable() }),
  findings: z.array(z.object({ class: z.string(), count: z.number(), gates: z.boolean() })),
  completeness: z.object({
    complete: z.boolean(),
    proved: z.boolean(),
    totals_records: z.number().nullable(),
  }),
});
type Result = z.infer<typeof resultSchema>;

/** What one audit said and left behind. */
interface Audited {
  readonly code: number;
  readonly text: string;
  readonly dir: string;
  readonly result: Result;
}

async function weighbridge(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const said: string[] = [];
  const code = await runProgram(args, {
    out: (line) => said.push(line),
    err: (line) => said.push(line),
    ...UNWATCHED,
    width: 200,
    env,
  });
  return { code, text: said.join('\n'), last: said.at(-1) ?? '' };
}

const verdict = z.object({ dir: z.string(), result: z.string() });

async function audited(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Audited> {
  const { code, text, last } = await weighbridge(['reconcile', ...args, '--json'], env);
  const { dir, result } = verdict.parse(JSON.parse(last));
  return { code, text, dir, result: resultSchema.parse(JSON.parse(readFileSync(result, 'utf8'))) };
}

async function gateway(plan: string | null = null): Promise<GatewayReady> {
  const faults = plan === null ? {} : { faults: readFaultPlan({ text: plan, file: 'faults.yaml' }) };
  const running = await startGateway({ port: 0, seed: 7, latency: 'fast', ...faults });
  onTestFinished(() => running.close());
  return running.ready;
}

async function call(ready: GatewayReady, path: string, body: object, key = ready.api_key): Promise<unknown> {
  const answer = await fetch(ready.base_url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return answer.json();
}

async function chats(
  ready: GatewayReady,
  count: number,
  key = ready.api_key,
  model = 'aspen-mini',
): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const messages = [{ role: 'user', content: `Tell me of mill ${index}.` }];
    await call(ready, '/v1/chat/completions', { model, max_tokens: 20 + index, messages }, key);
  }
}

async function control(
  ready: GatewayReady,
  path: string,
  body: object,
  method: 'POST' | 'PUT' = 'POST',
): Promise<unknown> {
  const answer = await fetch(ready.control_url + path, {
    method,
    headers: { authorization: `Bearer ${ready.control_token}` },
    body: JSON.stringify(body),
  });
  return answer.json();
}

/** A period ends before the second that is under way: what was just charged stands in the next one. */
async function secondOver(): Promise<number> {
  const border = Math.ceil(Date.now() / 1000 + 0.001);
  while (Date.now() < border * 1000)
    await new Promise((resolve) => setTimeout(resolve, border * 1000 - Date.now()));
  return border;
}

function month(): string {
  return new Date().toISOString().slice(0, 7);
}

function bytesOf(dir: string): Readonly<Record<string, string>> {
  return Object.fromEntries(listFiles(dir).map((file) => [file, readFileSync(file, 'latin1')]));
}

test('a month of an honest gateway: nothing but a key, exit 0, read once more into the same folder', async () => {
  const ready = await gateway();
  await chats(ready, 3, ready.api_key, 'aspen-pro');
  await call(ready, '/v1/images/generations', { model: 'lumen-image', prompt: 'a boat' });
  await secondOver();
  const [out, state] = [scratchDir(), join(scratchDir(), 'state')];
  const args = ['--month', month(), '--target', `${ready.base_url}/v1`, '--out', out, '--state', state];
  const env = { WEIGHBRIDGE_API_KEY: ready.api_key };
  const first = await audited(args, env);
  const [, shown = ''] =
    /((?: {4}.+\n)* {4}judged .+\n)/.exec(readFileSync(join(ROOT, 'docs/reconcile.md'), 'utf8')) ?? [];
  expect(shown.match(/^ {4}\w/gm)).toHaveLength(4);
  expect(first.text).toContain(shown.replaceAll(/^ {4}/gm, '').trimEnd());
  expect(first).toMatchObject({ code: 0, result: { basis: 'records', findings: [] } });
  expect(first.result.completeness).toMatchObject({ complete: true, proved: true, totals_records: 4 });
  const again = await audited(args, env);
  expect(again).toMatchObject({ code: 0, dir: first.dir, result: { money: { records: 4 } } });

  const before = bytesOf(again.dir);
  const run = again.dir.slice(out.length + 1);
  expect((await weighbridge(['report', '--run', run, '--out', out])).code).toBe(0);
  expect(bytesOf(again.dir)).toEqual(before);
  const everything = [first.text, again.text, ...Object.values(before), ...Object.values(bytesOf(state))];
  expect(everything.filter((text) => text.includes(ready.api_key))).toEqual([]);
});

test('two commands at once on one folder: one reads, the other is refused, and no record is counted twice', async () => {
  const ready = await gateway();
  await chats(ready, 3);
  await secondOver();
  const [out, state] = [scratchDir(), scratchDir()];
  const args = ['--month', month(), '--target', ready.base_url, '--out', out, '--state', state];
  const env = { WEIGHBRIDGE_API_KEY: ready.api_key };
  const both = [args, args].map((each) => weighbridge(['reconcile', ...each, '--json'], env));
  const [first, second] = await Promise.all(both);
  expect(first?.code).toBe(0);
  expect(second).toMatchObject({ code: 2 });
  expect(second?.text).toContain('run_locked');
  const after = await audited(args, env);
  expect(after).toMatchObject({ code: 0, result: { money: { records: 3 }, findings: [] } });
  expect(listFiles(after.dir).filter((file) => file.includes('.lock'))).toEqual([]);
});

const MEDIA_CHARGED_DOUBLE = `
faults:
  - { fault: bill.double_charge, parameters: { variant: double_price }, when: { nth: 7 } }
  - { fault: bill.double_charge, parameters: { variant: double_price }, when: { nth: 8 } }
`;

test('an image and a video that are charged double are said to be open, never to be right', async () => {
  const ready = await gateway(MEDIA_CHARGED_DOUBLE);
  await chats(ready, 6, ready.api_key, 'aspen-pro');
  await call(ready, '/v1/images/generations', { model: 'lumen-image', prompt: 'a boat' });
  const task = z
    .object({ id: z.string() })
    .parse(await call(ready, '/v1/videos', { model: 'orbit-2', prompt: 'a truck', seconds: 4 }));
  const headers = { authorization: `Bearer ${ready.api_key}` };
  await expect
    .poll(async () => (await fetch(`${ready.base_url}/v1/videos/${task.id}`, { headers })).text())
    .toContain('"completed"');
  await secondOver();
  const args = ['--month', month(), '--target', ready.base_url, '--out', scratchDir()];
  const env = { WEIGHBRIDGE_API_KEY: ready.api_key };
  const both = await audited([...args, '--state', scratchDir()], env);
  expect(both).toMatchObject({ code: 0, result: { findings: [], coverage: { within_bounds: 0 } } });
  expect(both.text).toMatch(
    /verdict {3}Text: checked; images and videos: \$0\.884 of \$0\.884 can't be checked without a log of your calls\.\n/,
  );
  expect(both.text).not.toContain('No billing fault was found');
});

test('a month of images alone has no verdict: its records count none of them', async () => {
  const ready = await gateway();
  await call(ready, '/v1/images/generations', { model: 'lumen-image', prompt: 'a boat' });
  await secondOver();
  const args = ['--month', month(), '--target', ready.base_url, '--out', scratchDir()];
  const env = { WEIGHBRIDGE_API_KEY: ready.api_key };
  const images = await audited([...args, '--state', scratchDir()], env);
  expect(images).toMatchObject({ code: 7, result: { coverage: { to_the_digit: 0, within_bounds: 0 } } });
  expect(images.text).toContain(
    "verdict   Nothing could be checked: 100.0 % of the charged money can't be checked without a log of your calls.",
  );
});

const FAULTS = `
faults:
  - { fault: bill.double_charge, parameters: { variant: second_record }, when: { nth: 2 } }
  - { fault: bill.multiplier_hidden, parameters: { factor: "0.9" }, when: { nth: 4 } }
  - { fault: bill.pending_forever, when: { nth: 6 } }
  - { fault: bill.totals_drift, when: { probability: 1 } }
`;

test('planted faults of a month are found by its records alone: exit 5, and what gates can be asked for', async () => {
  const ready = await gateway(FAULTS);
  await chats(ready, 8);
  const [out, state] = [scratchDir(), scratchDir()];
  const config = join(scratchDir(), 'weighbridge.yaml');
  writeFileSync(config, 'version: 1\nbilling:\n  deadlines: { text: 1s }\n');
  // Past the deadline of one second, counted in whole ones.
  for (let seconds = 0; seconds < 3; seconds += 1) await secondOver();
  const args = [
    '--month',
    month(),
    '--target',
    ready.base_url,
    '--config',
    config,
    '--out',
    out,
    '--state',
    state,
  ];
  const env = { WEIGHBRIDGE_API_KEY: ready.api_key };
  const found = await audited(args, env);
  expect(found.code).toBe(5);
  const classes = found.result.findings.map((group) => group.class);
  expect(classes.toSorted()).toEqual([
    'amount_mismatch',
    'duplicate_charge',
    'reservation_leak',
    'totals_disagree_records',
  ]);

  const run = found.dir.slice(out.length + 1);
  const high = ['--run', run, '--out', out, '--state', state, '--gate', 'S1:1000000', '--min-checked', '0'];
  const asked = await audited(high);
  expect(asked.code).toBe(0);
  const kept = bytesOf(found.dir);
  expect((await weighbridge(['report', '--run', run, '--out', out])).code).toBe(0);
  expect(bytesOf(found.dir)).toEqual(kept);
  expect((await audited(['--run', run, '--out', out, '--state', state])).code).toBe(5);
});

test('two keys are one bill, each with its own records; a second after the end is not inside', async () => {
  const ready = await gateway();
  const second = z
    .object({ api_key: z.string() })
    .parse(await control(ready, '/keys', { user_id: ready.user_id })).api_key;
  await chats(ready, 2);
  await chats(ready, 3, second);
  await secondOver();
  const files = [ready.api_key, second].map((key, index) => {
    const file = join(scratchDir(), `key-${index}.txt`);
    writeFileSync(file, `${key}\n`);
    return file;
  });
  const out = scratchDir();
  const base = ['--target', ready.base_url, '--out', out, '--state', scratchDir()];
  const both = await audited(['--month', month(), ...base, '--key-file', ...files, files[0] ?? '']);
  expect(both).toMatchObject({ code: 0, result: { money: { records: 5, difference: '0' } } });
  expect(both.text).toContain(`2 records of key ${keyFingerprint(ready.api_key)} read`);
  expect(both.text).toContain(`3 records of key ${keyFingerprint(second)} read`);

  // One more call in a later second: the seam of two windows of 31 days lies between it and the others.
  const border = await secondOver();
  await chats(ready, 1);
  await secondOver();
  const instant = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
  const from = ['--from', instant(border - 31 * 86_400)];
  const key = ['--key-file', files[0] ?? ''];
  const whole = await audited([...from, '--to', instant(border + 3_600), ...base, ...key]);
  expect(whole).toMatchObject({ code: 0, result: { money: { records: 3 }, completeness: { proved: true } } });
  const before = await audited([...from, '--to', instant(border), ...base, ...key]);
  expect(before).toMatchObject({ code: 0, result: { money: { records: 2 } } });
});

test('what cannot be audited says so: no such host 3, no key and bad flags 2 with their code', async () => {
  const out = scratchDir();
  const env = { WEIGHBRIDGE_API_KEY: 'sk-never-shown' };
  const asked = async (...args: readonly string[]) => {
    const { code, text } = await weighbridge(['reconcile', ...args, '--out', out, '--json'], env);
    expect(text).not.toContain('sk-never-shown');
    return `${code} ${/"code":"([a-z_]+)"/.exec(text)?.[1]}`;
  };
  const target = ['--target', 'http://127.0.0.1:9'];
  expect(await asked('--month', '2025-10', ...target)).toBe('3 target_unreachable');
  expect(listFiles(out)).toEqual([]);
  expect(await asked('--month', '2025-13', ...target)).toBe('2 period_invalid');
  expect(await asked('--from', '2025-10-01', ...target)).toBe('2 period_invalid');
  expect(await asked('--month', '2025-10')).toBe('2 target_missing');
  expect(await asked('--month', '2025-10', ...target, '--gate', 'S9')).toBe('2 gate_invalid');
  expect(await asked('--month', '2025-10', ...target, '--gate', 'S3:-1')).toBe('2 gate_invalid');
  expect(await asked('--month', '2025-10', ...target, '--gate', 'S3:0:no_class')).toBe('2 gate_invalid');
  expect(await asked('--month', '2025-10', ...target, '--min-checked', '95')).toBe('2 min_checked_invalid');
  expect(await asked('--month', '2025-10', '--records', join(out, 'none.csv'))).toBe('2 pricebook_missing');
  expect(
    await asked(
      '--month',
      '2025-10',
      ...target,
      '--records',
      join(out, 'none.csv'),
      '--pricebook',
      'no.json',
    ),
  ).toBe('2 book_missing');
  const none = await weighbridge(['reconcile', '--month', '2025-10', ...target, '--out', out, '--json']);
  expect(none).toMatchObject({ code: 2, text: expect.stringContaining('credential_missing') });
});

test('what one period leaves open is carried over, and asked for by its request id in the next', async () => {
  const ready = await gateway('faults:\n  - { fault: bill.pending_forever, when: { nth: 1 } }\n');
  await chats(ready, 2);
  const border = await secondOver();
  const instant = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
  const [out, state] = [scratchDir(), scratchDir()];
  const base = ['--target', ready.base_url, '--out', out, '--state', state];
  const env = { WEIGHBRIDGE_API_KEY: ready.api_key };
  const first = await audited(['--from', instant(border - 3_600), '--to', instant(border), ...base], env);
  expect(suspenseOf(first)).toMatchObject({
    opening: { items: 0 },
    added: { items: 1 },
    closing: { items: 1 },
  });
  const [file = ''] = listFiles(state);
  expect(file).toMatch(/127\.0\.0\.1_\d+\/suspense\.ndjson$/);
  const open = readFileSync(file, 'utf8');
  expect(open).toContain(keyFingerprint(ready.api_key));

  await secondOver();
  const next = ['--from', instant(border), '--to', instant(border + 3_600), ...base];
  const second = await audited(next, env);
  // Still pending when it was asked for by its id: carried on, and no record of this period.
  expect(suspenseOf(second)).toMatchObject({
    opening: { items: 1 },
    cleared: { items: 0 },
    closing: { items: 1 },
  });
  expect(second.result.money.records).toBe(0);
  const reads = readFileSync(join(second.dir, 'usage/pages.ndjson'), 'utf8');
  expect(reads).toContain('"read":"request"');
  const bytes = bytesOf(second.dir);
  writeFileSync(file, '');
  expect((await weighbridge(['report', '--run', second.dir.slice(out.length + 1), '--out', out])).code).toBe(
    second.code,
  );
  expect(bytesOf(second.dir)).toEqual(bytes);
});

const bridge = z.object({
  money: z.object({
    suspense: z.record(z.string(), z.object({ items: z.number(), amount: z.string().nullable() })),
  }),
});

function suspenseOf({ dir }: Audited) {
  return bridge.parse(JSON.parse(readFileSync(join(dir, 'result.json'), 'utf8'))).money.suspense;
}

test('a month is judged by the books of its time, which the archive has: without it nothing can be said', async () => {
  const ready = await gateway();
  const [out, state] = [scratchDir(), scratchDir()];
  const env = { WEIGHBRIDGE_API_KEY: ready.api_key };
  const pull = () => weighbridge(['pull', '--target', ready.base_url, '--state', state], env);
  await chats(ready, 3);
  expect((await pull()).code).toBe(0);
  await control(ready, '/prices', { factor: '3' }, 'PUT');
  await chats(ready, 1);
  await secondOver();
  const args = ['--month', month(), '--target', ready.base_url];
  const kept = await audited([...args, '--out', out, '--state', state], env);
  expect(kept.text).toMatch(/taken up from the archive: 1 price book, 3 records as served before/);
  expect(kept).toMatchObject({
    code: 0,
    result: { findings: [], coverage: { to_the_digit: 1 }, money: { records: 4, difference: '0' } },
  });
  const again = await audited([...args, '--out', out, '--state', state], env);
  expect(again).toMatchObject({ code: 0, result: { findings: [], money: { records: 4 } } });
  expect(again.text).not.toContain('taken up');
  const without = await audited([...args, '--out', scratchDir(), '--state', scratchDir()], env);
  expect(without).toMatchObject({ code: 7, result: { findings: [] } });
  expect(without.text).toContain('the price book of its pricing version was not archived');
});

const LATER_CHANGED = `
faults:
  - { fault: bill.state_regression, parameters: { variant: gone, after_ms: 4000 }, when: { nth: 2 } }
  - { fault: bill.state_regression, parameters: { variant: amount, after_ms: 4000 }, when: { nth: 3 } }
`;

test('records that changed or went after they were archived are found, of the same key alone', async () => {
  const ready = await gateway(LATER_CHANGED);
  const [out, state] = [scratchDir(), scratchDir()];
  const env = { WEIGHBRIDGE_API_KEY: ready.api_key };
  await chats(ready, 4);
  await secondOver();
  expect((await weighbridge(['pull', '--target', ready.base_url, '--state', state], env)).code).toBe(0);
  const before = await amounts(ready);
  expect(before).toHaveLength(4);
  await expect
    .poll(async () => (await amounts(ready)).filter((amount) => !before.includes(amount)).length)
    .toBe(1);
  await expect.poll(async () => (await amounts(ready)).length).toBe(3);
  const args = ['--month', month(), '--target', ready.base_url, '--out', out, '--state', state];
  const found = await audited(args, env);
  expect(found).toMatchObject({ code: 5, result: { money: { records: 3 } } });
  expect(regressionsIn(found)).toEqual(['changed_after_settlement', 'vanished']);
  // Read once more, nothing is found twice; without the archive the same bill shows neither.
  expect(regressionsIn(await audited(args, env))).toEqual(['changed_after_settlement', 'vanished']);
  const fresh = ['--out', scratchDir(), '--state', scratchDir()];
  expect(regressionsIn(await audited([...args.slice(0, 4), ...fresh], env))).toEqual([]);

  // What another key was served is another bill.
  const other = z
    .object({ api_key: z.string() })
    .parse(await control(ready, '/keys', { user_id: ready.user_id })).api_key;
  const otherBill = await audited(args, { WEIGHBRIDGE_API_KEY: other });
  expect({ found: regressionsIn(otherBill), records: otherBill.result.money.records }).toEqual({
    found: [],
    records: 0,
  });
});

const page = z.object({ data: z.array(z.object({ amount: z.string() })) });

async function amounts({ base_url, api_key }: GatewayReady): Promise<readonly string[]> {
  const end = Math.ceil(Date.now() / 1000) + 1;
  const answer = await fetch(`${base_url}/v1/usage/requests?start_time=${end - 3_600}&end_time=${end}`, {
    headers: { authorization: `Bearer ${api_key}` },
  });
  return page.parse(await answer.json()).data.map(({ amount }) => amount);
}

const finding = z.object({ class: z.string(), rule: z.string() });

function regressionsIn({ dir }: Audited): readonly string[] {
  const lines = readFileSync(join(dir, 'findings.ndjson'), 'utf8').split('\n');
  return lines
    .flatMap((line) => (line === '' ? [] : finding.parse(JSON.parse(line))))
    .flatMap(({ class: name, rule }) => (name === 'state_regression' ? [rule] : []))
    .sort();
}

test('the records of a month as files: NDJSON, CSV and Parquet give what the gateway itself gave', async () => {
  const ready = await gateway(FAULTS);
  await chats(ready, 4);
  await secondOver();
  const out = scratchDir();
  const common = ['--month', month(), '--out', out, '--state', scratchDir()];
  const served = await audited([...common, '--target', ready.base_url], {
    WEIGHBRIDGE_API_KEY: ready.api_key,
  });
  const files = scratchDir();
  const page = z.looseObject({ data: z.array(z.record(z.string(), z.unknown())) });
  const answer = await fetch(
    `${ready.base_url}/v1/usage/requests?start_time=${Math.floor(Date.now() / 1000) - 3_600}&limit=100`,
    { headers: { authorization: `Bearer ${ready.api_key}` } },
  );
  const { data } = page.parse(await answer.json());
  const book = join(files, 'book.json');
  writeFileSync(book, await (await fetch(`${ready.base_url}/pricing.usd.json`)).text());
  const [ndjson, csv, parquet] = ['ndjson', 'csv', 'parquet'].map((end) => join(files, `records.${end}`));
  if (ndjson === undefined || csv === undefined || parquet === undefined) throw new Error('no file');
  writeFileSync(ndjson, data.map((record) => `${JSON.stringify(record)}\n`).join(''));
  const names = Object.keys(data[0] ?? {});
  writeFileSync(
    csv,
    [names, ...data.map((record) => names.map((name) => record[name]))]
      .map((row) => `${row.join(',')}\n`)
      .join(''),
  );
  const store = await openStore({ memory_bytes: 1_000_000_000, temp_dir: files });
  await store.copy(
    `SELECT * REPLACE (amount::DECIMAL(38,12) AS amount) FROM read_csv('${csv}', all_varchar = true)`,
    parquet,
    'parquet',
  );
  await store.close();
  const charged = served.result.money.charged;
  const classes = (result: Result) =>
    result.findings
      .map((group) => `${group.class} ${group.count}`)
      .filter((one) => !one.startsWith('totals'));
  for (const file of [ndjson, csv, parquet]) {
    const read = await audited([...common, '--records', file, file, '--pricebook', book]);
    expect({ file, code: read.code, charged: read.result.money.charged }).toEqual({ file, code: 5, charged });
    expect(classes(read.result)).toEqual(classes(served.result));
    expect(read.result.completeness).toMatchObject({ complete: true, proved: false });
    // The folder needs neither file any more, and reads none twice.
    const bytes = bytesOf(read.dir);
    const again = await audited([...common, '--records', file, '--pricebook', book]);
    expect(again.dir).toBe(read.dir);
    expect(bytesOf(again.dir)).toEqual(bytes);
  }
  // Another book judges the same bill: one folder, whose verdict is replaced, and never without a word.
  const dearer = join(files, 'dearer.csv');
  writeFileSync(
    dearer,
    'model,input,output,rounding_quantum,rounding_mode\naspen-mini,90,90,0.000001,half_up\n',
  );
  const first = await audited([...common, '--records', ndjson, '--pricebook', book]);
  expect(first.text).not.toContain('another price book');
  const other = await audited([...common, '--records', ndjson, '--pricebook', dearer]);
  expect(other.dir).toBe(first.dir);
  expect(other.text).toContain('judged by another price list than before');
  expect(other.result.money.difference).not.toBe(first.result.money.difference);
  expect(listFiles(other.dir).filter((name) => name.includes('own-'))).toHaveLength(1);
  writeFileSync(ndjson, readFileSync(ndjson, 'utf8').slice(0, -20));
  const torn = await audited([...common, '--records', ndjson, '--pricebook', book]);
  expect(torn.result.completeness.complete).toBe(false);
  expect(torn.text).toContain(`${ndjson}:${data.length}: expected one JSON object, found a part of one`);
});

test('a key that is refused leaves no folder, and a month is named where no run is to be found', async () => {
  const ready = await gateway();
  await chats(ready, 1);
  await secondOver();
  const out = scratchDir();
  const args = ['reconcile', '--month', month(), '--target', ready.base_url, '--out', out];
  const state = ['--state', join(scratchDir(), 'state')];
  const refused = await weighbridge([...args, ...state], { WEIGHBRIDGE_API_KEY: 'sk-not-a-real-key' });
  expect(refused).toMatchObject({ code: 3, text: expect.stringContaining('credentials_refused') });
  expect(readdirSync(out)).toEqual([]);
  expect((await weighbridge([...args, ...state], { WEIGHBRIDGE_API_KEY: ready.api_key })).code).toBe(0);
  // To render it takes no choice; to judge again would be one among several.
  expect((await weighbridge(['report', '--out', out])).code).toBe(0);
  const unnamed = await weighbridge(['reconcile', '--out', out]);
  const [folder = ''] = readdirSync(out).filter((name) => name.startsWith('month-'));
  expect(unnamed).toMatchObject({
    code: 2,
    text: expect.stringContaining(`Give one of these ids: ${folder}.`),
  });
});
