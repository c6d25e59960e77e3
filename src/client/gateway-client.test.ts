import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { WeighbridgeError } from '../contracts/failure.ts';
import type { GatewayClient, GatewayClientOptions } from './gateway-client.ts';
import {
  type LoopbackServer,
  loopbackServer,
  sendJson,
  TEST_KEY,
  testClient,
} from './loopback-server.test-support.ts';

const WINDOW = { start: 1_790_000_000, end: 1_790_003_600 };
const open: { close(): Promise<void> }[] = [];

async function start(
  answer: (request: IncomingMessage, response: ServerResponse, url: URL) => void,
  options: Partial<GatewayClientOptions> = {},
): Promise<{ server: LoopbackServer; client: GatewayClient }> {
  const server = await loopbackServer(answer);
  const client = testClient(server.root, options);
  open.push(client, server);
  return { server, client };
}

afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

describe('GatewayClient', () => {
  it('reads the model list with the key or without it', async () => {
    const { server, client } = await start((_, response) =>
      sendJson(
        response,
        200,
        { object: 'list', data: [{ id: 'a/b:c', owned_by: 'x' }] },
        { 'x-request-id': 'r1' },
      ),
    );
    const withKey = await client.models(true);
    await client.models(false);
    expect(withKey).toMatchObject({
      ok: true,
      status: 200,
      requestId: 'r1',
      body: { data: [{ id: 'a/b:c', owned_by: 'x' }] },
    });
    expect(server.requests.map((request) => [request.url, request.headers.authorization])).toEqual([
      ['/v1/models', `Bearer ${TEST_KEY}`],
      ['/v1/models', undefined],
    ]);
  });

  it('takes a model list without an envelope', async () => {
    const { client } = await start((_, response) => sendJson(response, 200, [{ id: 'm', size: 1 }]));
    expect(await client.models(true)).toMatchObject({ ok: true, body: { data: [{ id: 'm', size: 1 }] } });
  });

  it.each([{}, { object: null }, { object: 'models' }])(
    'takes a model list that calls itself %j',
    async (told) => {
      const { client } = await start((_, response) =>
        sendJson(response, 200, { ...told, data: [{ id: 'm' }] }),
      );
      expect(await client.models(true)).toMatchObject({ ok: true, body: { data: [{ id: 'm' }] } });
    },
  );

  it.each([
    ['plain', TEST_KEY],
    ['behind Bearer in base64', Buffer.from(`Bearer ${TEST_KEY}`).toString('base64')],
    ['percent-encoded', [...TEST_KEY].map((char) => `%${char.charCodeAt(0).toString(16)}`).join('')],
    ['escaped for JSON', [...TEST_KEY].map((char) => `\\u00${char.charCodeAt(0).toString(16)}`).join('')],
  ])('takes its key out of what a target repeats in body and headers: %s', async (_, echoed) => {
    const { client } = await start((request, response) =>
      sendJson(
        response,
        request.url === '/v1/models' ? 400 : 200,
        `{"error":{"type":"x","code":"${echoed}","message":"${echoed}"}}`,
        { 'x-request-id': echoed },
      ),
    );
    const refused = await client.models(true);
    const book = await client.priceBook();
    const kept = book.ok ? Buffer.from(book.bytes).toString() : '';
    if (refused.ok) expect.fail('expected a refusal');
    for (const text of [refused.code, refused.message, refused.requestId, book.requestId, kept]) {
      expect(text).toContain('[credential]');
      expect(text).not.toContain(echoed.slice(-12));
    }
  });

  it('gives the price book as served, with its hash and without a credential', async () => {
    const served = '{ "z": 1,\n "a": 0.10 }';
    const { server, client } = await start((_, response) => sendJson(response, 200, served));
    const book = await client.priceBook();
    expect(book).toMatchObject({
      ok: true,
      body: served,
      sha256: '460b7591745831ba06645498020d5126341212284e11648b8a890394c91bb0d7',
    });
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });

  it('asks for the price book with its key where that is needed', async () => {
    const { server, client } = await start((request, response) =>
      request.headers.authorization === undefined
        ? sendJson(response, 401, { error: { type: 'authentication_error' } })
        : sendJson(response, 200, '{}'),
    );
    expect(await client.priceBook()).toMatchObject({ ok: true, body: '{}' });
    const keys = server.requests.map(({ headers }) => headers.authorization);
    expect(keys).toEqual([undefined, `Bearer ${TEST_KEY}`]);
  });

  it('tells that a document is not kept as it was served', async () => {
    const { client } = await start((_, response) => sendJson(response, 200, { data: [], object: TEST_KEY }));
    expect(await client.models(true)).toMatchObject({
      ok: true,
      masked: true,
      body: { object: '[credential]' },
    });
  });

  it('leaves words alone where the key is one, and takes it out of what it is said in', async () => {
    const served = { error: { message: 'no key list', type: 'list', code: 'list' } };
    const { client } = await start(
      (request, response) =>
        request.url === '/v1/models'
          ? sendJson(response, 200, { object: 'list', data: [] })
          : sendJson(response, 400, served),
      { apiKey: 'list' },
    );
    expect(await client.models(true)).toMatchObject({ ok: true, body: { object: 'list', data: [] } });
    expect(await client.priceBook()).toMatchObject({ code: 'list', message: 'no key [credential]' });
  });

  it('sends window, filters, limit and cursor, percent-encoded', async () => {
    const { server, client } = await start((_, response) =>
      sendJson(response, 200, { data: [], has_more: false }),
    );
    await client.usageRequests({
      window: WINDOW,
      model: 'a b&c=d/é',
      requestId: 'r',
      limit: 7,
      before: 'x+y/=',
    });
    const url = new URL(server.requests[0]?.url ?? '', server.root);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      start_time: '1790000000',
      end_time: '1790003600',
      model: 'a b&c=d/é',
      request_id: 'r',
      limit: '7',
      before: 'x+y/=',
    });
  });

  it('keeps numbers that a double would change as text', async () => {
    const { client } = await start((_, response) =>
      sendJson(
        response,
        200,
        '{"data":[{"id":9007199254740993,"amount":0.1000000000000000055511151231257827,"n":12.50}],"has_more":false}',
      ),
    );
    const page = await client.usageRequests({ window: WINDOW, limit: null, before: null });
    expect(page).toMatchObject({
      ok: true,
      numbersAsText: 2,
      body: { data: [{ id: '9007199254740993', amount: '0.1000000000000000055511151231257827', n: 12.5 }] },
    });
  });

  it('returns a refusal as data, with code, type and request id', async () => {
    const error = {
      message: `no credit (key ${TEST_KEY})`,
      type: 'new_api_error',
      code: 'insufficient_user_quota',
    };
    const { client } = await start((_, response) =>
      sendJson(response, 403, { error }, { 'x-oneapi-request-id': 'q9' }),
    );
    expect(await client.usageTotals({ window: WINDOW })).toEqual({
      ok: false,
      status: 403,
      code: 'insufficient_user_quota',
      message: 'no credit (key [credential])',
      retryAfterS: null,
      errorType: 'insufficient_user_quota',
      requestId: 'q9',
    });
  });

  it('sends both account headers and unwraps the record', async () => {
    const data = { id: 7, quota: 5, used_quota: 2, request_count: 3 };
    const { server, client } = await start(
      (_, response) => sendJson(response, 200, { success: true, data }),
      {
        accessToken: 'token-abc',
        userId: '7',
      },
    );
    expect(await client.account()).toMatchObject({ ok: true, body: data });
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: 'Bearer token-abc',
      'new-api-user': '7',
    });
  });

  it('reports an account error that came with status 200', async () => {
    const { client } = await start(
      (_, response) => sendJson(response, 200, { success: false, message: 'no such user' }),
      {
        accessToken: 'token-abc',
        userId: '7',
      },
    );
    expect(await client.account()).toMatchObject({ ok: false, status: 200, message: 'no such user' });
  });

  it('reports a redirect, without its query, and does not follow it', async () => {
    const { server, client } = await start((_, response) => {
      response.writeHead(307, { location: '/elsewhere?signature=secret' });
      response.end();
    });
    const result = await client.models(true);
    expect(result).toMatchObject({
      ok: false,
      status: 307,
      message: 'redirect to /elsewhere was not followed',
    });
    expect(server.requests).toHaveLength(1);
  });

  it('names a body that does not fit', async () => {
    const { client } = await start((_, response) =>
      sendJson(response, 200, { object: 'list', data: [{ name: 'x' }] }),
    );
    const result = await client.models(true);
    expect(result).toMatchObject({ ok: false, status: 200, errorType: 'schema_mismatch' });
    expect(result.ok ? '' : result.message).toMatch(/^data\.0\.id: /);
  });

  it('waits for Retry-After, then for growing times, and gives up after the last attempt', async () => {
    const waits: number[] = [];
    const { server, client } = await start(
      (_, response) =>
        server.requests.length === 1
          ? sendJson(
              response,
              429,
              { error: { message: 'slow', type: 't', code: '' } },
              { 'retry-after': '3' },
            )
          : sendJson(response, 503, 'down'),
      {
        retry: { attempts: 4, firstWaitMs: 100, factor: 2, maxWaitMs: 10_000 },
        wait: (ms) => {
          waits.push(ms);
          return Promise.resolve();
        },
      },
    );
    const result = await client.models(true);
    expect(result).toMatchObject({ ok: false, status: 503, errorType: 'http_5xx' });
    expect(server.requests).toHaveLength(4);
    expect(waits).toEqual([3000, 200, 400]);
  });

  it('gives up instead of coming back before a long Retry-After', async () => {
    const { server, client } = await start((_, response) =>
      sendJson(response, 429, '', { 'retry-after': '3600' }),
    );
    expect(await client.models(true)).toMatchObject({ ok: false, status: 429, retryAfterS: 3600 });
    expect(server.requests).toHaveLength(1);
  });

  it.each([400, 401, 403, 404])('does not repeat a %i', async (status) => {
    const { server, client } = await start((_, response) => sendJson(response, status, '{}'));
    expect(await client.models(true)).toMatchObject({ ok: false, status });
    expect(server.requests).toHaveLength(1);
  });

  it('reports a refused connection and a silent server without an exception', async () => {
    const { server, client } = await start((_, response) => sendJson(response, 200, {}), {
      retry: { attempts: 1, firstWaitMs: 1, factor: 1, maxWaitMs: 1 },
    });
    await server.close();
    open.pop();
    expect(await client.models(true)).toMatchObject({
      ok: false,
      status: null,
      errorType: 'connect_refused',
    });

    const silent = await start(() => {}, {
      timeoutMs: 50,
      retry: { attempts: 1, firstWaitMs: 1, factor: 1, maxWaitMs: 1 },
    });
    expect(await silent.client.models(true)).toMatchObject({
      ok: false,
      status: null,
      errorType: 'timeout_total',
    });
  });

  it('gives up a body above the limit', async () => {
    const { server, client } = await start((_, response) => sendJson(response, 200, 'x'.repeat(2000)), {
      maxBytes: 1000,
    });
    expect(await client.priceBook()).toMatchObject({ ok: false, errorType: 'stream_oversize' });
    expect(server.requests).toHaveLength(1);
  });

  it('ends its waits when told to stop', async () => {
    const stop = new AbortController();
    const { server, client } = await start((_, response) => sendJson(response, 503, ''), {
      signal: stop.signal,
      wait: () => {
        stop.abort();
        return Promise.reject(stop.signal.reason);
      },
    });
    expect(await client.models(true)).toMatchObject({ ok: false, status: 503 });
    expect(server.requests).toHaveLength(1);
  });

  it('refuses a credential that no header can carry, without repeating it', () => {
    const build = () => testClient('http://127.0.0.1:1', { apiKey: 'sk-line\nbreak' });
    expect(build).toThrow(WeighbridgeError);
    expect(build).not.toThrow(/sk-line/);
  });

  it('asks for a missing credential by its variable', async () => {
    const client = testClient('http://127.0.0.1:1', { apiKey: undefined });
    open.push(client);
    await expect(client.models(true)).rejects.toMatchObject({ code: 'credential_missing', exitCode: 2 });
  });
});
