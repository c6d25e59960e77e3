import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BODY_LIMIT } from '../http/body-limit.ts';
import { MAX_HEADER_BYTES } from '../http/http-limits.ts';
import { openFileWarning } from '../http/open-file-limit.ts';
import { accountError, messagesError, modelError } from '../openapi/answers/error-answers.ts';
import { chatBody, startTestGateway, type TestGateway } from '../parts/gateway.test-support.ts';
import { MAX_JSON_DEPTH } from './build-app.ts';
import { type RawAnswer, rawConnection, rawRequest } from './raw-request.test-support.ts';

const CHAT = '/v1/chat/completions';
const MIB = 1024 * 1024;

let gateway: TestGateway;
let baseUrl: string;
let authorization: string;

beforeAll(async () => {
  gateway = await startTestGateway({
    httpLimits: { headers_ms: 300, request_ms: 600, check_ms: 50, keep_alive_ms: 500 },
  });
  baseUrl = gateway.running.ready.base_url;
  authorization = `authorization: Bearer ${gateway.running.ready.api_key}`;
});
afterAll(() => gateway.running.close());

function head(line: string, ...headers: string[]): string {
  return `${[line, 'host: x', ...headers].join('\r\n')}\r\n\r\n`;
}

/** The error object in the form of model calls, and the three request ids. */
function expectError(answer: RawAnswer | null, status: number, schema = modelError): void {
  expect(answer?.status).toBe(status);
  expect(answer?.headers.get('content-type')).toBe('application/json; charset=utf-8');
  schema.parse(JSON.parse(answer?.body ?? ''));
  expect(answer?.body).toContain(`(request id: ${answer?.headers.get('x-request-id')})`);
}

async function expectAlive(): Promise<void> {
  expect((await gateway.call('POST', CHAT, chatBody())).status).toBe(200);
}

describe('what is no HTTP is 400 with the error object', () => {
  test.each([
    ['garbage', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
    ['a method nobody knows', head('BREW /v1/models HTTP/1.1')],
    ['another version', head('GET /v1/models HTTP/7.4')],
    ['two lengths', head(`POST ${CHAT} HTTP/1.1`, 'content-length: 5', 'content-length: 6')],
    ['length and chunks', head(`POST ${CHAT} HTTP/1.1`, 'content-length: 5', 'transfer-encoding: chunked')],
    ['a header without a colon', head('GET /v1/models HTTP/1.1', 'nothing')],
    ['a zero in a header', head('GET /v1/models HTTP/1.1', 'x-a: b\0c')],
    ['no host', 'GET /v1/models HTTP/1.1\r\n\r\n'],
    ['an unknown expectation', head('POST /v1/models HTTP/1.1', 'expect: 200-maybe')],
  ])('%s', async (_what, bytes) => {
    const answer = await rawRequest(baseUrl, bytes);
    expect([400, 404, 405]).toContain(answer?.status);
    expectError(answer, answer?.status ?? 0);
    await expectAlive();
  });

  test('in the form of the path, as far as one can be made out', async () => {
    const wrong = 'content-length: x';
    const messages = await rawRequest(baseUrl, head('POST /v1/messages?a HTTP/1.1', wrong));
    expect(messages?.status).toBe(400);
    messagesError.parse(JSON.parse(messages?.body ?? ''));
    const account = await rawRequest(baseUrl, head('GET /api/user/self HTTP/1.1', wrong));
    accountError.parse(JSON.parse(account?.body ?? ''));
  });

  test('a chunk that is none, in the midst of a body', async () => {
    const start = head(
      `POST ${CHAT} HTTP/1.1`,
      authorization,
      'content-type: application/json',
      'transfer-encoding: chunked',
    );
    expectError(await rawRequest(baseUrl, `${start}5\r\n{"mod\r\nnot hex\r\n`), 400);
  });

  test('CONNECT is 405', async () => {
    expectError(await rawRequest(baseUrl, head('CONNECT a:1 HTTP/1.1')), 405);
  });

  test('garbage after a request that is being answered does not enter its stream', async () => {
    const body = JSON.stringify(chatBody({ stream: true }));
    const { socket, answer, closed } = rawConnection(baseUrl);
    let got = '';
    socket.on('data', (bytes) => {
      got += bytes.toString('latin1');
    });
    const type = 'content-type: application/json';
    socket.write(
      `${head(`POST ${CHAT} HTTP/1.1`, authorization, type, `content-length: ${body.length}`)}${body}`,
    );
    await answer;
    socket.write('\0\0garbage\r\n\r\n');
    await closed;
    expect(got).not.toContain('HTTP/1.1 400');
  });
});

describe('sizes', () => {
  test('header fields above the limit are 431, also while the client still sends', async () => {
    const many = `x-filler: ${'a'.repeat(MIB)}`;
    expectError(await rawRequest(baseUrl, head('GET /v1/models HTTP/1.1', many)), 431);
    const just = `x-filler: ${'a'.repeat(MAX_HEADER_BYTES - 500)}`;
    expect((await rawRequest(baseUrl, head('GET /v1/models HTTP/1.1', just)))?.status).toBe(200);
  });

  test.each([
    ['with its length', { 'content-length': String(BODY_LIMIT + MIB) }],
    ['in chunks', { 'transfer-encoding': 'chunked' }],
  ])('a body above 32 MiB %s is 413, and the client reads it though it still sends', async (_what, sized) => {
    const slow = await startTestGateway();
    const url = `${slow.running.ready.base_url}${CHAT}`;
    const headers = {
      authorization: `Bearer ${slow.running.ready.api_key}`,
      'content-type': 'application/json',
      ...sized,
    };
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    const [status, connection] = await new Promise<[number | undefined, string | undefined]>(
      (resolve, reject) => {
        const sent = httpRequest(url, { method: 'POST', headers }, (response) => {
          response.resume();
          response.once('end', () => resolve([response.statusCode, response.headers.connection]));
        });
        sent.once('error', reject);
        const piece = Buffer.alloc(MIB, 0x20);
        let left = BODY_LIMIT / MIB + 1;
        const more = (): void => {
          most = Math.max(most, process.memoryUsage().arrayBuffers);
          for (; left > 0; left -= 1) {
            if (!sent.write(piece)) {
              left -= 1;
              sent.once('drain', more);
              return;
            }
          }
          sent.end();
        };
        more();
      },
    );
    expect(status).toBe(413);
    // Closed by us, it would be reset under a client that still sends.
    expect(connection).not.toBe('close');
    await slow.running.close();
    // A length is believed: nothing of the body is kept. Without one, it is kept until it is too long.
    if ('content-length' in sized) expect(most - before).toBeLessThan(BODY_LIMIT / 2);
  });

  test('a prompt of 8 MiB is refused as longer than the context', async () => {
    const wide = await startTestGateway();
    const content = 'word '.repeat((8 * MIB) / 5);
    const answer = await wide.call('POST', CHAT, chatBody({ messages: [{ role: 'user', content }] }));
    expect([answer.status, answer.json]).toMatchObject([400, { error: { code: 'context_length_exceeded' } }]);
    await wide.running.close();
  });

  test('a multipart file above 32 MiB is 413', async () => {
    const slow = await startTestGateway();
    const form = new FormData();
    form.set('model', 'lumen-image-mini');
    form.set('prompt', 'x');
    form.set('image', new Blob([Buffer.alloc(BODY_LIMIT + 1)]), 'a.png');
    const answer = await slow.call('POST', '/v1/images/edits', form);
    expect(answer.status).toBe(413);
    modelError.parse(answer.json);
    await slow.running.close();
  });
});

describe('bodies', () => {
  const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

  test.each([MAX_JSON_DEPTH + 1, 100_000, 5_000_000])('JSON of %i levels is 400', async (levels) => {
    const body = `{"model":"aspen","messages":[{"role":"user","content":${nested(levels - 3)}}]}`;
    const answer = await gateway.call('POST', CHAT, body, { 'content-type': 'application/json' });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('levels');
    modelError.parse(answer.json);
  });

  test('JSON of as many levels as are taken, and brackets inside text', async () => {
    const deep = nested(MAX_JSON_DEPTH - 3);
    const body = `{"model":"aspen","messages":[{"role":"user","content":${deep}}],"max_tokens":1}`;
    const sent = await gateway.call('POST', CHAT, body, { 'content-type': 'application/json' });
    expect(sent.status).toBe(200);
    const text = JSON.stringify(`\\"${'[{'.repeat(2000)}`);
    const quoted = `{"model":"aspen","messages":[{"role":"user","content":${text}}],"max_tokens":1}`;
    const second = await gateway.call('POST', CHAT, quoted, { 'content-type': 'application/json' });
    expect(second.status).toBe(200);
  });

  const part = (name: string, value: string): string =>
    `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

  test.each([
    ['no boundary', 'multipart/form-data', 'x'],
    ['no end', 'multipart/form-data; boundary=b', part('model', 'm')],
    ['nothing inside', 'multipart/form-data; boundary=b', ''],
    ['an end alone', 'multipart/form-data; boundary=b', '--b--\r\n'],
    ['another boundary', 'multipart/form-data; boundary=c', `${part('model', 'm')}--b--\r\n`],
    ['a part without a name', 'multipart/form-data; boundary=b', '--b\r\n\r\nx\r\n--b--\r\n'],
    [
      'too many parts',
      'multipart/form-data; boundary=b',
      `${part('a', 'b').repeat(5000)}${part('model', 'm')}--b--\r\n`,
    ],
    [
      'a field that is too long',
      'multipart/form-data; boundary=b',
      `${part('model', 'lumen-image-mini')}${part('image', 'x')}${part('prompt', 'p'.repeat(2 * MIB))}--b--\r\n`,
    ],
    ['a field of the prototype', 'multipart/form-data; boundary=b', `${part('__proto__', 'x')}--b--\r\n`],
  ])('multipart with %s is refused', async (_what, type, body) => {
    const answer = await gateway.call('POST', '/v1/images/edits', body, { 'content-type': type });
    expect([400, 413]).toContain(answer.status);
    modelError.parse(answer.json);
    await expectAlive();
  });

  test.each([
    'text/plain',
    'text/html',
    'application/x-www-form-urlencoded',
    'application/octet-stream',
    'nonsense',
    'application/json, text/plain',
    'multipart/form-data; boundary=b',
  ])('content type %s is 400 where JSON is asked for', async (type) => {
    const answer = await gateway.call('POST', CHAT, '{"a":1}', { 'content-type': type });
    expect(answer.status).toBe(400);
    modelError.parse(answer.json);
  });
});

describe('clients that take their time', () => {
  test('header fields that never end are 408', async () => {
    const slow = await startTestGateway({
      httpLimits: { headers_ms: 200, request_ms: 60_000, check_ms: 50 },
    });
    const { socket, answer } = rawConnection(slow.running.ready.base_url);
    socket.write('GET /v1/models HTTP/1.1\r\nhost: x\r\n');
    const drip = setInterval(() => socket.write('x-a: b\r\n'), 40);
    expectError(await answer, 408);
    clearInterval(drip);
    await slow.running.close();
  });

  test('a body that never ends is 408', async () => {
    const { socket, answer } = rawConnection(baseUrl);
    const type = 'content-type: application/json';
    socket.write(head(`POST ${CHAT} HTTP/1.1`, authorization, type, 'content-length: 1000'));
    const drip = setInterval(() => socket.write(' '), 40);
    expectError(await answer, 408);
    clearInterval(drip);
  });

  test('a connection on which nothing is said is closed', async () => {
    const { closed } = rawConnection(baseUrl);
    await closed;
    await expectAlive();
  });

  test('a stream goes on beyond the times of a request', async () => {
    const request_ms = 150;
    const slow = await startTestGateway({
      latency: 'realistic',
      httpLimits: { headers_ms: 100, request_ms, check_ms: 20, keep_alive_ms: 100 },
    });
    const from = performance.now();
    const answer = await slow.call('POST', CHAT, chatBody({ stream: true }));
    expect(performance.now() - from).toBeGreaterThan(2 * request_ms);
    expect(answer.text).toMatch(/data: \[DONE\]\n\n$/);
    await slow.running.close();
  });

  test('hundreds of silent connections do not keep others from their answers', async () => {
    const silent = Array.from({ length: 500 }, () => rawConnection(baseUrl));
    silent.forEach(({ socket }, at) => {
      if (at % 2 === 0) socket.write('POST /v1/chat');
    });
    await expectAlive();
    await Promise.all(silent.map(({ closed }) => closed));
  });
});

test.each([
  ['Max open files            1024                 524288               files', 'may open 1024 files'],
  ['Max open files            524288               524288               files', null],
  ['', null],
])('open files: %s', (limits, warning) => {
  const said = openFileWarning(limits);
  if (warning === null) expect(said).toBeNull();
  else expect(said).toContain(warning);
});
