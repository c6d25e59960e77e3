import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createTlsServer, type Server } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { type LoopbackServer, loopbackServer, sendJson, TEST_KEY } from '../loopback-server.test-support.ts';
import { testCertificate } from '../test-certificate.test-support.ts';
import { FakeCallClock } from './fake-call-clock.test-support.ts';
import { imageCall, paidClient, TEST_TIMEOUTS, textCall, videoCall } from './paid-calls.test-support.ts';

const never = new AbortController().signal;
let server: LoopbackServer | null = null;

afterEach(async () => {
  await server?.close();
  server = null;
});

async function serving(answer: Parameters<typeof loopbackServer>[0]): Promise<LoopbackServer> {
  server = await loopbackServer(answer);
  return server;
}

const STREAM = { 'content-type': 'text/event-stream' };
const piece = (content: string) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;

test.each([
  ['<!doctype html><title>Bad gateway</title>', 'HTML page', null],
  [
    '{"error":{"message":"Busy (request id: A1)","type":"t","code":"upstream_crowded"}}',
    'error object: Busy',
    'A1',
  ],
  ['upstream connect error', 'no event: upstream connect error', null],
  ['', 'without an event', null],
])('%j under the type of an event stream is told', async (body, words, id) => {
  const { root } = await serving((_, response) => response.writeHead(200, STREAM).end(body));
  const { row } = await paidClient(root, TEST_KEY).text(textCall('chat', true), never);
  expect(row).toMatchObject({ outcome: 'stream_error', error_type: 'stream_empty', request_id: id });
  expect(row.error_message).toContain(words);
});

test('the row of a text call tells how its prompt begins, that of a picture does not', async () => {
  const { root } = await serving((request, response) => {
    request.resume();
    sendJson(response, 200, { data: [] });
  });
  const client = paidClient(root, TEST_KEY);
  const prompt = 'Name three rivers. '.repeat(30);
  const { row } = await client.text(textCall('chat', false, { prompt }), never);
  expect(row.prefixes?.map(({ digest }) => digest)).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/)]);
  expect((await client.image(imageCall('image', { prompt }), never)).row.prefixes).toBeNull();
  expect(
    (await paidClient(root, null).text(textCall('chat', false, { prompt }), never)).row.prefixes,
  ).toBeNull();
});

test('prompts that a cache may match share their beginnings, any others share none', async () => {
  const { root } = await serving((request, response) => {
    request.resume();
    sendJson(response, 200, {});
  });
  const client = paidClient(root, TEST_KEY);
  const prompt = 'Name three rivers. '.repeat(200);
  const digestsOf = async (changed: { readonly cached?: true }) => {
    const { row } = await client.text(textCall('chat', false, { prompt, ...changed }), never);
    return row.prefixes?.map(({ digest }) => digest) ?? [];
  };
  const [one, two] = [await digestsOf({ cached: true }), await digestsOf({ cached: true })];
  expect(one.slice(0, 4)).toEqual(two.slice(0, 4));
  expect(one.at(-1)).not.toBe(two.at(-1));
  const other = await digestsOf({});
  expect(await digestsOf({})).toHaveLength(other.length);
  expect((await digestsOf({})).filter((digest) => other.includes(digest))).toEqual([]);
});

test('each text of an answer that may be its id is kept, of a stream those of its first event', async () => {
  const long = 'r'.repeat(1100);
  const { root } = await serving((request, response, url) => {
    request.resume();
    response.setHeader('x-trace', 'trace-0001').setHeader('x-echo', TEST_KEY);
    if (url.pathname === '/v1/responses')
      sendJson(response, 403, { error: { message: 'no', ref: 'error-0001' } });
    else if (url.pathname.startsWith('/v1/images'))
      sendJson(response, 200, { ref: 'image-0001', data: [{ b64_json: 'x' }] });
    else
      response
        .writeHead(200, STREAM)
        .end(
          `data: ${JSON.stringify({ id: long, ref: 'first-0001', choices: [] })}\n\ndata: {"ref":"second-001"}\n\n`,
        );
  });
  const client = paidClient(root, TEST_KEY);
  const { row } = await client.text(textCall('chat', true), never);
  expect(row.other_ids).toEqual({ 'body:ref': 'first-0001', 'header:x-trace': 'trace-0001' });
  expect(row.response_id).toBe(long.slice(0, 1000));
  const refused = await client.text(textCall('responses', false), never);
  expect(refused.row.other_ids).toEqual({ 'error:ref': 'error-0001', 'header:x-trace': 'trace-0001' });
  const { row: image } = await client.image(imageCall('image'), never);
  expect(image.other_ids).toMatchObject({ 'header:x-trace': 'trace-0001' });
});

test('a target that echoes the key does not bring it into any result', async () => {
  const echoes = `told ${TEST_KEY} and ${Buffer.from(TEST_KEY).toString('base64')}`;
  const { root } = await serving((request, response, url) => {
    response.setHeader('x-request-id', `id-${TEST_KEY}`);
    request.resume();
    const usage = { prompt_tokens: 1, [TEST_KEY]: TEST_KEY };
    if (url.pathname === '/v1/responses')
      sendJson(response, 403, { error: { message: echoes, code: TEST_KEY } });
    else if (url.pathname === '/v1/videos')
      sendJson(response, 200, { id: `v-${TEST_KEY}`, status: 'queued' });
    else if (url.pathname.startsWith('/v1/images'))
      sendJson(response, 200, { data: [{ url: `${root}/f/${TEST_KEY}?sig=${TEST_KEY}` }], error: null });
    else if (url.pathname.startsWith('/f/')) response.writeHead(404).end(echoes);
    else
      response
        .writeHead(200, STREAM)
        .end(
          `${piece('x')}data: ${JSON.stringify({ id: TEST_KEY, model: TEST_KEY, service_tier: TEST_KEY, usage, choices: [] })}\n\ndata: ${JSON.stringify({ error: { message: echoes, type: TEST_KEY } })}\n\n`,
        );
  });
  const client = paidClient(root, TEST_KEY);
  const results = [
    await client.text(textCall('chat', true), never),
    await client.text(textCall('responses', false), never),
    await client.submitTask(videoCall(), never),
    await client.image(imageCall('image'), never),
  ];
  expect(results.map(({ row }) => row.outcome)).toEqual([
    'stream_error',
    'http_error',
    'bad_response',
    'bad_response',
  ]);
  const text = JSON.stringify(results);
  expect(text).toContain('[credential]');
  expect(text).not.toContain(TEST_KEY);
  expect(text).not.toContain(Buffer.from(TEST_KEY).toString('base64').replace(/=+$/, ''));
});

test('the first token is the first event with content, not the first event', async () => {
  let read = (): void => {};
  const clock = new (class extends FakeCallClock {
    override monoMs(): number {
      read();
      return super.monoMs();
    }
  })();
  const { root } = await serving((_, response) => {
    // The client reads the clock for the head and for the first piece; only then does the content leave.
    let reads = 0;
    read = () => {
      reads += 1;
      if (reads !== 2) return;
      setImmediate(() => {
        clock.advance(60);
        response.end(`${piece('x')}data: [DONE]\n\n`);
      });
    };
    response.writeHead(200, STREAM);
    response.write('data: {"choices":[{"delta":{"role":"assistant","content":""}}]}\n\n');
  });
  const { row, since_sent } = await paidClient(root, TEST_KEY, { clock }).text(textCall('chat', true), never);
  expect(since_sent).toMatchObject({ first_event: 0, first_content: 60 });
  expect(row).toMatchObject({ first_event_ms: 0, ttft_ms: 60 });
});

test('a call is sent once, whatever becomes of it', async () => {
  const { root, requests } = await serving((request) => {
    request.socket.destroy();
  });
  const client = paidClient(root, TEST_KEY);
  const { row } = await client.text(textCall('chat', true), never);
  expect(row).toMatchObject({ outcome: 'net_error', blame: 'network', conn_reused: false });
  await client.text(textCall('chat', false), never);
  expect(requests).toHaveLength(2);
  expect(requests[0]?.headers).toMatchObject({ 'accept-encoding': 'identity', accept: 'text/event-stream' });
});

test('a connection that closes before the request is written is not opened again', async () => {
  let connections = 0;
  const tcp = createTcpServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void tcp.close());
  const client = paidClient(rootOf(tcp.address()), TEST_KEY);
  const { row } = await client.text(textCall('chat', true), never);
  expect(row.outcome).toBe('net_error');
  expect(connections).toBe(1);
});

function rootOf(address: AddressInfo | string | null, scheme = 'http', host = '127.0.0.1'): string {
  if (address === null || typeof address === 'string') throw new Error('expected a port');
  return `${scheme}://${host}:${address.port}`;
}

test('nobody listens, no such name', async () => {
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const root = rootOf(closed.address());
  await new Promise((resolve) => closed.close(resolve));
  const refused = await paidClient(root, TEST_KEY).text(textCall('chat', true), never);
  expect(refused.row).toMatchObject({ error_type: 'connect_refused', conn_reused: null, wrote_ms: null });
  const unnamed = await paidClient('http://no-such-host.invalid', TEST_KEY).text(
    textCall('chat', true),
    never,
  );
  expect(unnamed.row).toMatchObject({ outcome: 'net_error', error_type: 'dns', blame: 'network' });
});

test.each([
  ['timeout_first_token', { first_token_ms: 700 }, 700],
  ['timeout_headers', { headers_ms: 300 }, 300],
  ['timeout_total', { total_ms: 200 }, 200],
] as const)('%s rings at its own time, not when undici would', async (outcome, changed, ms) => {
  const clock = new FakeCallClock();
  let asked = () => {};
  const arrived = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const { root } = await serving(() => asked());
  const timeouts = { ...TEST_TIMEOUTS, connect_ms: 0, ...changed };
  const call = paidClient(root, TEST_KEY, { clock }).text(textCall('chat', true, { timeouts }), never);
  await arrived;
  clock.advance(ms - 1);
  clock.advance(1);
  const { row } = await call;
  expect(row).toMatchObject({ outcome, error_type: outcome, end_ms: ms });
});

test('a handshake that never ends is a connection that was not had in time', async () => {
  const tcp = createTcpServer(() => {});
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void tcp.close());
  const timeouts = { ...TEST_TIMEOUTS, connect_ms: 100 };
  const client = paidClient(rootOf(tcp.address(), 'https'), TEST_KEY);
  const { row, phases } = await client.text(textCall('chat', true, { timeouts }), never);
  expect(row).toMatchObject({ outcome: 'timeout_connect', blame: 'network', wrote_ms: null });
  expect(phases).toMatchObject({ tls: null, send: null });
  expect(phases.connect).not.toBeNull();
});

test('over TLS by name: each phase, the protocol, and when the first certificate ends', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'weighbridge-tls-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const made = testCertificate('localhost');
  writeFileSync(join(folder, 'ca.pem'), made.authority);
  const tls: Server = createTlsServer({ cert: made.certificate, key: made.key }, (_, response) => {
    response.writeHead(200, STREAM).end(`${piece('x')}data: [DONE]\n\n`);
  });
  await new Promise<void>((resolve) => tls.listen(0, 'localhost', resolve));
  onTestFinished(() => {
    tls.closeAllConnections();
    tls.close();
  });
  const root = rootOf(tls.address(), 'https', 'localhost');
  const trusting = paidClient(root, TEST_KEY, {
    environment: { WEIGHBRIDGE_CA_FILE: join(folder, 'ca.pem') },
  });
  const { row, phases, tls_not_after_ms } = await trusting.text(textCall('chat', true), never);
  expect(row.proto).toBe('HTTP/1.1');
  expect(Object.values(phases).every((ms) => ms !== null && ms >= 0)).toBe(true);
  expect(tls_not_after_ms).toBe(Date.UTC(2049, 11, 31, 23, 59, 59));
  const doubting = await paidClient(root, TEST_KEY).text(textCall('chat', true), never);
  expect(doubting.row).toMatchObject({ outcome: 'net_error', error_type: 'tls', blame: 'network' });
});

test('what is under way ends with the run, and what was not sent says so', async () => {
  let asked = () => {};
  const arrived = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const { root, requests } = await serving(() => asked());
  const client = paidClient(root, TEST_KEY);
  const call = client.text(textCall('chat', true), never);
  await arrived;
  await client.close();
  expect((await call).row).toMatchObject({ outcome: 'interrupted', error_type: 'none', blame: 'none' });
  expect((await client.text(textCall('chat', true), never)).row.outcome).toBe('not_sent');
  expect(requests).toHaveLength(1);
});

test('an answer that is too large is given up', async () => {
  const { root } = await serving((_, response) => {
    response.writeHead(200, STREAM);
    const line = `data: ${'x'.repeat(64 * 1024 - 6)}`;
    const more = () => {
      if (!response.destroyed) response.write(line, () => setImmediate(more));
    };
    more();
  });
  const { row } = await paidClient(root, TEST_KEY).text(textCall('chat', true), never);
  expect(row).toMatchObject({ outcome: 'stream_error', error_type: 'stream_oversize' });
  expect(row.bytes_in).toBeLessThan(18 * 1024 * 1024);
});

test('a download that is cut, and one whose file is not whole', async () => {
  const box = Buffer.from('000000186674797069736f6d0000020069736f6d69736f32', 'hex');
  const { root } = await serving((request, response, url) => {
    request.resume();
    if (request.method === 'POST') sendJson(response, 200, { id: 'v1', status: 'completed' });
    else if (url.searchParams.has('x') || isCut) {
      response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': '5000' });
      response.write(box, () => request.socket.destroy());
    } else response.writeHead(200, { 'content-type': 'text/plain' }).end(box);
  });
  let isCut = true;
  const client = paidClient(root, TEST_KEY);
  const { task } = await client.submitTask(videoCall(), never);
  const cut = await client.downloadTask(task ?? expect.fail(), never);
  expect(cut.end).toMatchObject({ outcome: 'truncated', error_type: 'stream_truncated' });
  isCut = false;
  const short = await client.downloadTask(cut.task, never);
  expect(short.end).toMatchObject({ outcome: 'bad_response', error_type: 'schema_mismatch' });
  expect(short.content).toEqual({ bytes: 24, format: 'mp4', sound: false });
  expect(short.broken_rules).toEqual(['content_type']);
  expect(short.rows[0]?.call_id).toMatch(/\/download\/2$/);
});

test('a link to another origin is fetched without the key, and without the headers of the target', async () => {
  const other = await loopbackServer((_, response) => response.writeHead(200).end('<html>'));
  onTestFinished(() => other.close());
  const asked: unknown[] = [];
  const { root } = await serving((request, response) => {
    request.resume();
    asked.push(request.headers['x-tenant']);
    sendJson(response, 200, { data: [{ url: `${other.root}/i.png?sig=1` }] });
  });
  const headers = () => ({ 'x-tenant': 'blue' });
  const client = paidClient(root, TEST_KEY, { headers });
  const { row, free_rows } = await client.image(imageCall('image'), never);
  expect(asked).toEqual(['blue']);
  expect(other.requests[0]?.headers).not.toHaveProperty('authorization');
  expect(other.requests[0]?.headers).not.toHaveProperty('x-tenant');
  expect(free_rows[0]).toMatchObject({ path: `${other.root}/i.png`, key_fp: null });
  expect(row).toMatchObject({ outcome: 'bad_response', error_type: 'download_failed' });
});

test.each(['file:///etc/passwd', 'data:image/png;base64,AAAA'])('a link %s is not followed', async (url) => {
  const { root } = await serving((request, response) => {
    request.resume();
    sendJson(response, 200, { data: [{ url }] });
  });
  const { row, free_rows } = await paidClient(root, TEST_KEY).image(imageCall('image'), never);
  expect(free_rows).toEqual([]);
  expect(row).toMatchObject({ outcome: 'bad_response', error_type: 'download_failed' });
});

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** A target whose image answers link to `/f`. */
function linking(fetched: Parameters<typeof loopbackServer>[0]) {
  return serving((request, response, url) => {
    request.resume();
    if (request.method === 'POST') sendJson(response, 200, { data: [{ url: '/f' }] });
    else fetched(request, response, url);
  });
}

test('a picture behind redirects is fetched; one behind a circle of them is not', async () => {
  const moved = { location: 'picture.png' };
  const { root } = await linking((_, response, { pathname }) => {
    if (pathname === '/f') response.writeHead(302, moved).end();
    else response.writeHead(200, { 'content-type': 'image/png' }).end(PICTURE);
  });
  const { row, free_rows, content } = await paidClient(root, TEST_KEY).image(imageCall('image'), never);
  expect(row).toMatchObject({ outcome: 'ok' });
  expect(content).toMatchObject({ sound: true });
  expect(free_rows.map(({ call_id, status }) => [call_id.split('/').at(-1), status])).toEqual([
    ['1', 302],
    ['2', 200],
  ]);
  const circle = await linking((_, response) => response.writeHead(302, { location: '/f' }).end());
  const lost = await paidClient(circle.root, TEST_KEY).image(imageCall('image'), never);
  expect(lost.row).toMatchObject({ outcome: 'bad_response', error_type: 'download_failed' });
  expect(lost.row.error_message).toBe(
    'the result could not be downloaded: http_error 302, a redirect was not followed',
  );
  expect(lost.free_rows).toHaveLength(6);
});

test('a video behind a redirect to another origin is fetched there, without the key', async () => {
  const other = await loopbackServer((_, response) => response.writeHead(404).end());
  onTestFinished(() => other.close());
  const { root } = await serving((request, response) => {
    request.resume();
    if (request.method === 'POST') sendJson(response, 200, { id: 'v1', status: 'completed' });
    else response.writeHead(307, { location: `${other.root}/v1.mp4?sig=1` }).end();
  });
  const client = paidClient(root, TEST_KEY);
  const { task } = await client.submitTask(videoCall(), never);
  const { rows, end } = await client.downloadTask(task ?? expect.fail(), never);
  expect(rows.map(({ call_id, path }) => [call_id.split('/').slice(-2).join('/'), path])).toEqual([
    ['download/1', '/v1/videos/v1/content'],
    ['download/2', `${other.root}/v1.mp4`],
  ]);
  expect(end).toMatchObject({ outcome: 'http_error', error_type: 'http_4xx' });
  expect(other.requests[0]?.headers.authorization).toBeUndefined();
});

test('a dead link says in the row of its call how the download failed', async () => {
  const { root } = await linking((_, response) =>
    response.writeHead(403).end('{"error":{"message":"expired"}}'),
  );
  const { row } = await paidClient(root, TEST_KEY).image(imageCall('image'), never);
  expect(row).toMatchObject({ outcome: 'bad_response', error_type: 'download_failed', status: 200 });
  expect(row.error_message).toBe('the result could not be downloaded: http_error 403, expired');
});

test('a download that our own end cuts is interrupted, and its call with it', async () => {
  const own = new AbortController();
  const { root } = await linking((_, response) => {
    response.writeHead(200, { 'content-type': 'image/png' }).write(PICTURE.subarray(0, 20));
    own.abort();
  });
  const { row, free_rows } = await paidClient(root, TEST_KEY).image(imageCall('image'), own.signal);
  expect([row, ...free_rows].map(({ outcome }) => outcome)).toEqual(['interrupted', 'interrupted']);
  expect(row.error_type).toBe('none');
});

test('a picture is fetched up to the size of an answer that holds one', async () => {
  const { root } = await linking((_, response) => {
    response.writeHead(200, { 'content-type': 'image/png' });
    const more = () => {
      while (!response.destroyed && response.write(BLOCK));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  });
  const { row, free_rows } = await paidClient(root, TEST_KEY).image(imageCall('image'), never);
  expect(row.error_type).toBe('download_failed');
  expect(free_rows[0]?.error_message).toBe('the answer is larger than 64 MiB');
});

const BLOCK = Buffer.alloc(1 << 20);

test('a poll that answers for another task is a lost task', async () => {
  const { root } = await serving((request, response) => {
    request.resume();
    sendJson(response, 200, { id: request.method === 'POST' ? 'v1' : 'v2', status: 'queued' });
  });
  const client = paidClient(root, TEST_KEY);
  const { task } = await client.submitTask(videoCall(), never);
  expect((await client.pollTask(task ?? expect.fail(), never)).end?.outcome).toBe('task_lost');
});

test('a key that no header can carry is our own fault, and is not repeated', async () => {
  const client = paidClient('http://127.0.0.1:9', 'sk-with a blank');
  await expect(client.text(textCall('chat', true), never)).rejects.toThrow(
    /^API key is empty, or it contains a space/,
  );
});
