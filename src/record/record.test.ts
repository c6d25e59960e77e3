import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadLedger } from '../ledger/load-ledger.ts';
import { weighed } from './record.ts';

const KEY = 'sk-record-test-0123';
const CHAT = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
const ANSWER = {
  id: 'chatcmpl-1',
  model: 'm',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'hello' } }],
  usage: { prompt_tokens: 3, completion_tokens: 1 },
};

let dir = '';
const servers: Server[] = [];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'wb-record-'));
});
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  rmSync(dir, { recursive: true, force: true });
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}/v1/chat/completions`;
}

function call(
  url: string,
  fetch: typeof globalThis.fetch,
  body: object = CHAT,
  headers: object = {},
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

function answered(body: string | ReadableStream<Uint8Array>, type = 'application/json'): typeof fetch {
  return () => Promise.resolve(new Response(body, { headers: { 'content-type': type } }));
}

const written = (): string =>
  readdirSync(dir)
    .map((name) => readFileSync(join(dir, name), 'utf8'))
    .join('');

test('the intent of a call is in the file when the call arrives', async () => {
  let atArrival = '';
  const url = await serve((_, response) => {
    atArrival = written();
    response.setHeader('content-type', 'application/json').end(JSON.stringify(ANSWER));
  });
  const answer = await call(url, weighed({ dir }));
  expect(await answer.json()).toEqual(ANSWER);
  expect(answer.url).toBe(url);
  expect(atArrival).toContain('"weighbridge.intent/1"');
  expect(atArrival).not.toContain('"weighbridge.call/1"');
});

test('kill -9 in the middle of a call keeps its intent', async () => {
  const script = `
    import { weighed } from ${JSON.stringify(join(import.meta.dirname, 'record.ts'))};
    await weighed({ dir: ${JSON.stringify(dir)} })(process.argv[1], { method: 'POST', body: ${JSON.stringify(JSON.stringify(CHAT))} });
  `;
  const arrived = Promise.withResolvers<void>();
  const url = await serve(() => arrived.resolve());
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, url], { stdio: 'ignore' });
  await arrived.promise;
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('exit', resolve));
  const { intents, rows, problems } = await loadLedger(dir);
  expect({ rows, problems }).toEqual({ rows: [], problems: [] });
  expect(intents).toMatchObject([{ kind: 'chat', model: 'm', attempt: 1 }]);
});

test('nothing of a body is read before its reader asks, and no piece is kept', async () => {
  let pulled = 0;
  const piece = new TextEncoder().encode('x'.repeat(1 << 16));
  const endless = new ReadableStream<Uint8Array>(
    {
      pull(controller): void {
        pulled += 1;
        controller.enqueue(
          pulled === 1 ? new TextEncoder().encode('{"choices":[{"message":{"content":"') : piece,
        );
      },
    },
    { highWaterMark: 0 },
  );
  const fetch = weighed.wrap(answered(endless), { dir });
  const answer = await call('http://x/v1/chat/completions', fetch);
  const reader = answer.body?.getReader();
  expect(pulled).toBe(0);
  await reader?.read();
  expect(pulled).toBe(1);
  const before = process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed;
  for (let at = 0; at < 2000; at += 1) await reader?.read();
  expect(pulled).toBe(2001);
  expect(process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed - before).toBeLessThan(
    100 << 20,
  );
  await reader?.cancel();
  const { rows } = await loadLedger(dir);
  expect(rows).toMatchObject([{ outcome: 'aborted', status: 200, chunks: null }]);
  expect(rows[0]?.bytes_in).toBeGreaterThan(100 << 20);
});

test('a body that is dropped without being read has a row when it is collected', async () => {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('no gc');
  const fetch = weighed.wrap(answered(JSON.stringify(ANSWER)), { dir });
  await (async () => (await call('http://x/v1/chat/completions', fetch)).status)();
  await expect
    .poll(async () => {
      Reflect.apply(collect, undefined, []);
      return (await loadLedger(dir)).rows.map(({ outcome }) => outcome);
    })
    .toEqual(['aborted']);
});

test('the row stands in the file when the reader has the end', async () => {
  const fetch = weighed.wrap(answered(JSON.stringify(ANSWER)), { dir });
  await (await call('http://x/v1/chat/completions', fetch)).text();
  expect(written()).toContain('"weighbridge.call/1"');
});

test('whatever the wrapped fetch throws comes out as it was thrown, and a thing that is no response as it is', async () => {
  const error = new TypeError('fetch failed', {
    cause: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }),
  });
  const failing = weighed.wrap(() => Promise.reject(error), { dir });
  await expect(call('http://x/v1/chat/completions', failing)).rejects.toBe(error);
  const { rows } = await loadLedger(dir);
  expect(rows).toMatchObject([
    {
      outcome: 'net_error',
      error_type: 'connect_refused',
      error_code: 'ECONNREFUSED',
      status: null,
      blame: 'network',
    },
  ]);
});

test('how long to wait is read of a date as well as of a number', async () => {
  const headers = {
    'retry-after': 'Sun, 22 Nov 2026 10:00:30 GMT',
    date: 'Sun, 22 Nov 2026 10:00:00 GMT',
  };
  const limited = weighed.wrap(() => Promise.resolve(new Response('{}', { status: 429, headers })), { dir });
  await (await call('http://x/v1/chat/completions', limited)).text();
  const { rows } = await loadLedger(dir);
  expect(rows).toMatchObject([{ outcome: 'http_error', error_type: 'rate_limited', retry_after_s: 30 }]);
});

test('requests that are no paid call pass without a line, and other POSTs are counted', async () => {
  const fetch = weighed.wrap(answered('{}'), { dir });
  await fetch('http://x/v1/models');
  await fetch('http://x/v1/messages/count_tokens', { method: 'POST', body: '{}' });
  await fetch('http://x/v1/embeddings', { method: 'POST', body: '{}' });
  expect(readdirSync(dir)).toEqual([]);
  expect(fetch.counts).toEqual({ calls: 0, intents: 0, rows: 0, failures: 0, other_posts: 2 });
});

test('a key in an address or a model name is not written', async () => {
  const fetch = weighed.wrap(answered(JSON.stringify(ANSWER)), { dir });
  await (await call(`http://x/${KEY}/v1/chat/completions?key=${KEY}`, fetch, { ...CHAT, model: KEY })).text();
  expect(written()).toContain('"/[key]/v1/chat/completions"');
  expect(written()).not.toContain(KEY);
});

test('a key that an answer repeats in other forms is not written', async () => {
  const form = Buffer.from(`Bearer ${KEY}`).toString('base64url');
  const echo = {
    ...ANSWER,
    id: form,
    model: encodeURIComponent(form),
    service_tier: Buffer.from(KEY).toString('hex'),
    usage: { ...ANSWER.usage, [form]: 1 },
  };
  const fetch = weighed.wrap(answered(JSON.stringify(echo)), { dir });
  await (await call('http://x/v1/chat/completions', fetch)).text();
  expect((await loadLedger(dir)).rows).toMatchObject([
    {
      response_id: 'QmVhcmVyI[key]',
      response_model: 'QmVhcmVyI[key]',
      service_tier: '[key]',
      usage: { raw: { 'QmVhcmVyI[key]': 1 } },
    },
  ]);
});

test('each text of an answer that may be its id is kept, whatever its name, and none of its words', async () => {
  const headers = { 'content-type': 'application/json', 'x-trace': 'trace-0001', 'x-echo': KEY };
  const plain = JSON.stringify({
    ...ANSWER,
    ref: 'plain-0001',
    content: 'word-00001',
    inner: { ref: 'deep-00001' },
  });
  const answer = (body: string, type = 'application/json', status = 200) =>
    weighed.wrap(
      () => Promise.resolve(new Response(body, { status, headers: { ...headers, 'content-type': type } })),
      { dir },
    );
  const stream = 'data: {"ref":"first-0001","choices":[]}\n\ndata: {"ref":"second-001","choices":[]}\n\n';
  const url = 'http://x/v1/chat/completions';
  await (await call(url, answer(plain))).text();
  await (await call(url, answer(stream, 'text/event-stream'), { ...CHAT, stream: true })).text();
  await (await call(url, answer('{"error":{"ref":"error-0001"}}', 'application/json', 400))).text();
  const { rows } = await loadLedger(dir);
  const trace = { 'header:x-trace': 'trace-0001' };
  expect(rows.map(({ other_ids }) => other_ids)).toEqual(
    expect.arrayContaining([
      { ...trace, 'body:ref': 'plain-0001' },
      { ...trace, 'body:ref': 'first-0001' },
      { ...trace, 'error:ref': 'error-0001' },
    ]),
  );
  expect(written()).not.toContain('word-00001');
});

test('a key that is a word breaks no line', async () => {
  const fetch = weighed.wrap(answered(JSON.stringify(ANSWER)), { dir });
  const headers = { authorization: 'Bearer chat' };
  await (await call('http://x/v1/chat/completions', fetch, CHAT, headers)).text();
  expect((await loadLedger(dir)).rows).toMatchObject([{ kind: 'chat', outcome: 'ok' }]);
});

const UNBOUNDED: readonly (readonly [string, string, object])[] = [
  [
    'a picture',
    'chat/completions',
    { ...CHAT, messages: [{ role: 'user', content: [{ type: 'image_url' }] }] },
  ],
  ['an earlier answer', 'responses', { model: 'm', input: 'x', previous_response_id: 'resp_1' }],
  ['a tool of the provider', 'responses', { model: 'm', input: 'x', tools: [{ type: 'web_search' }] }],
];

test.each(UNBOUNDED)('%s: the body does not bound the input', async (_, path, body) => {
  const fetch = weighed.wrap(answered('{}'), { dir });
  await (await call(`http://x/v1/${path}`, fetch, body)).text();
  expect((await loadLedger(dir)).intents[0]?.prompt_bytes).toBeGreaterThan(2 ** 24);
});

test('text alone is bounded by its bytes, tools of the caller among it', async () => {
  const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }];
  const fetch = weighed.wrap(answered('{}'), { dir });
  const body = { ...CHAT, tools, max_completion_tokens: 9 };
  await (await call('http://x/v1/chat/completions', fetch, body)).text();
  const { intents } = await loadLedger(dir);
  expect(intents).toMatchObject([{ prompt_bytes: JSON.stringify(body).length, max_tokens: 9 }]);
});

test('an attempt whose forerunner is not known stands alone under the number it tells', async () => {
  const fetch = weighed.wrap(answered(JSON.stringify(ANSWER)), { dir });
  await (await call('http://x/v1/chat/completions', fetch, CHAT, { 'x-stainless-retry-count': '2' })).text();
  await (await call('http://x/v1/chat/completions', fetch)).text();
  const { rows } = await loadLedger(dir);
  expect(rows.map(({ attempt }) => attempt)).toEqual([3, 1]);
  expect(new Set(rows.map(({ logical_id }) => logical_id)).size).toBe(2);
});

test('a row tells how a prompt begins by digests that need the key, and never what it says', async () => {
  const fetch = weighed.wrap(answered(JSON.stringify(ANSWER)), { dir });
  const said = 'The old mill stands by the river. '.repeat(20);
  const ask = (question: string, headers = {}) =>
    call('http://x/v1/chat/completions', fetch, { ...CHAT, messages: [said, question] }, headers);
  await (await ask('one?')).text();
  await (await ask('two?')).text();
  await (await ask('one?', { authorization: 'Bearer sk-another-key-4567' })).text();
  await (await ask('one?', { authorization: '' })).text();
  const [one, two, other, keyless] = (await loadLedger(dir)).rows.map(({ prefixes }) => prefixes);
  expect(one).toHaveLength(2);
  expect(two?.[0]).toEqual(one?.[0]);
  expect(two?.[1]).not.toEqual(one?.[1]);
  expect(other?.map(({ bytes }) => bytes)).toEqual(one?.map(({ bytes }) => bytes));
  expect(other?.[0]).not.toEqual(one?.[0]);
  expect(keyless).toBeNull();
  expect(written()).not.toContain('old mill');
});

test('it loads nothing but its own files, those of the layers below and Node', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => /^[a-z-]+\.ts$/.test(name));
  const imports = files.flatMap((name) =>
    [
      ...readFileSync(join(import.meta.dirname, name), 'utf8').matchAll(
        /^(?:import|\} from|export .* from).*?'([^']+)';$/gm,
      ),
    ].map(([, from = '']) => from),
  );
  expect(imports.length).toBeGreaterThan(40);
  expect(
    imports.filter((from) => !/^(\.\/|\.\.\/(core|text|secrets|contracts|wire|ledger)\/|node:)/.test(from)),
  ).toEqual([]);
});
