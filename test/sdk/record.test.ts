import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI, { toFile } from 'openai';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest';
import { UNWATCHED } from '../../src/app/notices/unwatched.test-support.ts';
import { runProgram } from '../../src/cli/program.ts';
import type { CallRow } from '../../src/contracts/ledger-lines.ts';
import { readEvidence } from '../../src/ledger/evidence/read-evidence.ts';
import { type LoadedLedger, loadLedger } from '../../src/ledger/load-ledger.ts';
import { archivedBook, judge, START_MS } from '../../src/reconcile/reconcile.test-support.ts';
import { fingerprintOf, type RecordOptions, type WeighedFetch, weighed } from '../../src/record/record.ts';
import { shownOn } from '../support/docs/shown-commands.ts';
import { type SdkBench, startBench } from './clients.ts';
import { collect } from './collect.ts';
import { usageOf } from './usage-of.ts';

const MODEL = 'aspen-mini';
const PROMPT = 'Zanzibar marmalade: tell of the harbor.';

let bench: SdkBench;
let dir = '';
let recorded: WeighedFetch;
const errors: unknown[] = [];

beforeAll(async () => {
  // The clients print what they cannot parse.
  vi.spyOn(console, 'error').mockImplementation(() => {});
  bench = await startBench();
});
afterAll(async () => {
  vi.restoreAllMocks();
  await bench.gateway.close();
});
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'wb-record-'));
  errors.length = 0;
  recorded = weighed({ dir, onError: (error) => errors.push(error) });
});
afterEach(async () => {
  await bench.control('PUT', '/faults', { faults: [] });
  rmSync(dir, { recursive: true, force: true });
});

function clients(fetch: WeighedFetch = recorded, maxRetries = 0) {
  const { base_url, api_key: apiKey } = bench.gateway.ready;
  return {
    openai: new OpenAI({ apiKey, baseURL: `${base_url}/v1`, maxRetries, fetch }),
    anthropic: new Anthropic({ apiKey, baseURL: base_url, maxRetries, fetch }),
  };
}

const messages = [{ role: 'user' as const, content: PROMPT }];
const text = { model: MODEL, max_tokens: 24, messages };

async function plant(fault: string, parameters: object = {}, when: object = { nth: 1 }): Promise<void> {
  await bench.control('PUT', '/faults', { faults: [{ fault, when, parameters }] });
}

/** The ledger, which must be one that anybody can load. */
async function ledger(): Promise<LoadedLedger> {
  const loaded = await loadLedger(dir);
  expect(loaded.problems).toEqual([]);
  expect(loaded.unknown_lines).toBe(0);
  return loaded;
}

async function onlyRow(): Promise<CallRow> {
  const { rows, intents } = await ledger();
  expect(rows).toHaveLength(1);
  expect(intents.map(({ call_id }) => call_id)).toEqual(rows.map(({ call_id }) => call_id));
  const [row] = rows;
  if (row === undefined) throw new Error('no row');
  return row;
}

/** Everything that was written. */
function files(): string {
  return readdirSync(dir)
    .map((name) => readFileSync(join(dir, name), 'utf8'))
    .join('');
}

const CALLS = {
  chat: async () => [await clients().openai.chat.completions.create(text)],
  'chat streamed': async () => {
    const body = { ...text, stream: true, stream_options: { include_usage: true } } as const;
    return await collect(await clients().openai.chat.completions.create(body));
  },
  responses: async () => [await clients().openai.responses.create({ model: MODEL, input: PROMPT })],
  'responses streamed': async () =>
    await collect(await clients().openai.responses.create({ model: MODEL, input: PROMPT, stream: true })),
  messages: async () => [await clients().anthropic.messages.create(text)],
  'messages streamed': async () =>
    await collect(await clients().anthropic.messages.create({ ...text, stream: true })),
  image: async () => [
    await clients().openai.images.generate({
      model: 'lumen-image',
      prompt: PROMPT,
      size: '1024x1024',
      quality: 'high',
      response_format: 'b64_json',
    }),
  ],
  'image edit': async () => {
    const image = await toFile(Buffer.from([0x89, 0x50, 0x4e, 0x47]), 'in.png', { type: 'image/png' });
    return [
      await clients().openai.images.edit({
        model: 'lumen-image-mini',
        prompt: PROMPT,
        image,
        size: '1024x1024',
        quality: 'low',
      }),
    ];
  },
} as const;

describe('the row of a call agrees with the record of the gateway', () => {
  test.each(Object.entries(CALLS))('%s', async (name, call) => {
    await call();
    const row = await onlyRow();
    const [record, ...others] = await usageOf(bench, row.request_id);
    expect(others).toEqual([]);
    expect(row).toMatchObject({ outcome: 'ok', error_type: 'none', status: 200, model: record?.model });
    expect(row.stream).toBe(name.endsWith('streamed'));
    expect(row.key_fp).toBe(fingerprintOf(bench.gateway.ready.api_key));
    if (!name.startsWith('image')) {
      expect(row.usage).toMatchObject({ input: record?.input_tokens, output: record?.output_tokens });
      expect(row.out_chars).toBeGreaterThan(0);
      expect(row.prompt_bytes).toBeGreaterThan(PROMPT.length);
    } else {
      expect(row.units).toMatchObject({ images: 1 });
    }
    expect(errors).toEqual([]);
  });

  test('a video and an image job are ok when a read of their status says so', async () => {
    const { openai } = clients();
    const video = await openai.videos.create({ model: 'orbit-2', prompt: PROMPT, seconds: '8' });
    expect((await ledger()).rows).toEqual([]);
    await expect.poll(async () => (await openai.videos.retrieve(video.id)).status).toBe('completed');
    const row = await onlyRow();
    const [record] = await usageOf(bench, row.request_id);
    expect(record).toMatchObject({ billing_status: 'settled', amount: '0.8' });
    expect(row).toMatchObject({
      kind: 'video',
      outcome: 'ok',
      units: { seconds: 8 },
      job: { id: video.id, statuses: expect.arrayContaining(['completed']) },
    });
  });

  test('a task that fails is a failed task', async () => {
    await plant('sem.task_failed_200', {}, { probability: 1 });
    const { openai } = clients();
    const job = await openai.post<{ job_id: string }>('/images/generations/jobs', {
      body: { model: 'lumen-image', prompt: PROMPT },
    });
    const read = async () => (await openai.get<{ status: string }>(`/images/jobs/${job.job_id}`)).status;
    await expect.poll(read).toBe('failed');
    expect(await onlyRow()).toMatchObject({
      kind: 'image_job',
      outcome: 'task_failed',
      job: { id: job.job_id, statuses: expect.arrayContaining(['failed']) },
    });
  });
});

describe('calls that end badly', () => {
  async function streamed(abortAfter = Number.POSITIVE_INFINITY): Promise<void> {
    const stream = await clients().openai.chat.completions.create({ ...text, stream: true });
    let events = 0;
    for await (const _ of stream) if (++events === abortAfter) break;
  }

  test('a reader that stops in the middle is an aborted call', async () => {
    await streamed(3);
    expect(await onlyRow()).toMatchObject({
      outcome: 'aborted',
      terminal_seen: false,
      blame: 'none',
      usage: null,
    });
  });

  test('an abort before any answer', async () => {
    await plant('net.ttft', { ms: 60_000 });
    const controller = new AbortController();
    const call = clients().openai.chat.completions.create(
      { ...text, stream: true },
      { signal: controller.signal },
    );
    const ended = call.then(
      async (stream) => await collect(stream).catch(() => null),
      () => null,
    );
    await expect.poll(async () => (await loadLedger(dir)).intents.length).toBe(1);
    controller.abort();
    await ended;
    await expect.poll(async () => (await loadLedger(dir)).rows.length).toBe(1);
    expect(await onlyRow()).toMatchObject({ outcome: 'aborted' });
  });

  test('a stream that the gateway cuts', async () => {
    await plant('net.reset_mid', { after: 3 });
    await expect(streamed()).rejects.toThrow();
    expect(await onlyRow()).toMatchObject({
      outcome: 'truncated',
      error_type: 'stream_truncated',
      status: 200,
    });
  });

  test('a stream that ends without its terminator', async () => {
    await plant('net.eof_clean', { after_events: 3 });
    await streamed();
    expect(await onlyRow()).toMatchObject({ outcome: 'truncated', error_type: 'stream_no_terminator' });
  });

  test('an answer that is no stream, though one was asked for', async () => {
    await plant('net.wrong_type');
    await streamed();
    expect(await onlyRow()).toMatchObject({
      outcome: 'bad_response',
      error_type: 'schema_mismatch',
      status: 200,
    });
  });

  test('a refusal: status, code and request id, and not its text, which quotes the call', async () => {
    await plant('http.422', { text: `cannot take ${PROMPT}` });
    await expect(clients().openai.chat.completions.create(text)).rejects.toThrow();
    const row = await onlyRow();
    expect(row).toMatchObject({ outcome: 'http_error', status: 422, error_message: null, usage: null });
    expect(row.request_id).toMatch(/^\w{20,}$/);
    expect(files()).not.toContain('marmalade');
  });

  test('a code that is told', async () => {
    await plant('http.429_crowded');
    await expect(clients().anthropic.messages.create(text)).rejects.toThrow();
    expect(await onlyRow()).toMatchObject({
      outcome: 'http_error',
      status: 429,
      error_code: 'upstream_crowded',
      error_type: 'upstream_crowded',
      blame: 'upstream',
    });
  });

  test('nobody listens: the call never reached anybody', async () => {
    const openai = new OpenAI({
      apiKey: 'sk-x',
      baseURL: 'http://127.0.0.1:1/v1',
      maxRetries: 0,
      fetch: recorded,
    });
    await expect(openai.chat.completions.create(text)).rejects.toThrow(/[Cc]onnection/);
    const row = await onlyRow();
    expect(row.outcome).toBe('net_error');
    expect(row.status).toBeNull();
  });

  test.each(['openai', 'anthropic'] as const)(
    'attempts of one call of %s share its logical id',
    async (name) => {
      await plant('http.503', {}, { nth: 1 });
      const { openai, anthropic } = clients(recorded, 2);
      if (name === 'openai') await openai.chat.completions.create(text);
      else await anthropic.messages.create(text);
      const { rows } = await ledger();
      expect(rows.map(({ attempt, outcome }) => [attempt, outcome])).toEqual([
        [1, 'http_error'],
        [2, 'ok'],
      ]);
      expect(new Set(rows.map(({ logical_id }) => logical_id)).size).toBe(1);
    },
  );
});

describe('a failure of the recording never reaches the call', () => {
  async function works(options: RecordOptions): Promise<WeighedFetch> {
    const fetch = weighed(options);
    const answer = await clients(fetch).openai.chat.completions.create(text);
    expect(answer.choices[0]?.message.content).toMatch(/\w+/);
    return fetch;
  }

  test('a folder that cannot be made, and a listener that throws', async () => {
    const file = join(dir, 'file');
    writeFileSync(file, '');
    const onError = vi.fn(() => {
      throw new Error('listener');
    });
    const { counts } = await works({ dir: join(file, 'below'), onError });
    expect(counts).toMatchObject({ calls: 1, intents: 0, rows: 0, failures: 2 });
    expect(onError).toHaveBeenCalledTimes(2);
  });

  test('a folder that is a device', async () => {
    const fetch = weighed({ dir: '/dev/full', onError: (error) => errors.push(error) });
    await clients(fetch).openai.chat.completions.create(text);
    expect(fetch.counts).toMatchObject({ rows: 0, failures: 2 });
    expect(errors).toHaveLength(2);
  });

  test('a key given where its fingerprint belongs is not written', async () => {
    const { api_key } = bench.gateway.ready;
    const fetch = await works({ dir, keyFp: api_key, onError: (error) => errors.push(error) });
    expect(fetch.counts.failures).toBe(1);
    expect(String(errors[0])).not.toContain(api_key);
    expect((await onlyRow()).key_fp).toBe(fingerprintOf(api_key));
  });
});

test('no file holds a word of prompt or answer, nor the key', async () => {
  const said: string[] = [];
  for (const call of Object.values(CALLS)) {
    for (const answer of await call()) said.push(...wordsOf(JSON.stringify(answer)));
  }
  const written = files();
  expect(said.length).toBeGreaterThan(100);
  expect([...new Set(said)].filter((word) => written.includes(word))).toEqual([]);
  expect(written).not.toMatch(/marmalade|harbor/i);
  expect(written).not.toContain(bench.gateway.ready.api_key);
});

/** Neighbouring words of an answer: single ones could stand in a name. */
function wordsOf(answer: string): string[] {
  return [...answer.matchAll(/[a-z]{3,} [a-z]{3,}/gi)].map(([pair]) => pair);
}

test('the example of the page records its call', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/evidence.md'), 'utf8');
  const shown = /```js\n(.*?)```/s.exec(page)?.[1] ?? '';
  const script = shown
    .replace("'weighbridge/record'", JSON.stringify(join(import.meta.dirname, '../../src/record/record.ts')))
    .replace("'ledger'", JSON.stringify(dir));
  const { base_url, api_key } = bench.gateway.ready;
  const env = { ...process.env, OPENAI_API_KEY: api_key, OPENAI_BASE_URL: `${base_url}/v1` };
  const cwd = join(import.meta.dirname, '../..');
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd,
    env,
  });
  expect(stdout).toMatch(/prompt_tokens: \d+/);
  expect(stdout).toMatch(/rows: 1, failures: 0/);
  expect(await onlyRow()).toMatchObject({ outcome: 'ok', model: 'aspen-mini' });

  // What is read ends before the second that is under way.
  const over = Math.ceil(Date.now() / 1000 + 0.001) * 1000;
  await expect.poll(() => Date.now()).toBeGreaterThanOrEqual(over);
  const place = mkdtempSync(join(tmpdir(), 'wb-recorded-'));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  writeFileSync(join(place, 'key.txt'), api_key, { mode: 0o600 });
  const here: Readonly<Record<string, string>> = {
    ledger: dir,
    'https://gateway.example': base_url,
    'key.txt': join(place, 'key.txt'),
  };
  const [command = ''] = shownOn('docs/evidence.md').commands.flatMap((one) =>
    one.block ? [one.command] : [],
  );
  const args = command
    .split(' ')
    .slice(1)
    .map((word) => here[word] ?? word);
  expect(args.slice(0, 3)).toEqual(['reconcile', '--ledger', dir]);
  const said: string[] = [];
  const status = await runProgram(
    [...args, '--out', join(place, 'reports'), '--state', join(place, 'state')],
    {
      out: (line) => said.push(line),
      err: (line) => said.push(line),
      ...UNWATCHED,
      width: 120,
      env: {},
    },
  );
  expect(said.join('\n')).toContain('difference $0');
  expect(status, said.join('\n')).toBe(0);
});

test('the reconciler checks recorded calls to the digit, and evidence made from them too', async () => {
  for (const call of Object.values(CALLS)) await call();
  const { rows, intents } = await ledger();
  expect(intents).toHaveLength(Object.keys(CALLS).length);
  const records = (await Promise.all(rows.map(({ request_id }) => usageOf(bench, request_id)))).flat();
  const book: unknown = await (await fetch(`${bench.gateway.ready.base_url}/pricing.usd.json`)).json();
  // Into the window of the sample input.
  const shift = START_MS - Math.min(...rows.map(({ started_at }) => Date.parse(started_at)));
  const moved = rows.map((row) => ({ ...row, started_at: moveTo(row.started_at, shift) }));
  const sweeps = [
    {
      records: records.map((record) => ({
        ...record,
        created_at: record.created_at + Math.round(shift / 1000),
      })),
      at_ms: START_MS + 60 * 60_000,
    },
  ];
  const books = [archivedBook(book)];
  const { calls, findings } = judge({ rows: moved, sweeps, books });
  expect(findings).toEqual([]);
  expect(calls.map(({ verdict }) => verdict)).toEqual(rows.map(() => 'to_the_digit'));

  const lines = moved.map((row) => ({
    schema: 'weighbridge.evidence/1',
    call_id: row.call_id,
    kind: row.kind,
    model: row.model,
    started_at: row.started_at,
    outcome: row.outcome,
    request_id: row.request_id,
    units: row.units,
    ...(row.usage === null ? {} : { usage: { ...row.usage, raw: undefined } }),
  }));
  const file = join(dir, 'evidence.jsonl');
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
  const evidence = await readEvidence({ files: [file], format: 'auto' });
  const told = judge({ rows: evidence.ledger.rows, sweeps, books });
  expect(told.findings).toEqual([]);
  expect(told.calls.map(({ verdict }) => verdict)).toEqual(rows.map(() => 'to_the_digit'));
});

function moveTo(moment: string, shift: number): string {
  return new Date(Date.parse(moment) + shift).toISOString();
}
