import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CODE_POINT } from '../../core/code-point.test-support.ts';
import { accountError, messagesError, modelError } from '../openapi/answers/error-answers.ts';
import { OPERATIONS } from '../openapi/named-schemas.ts';
import { chatBody, startTestGateway, type TestGateway } from '../parts/gateway.test-support.ts';
import { type RawAnswer, rawRequest } from './raw-request.test-support.ts';

const SEED = 20_261_120;
const MOST_MS = 4000;
const SCHEMAS = { model: modelError, messages: messagesError, account: accountError };

/** A frame of a stack, or a path inside this project or its packages. */
const INSIDES = /\bat [\w.<>[\] ]*\(?(?:file|node|\/)[^ ]*:\d+|node_modules|\/src\/|\.ts:\d+/;

let gateway: TestGateway;
let secrets: readonly string[];

beforeAll(async () => {
  gateway = await startTestGateway({ httpLimits: { headers_ms: 300, request_ms: 400, check_ms: 50 } });
  const { api_key, access_token, control_token } = gateway.running.ready;
  secrets = [api_key, access_token, control_token];
});
afterAll(() => gateway.running.close());

interface Request {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly credential: 'key' | 'token' | 'none';
  readonly body: string;
}

const text = fc.string({ unit: CODE_POINT, maxLength: 30 });
const printable = fc.string({ unit: 'grapheme-ascii', maxLength: 30 });
const segment = fc.oneof(
  text.map((value) => encodeURIComponent(value.toWellFormed())),
  printable.map((value) => value.replace(/[ ?#]/g, '%')),
  fc.constantFrom('..', '.', '%2e%2e', '%', '%00', '%ff', '%c3%28', '', '__proto__', 'a'.repeat(500)),
);

const path = fc
  .tuple(
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...OPERATIONS.map((one) => one.path)) },
      {
        weight: 1,
        arbitrary: fc.constantFrom('/', '//', '/v1/', '/api', '/api/none', '/v1/messages/x', '/*'),
      },
      { weight: 1, arbitrary: segment.map((part) => `/${part}`) },
    ),
    fc.array(segment, { minLength: 3, maxLength: 3 }),
  )
  .map(([template, parts]) => {
    let next = 0;
    return template.replace(/\{\w+\}/g, () => parts[next++] ?? '');
  });

const field = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(-1, 0, 1e308, '', null, [], {}, true));
const known = [
  ['model', fc.oneof(field, fc.constantFrom('aspen-mini', 'cedar-haiku', 'lumen-image-mini', 'orbit-2'))],
  ['messages', fc.oneof(field, fc.array(fc.record({ role: field, content: field }), { maxLength: 3 }))],
  ['input', field],
  ['prompt', field],
  ['image', field],
  ['stream', fc.oneof(field, fc.boolean())],
  ['max_tokens', fc.oneof(field, fc.integer({ min: 1, max: 50 }))],
  ['max_output_tokens', fc.oneof(field, fc.integer({ min: 1, max: 50 }))],
  ['n', field],
  ['size', field],
  ['seconds', field],
  ['response_format', field],
] as const;

const body = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record(Object.fromEntries(known), { requiredKeys: [] }).map((v) => JSON.stringify(v)),
  },
  { weight: 2, arbitrary: fc.json({ maxDepth: 4 }) },
  { weight: 1, arbitrary: text },
  { weight: 1, arbitrary: fc.json().map((json) => json.slice(0, -1)) },
  { weight: 1, arbitrary: fc.constant('') },
);

const header = fc.tuple(
  fc.constantFrom(
    ...['accept', 'range', 'if-range', 'if-none-match', 'anthropic-version', 'idempotency-key', 'cookie'],
    ...['new-api-user', 'x-api-key', 'x-request-id', 'content-encoding', 'expect', 'upgrade', 'te', 'origin'],
  ),
  printable,
);

const request: fc.Arbitrary<Request> = fc.record({
  method: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom('GET', 'POST') },
    fc.constantFrom(
      'HEAD',
      'PUT',
      'PATCH',
      'DELETE',
      'OPTIONS',
      'TRACE',
      'QUERY',
      'PROPFIND',
      'PURGE',
      'get',
    ),
  ),
  path,
  query: fc.oneof(
    fc.constant(''),
    fc
      .array(
        fc.tuple(fc.constantFrom('start_time', 'end_time', 'model', 'limit', 'before', 'exp', 'x'), segment),
      )
      .map((pairs) => `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`),
  ),
  headers: fc.array(
    fc.oneof(
      header,
      fc.tuple(
        fc.constant('content-type'),
        fc.oneof(
          { weight: 4, arbitrary: fc.constant('application/json') },
          fc.constantFrom('multipart/form-data; boundary=b', 'multipart/form-data', 'text/plain', ';', 'a/b'),
        ),
      ),
    ),
    { maxLength: 4 },
  ),
  credential: fc.constantFrom('key', 'key', 'key', 'token', 'none'),
  body,
});

function formOf(sent: string): 'account' | 'messages' | 'model' {
  const [, first, second] = sent.split('/');
  if (first === 'api') return 'account';
  return first === 'v1' && second === 'messages' ? 'messages' : 'model';
}

function bytesOf({ method, path: target, query, headers, credential, body: content }: Request): Buffer {
  const { api_key, access_token, user_id } = gateway.running.ready;
  const own = {
    key: [`authorization: Bearer ${api_key}`],
    token: [`authorization: Bearer ${access_token}`, `new-api-user: ${user_id}`],
    none: [],
  }[credential];
  const lines = [
    `${method} ${target}${query} HTTP/1.1`,
    'host: localhost',
    ...own,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(content)}`,
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${content}`);
}

function expectHarmless(answer: RawAnswer | null): RawAnswer {
  if (answer === null) throw new Error('no answer');
  expect(answer.status).toBeLessThan(500);
  expect(answer.body).not.toMatch(INSIDES);
  const whole = [answer.body, ...answer.headers.values()].join('\n');
  expect(secrets.filter((secret) => whole.includes(secret))).toEqual([]);
  return answer;
}

async function expectAlive(): Promise<void> {
  const { status } = await gateway.call('POST', '/v1/chat/completions', chatBody());
  expect(status).toBe(200);
}

const bounds = { seed: SEED, numRuns: 500, interruptAfterTimeLimit: MOST_MS, markInterruptAsFailure: false };

test('any request gets an answer, and a refusal in the form of its path', async () => {
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 6 }), async (requests) => {
      await Promise.all(
        requests.map(async (sent) => {
          const answer = expectHarmless(await rawRequest(gateway.running.ready.base_url, bytesOf(sent)));
          if (answer.status < 400 || sent.method === 'HEAD') return;
          refused += 1;
          const parsed: unknown = JSON.parse(answer.body);
          // What is no request at all has a path only as far as one can be made out.
          if (answer.headers.get('connection') === 'close') {
            expect(Object.values(SCHEMAS).some((schema) => schema.safeParse(parsed).success)).toBe(true);
          } else SCHEMAS[formOf(sent.path)].parse(parsed);
        }),
      );
    }),
    bounds,
  );
  expect(refused).toBeGreaterThan(50);
  await expectAlive();
});

test('any bytes at all get the error object, or nothing but the end of the connection', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), fc.boolean(), async (bytes, isLine) => {
      const end = Buffer.from(`${isLine ? ' / HTTP/1.1' : ''}\r\n\r\n`);
      const answer = await rawRequest(gateway.running.ready.base_url, Buffer.concat([bytes, end]));
      if (answer === null) return;
      expectHarmless(answer);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      modelError.parse(JSON.parse(answer.body));
    }),
    { ...bounds, numRuns: 150 },
  );
  await expectAlive();
});
