import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BODY_LIMIT } from '../http/body-limit.ts';
import { chatBody, startTestGateway, type TestGateway } from '../parts/gateway.test-support.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.running.close());

const CHAT = '/v1/chat/completions';
const JSON_TYPE = { 'content-type': 'application/json' };

describe('request id', () => {
  test('three headers with one value, also on success, another one for each call', async () => {
    const ids = new Set<string | null>();
    for (const path of ['/v1/models', '/v1/models', '/nothing', '/api/user/self']) {
      const { headers } = await gateway.call('GET', path);
      const three = ['x-oneapi-request-id', 'x-request-id', 'request-id'].map((name) => headers.get(name));
      expect(new Set(three).size).toBe(1);
      expect(three[0]).toMatch(/^\d{20}[0-9a-z]{8}$/);
      ids.add(three[0] ?? null);
    }
    expect(ids.size).toBe(4);
  });

  test('every message of an error ends with it', async () => {
    const answer = await gateway.call('POST', CHAT, {});
    const id = answer.headers.get('x-oneapi-request-id');
    expect(answer.json).toMatchObject({
      error: { message: expect.stringMatching(new RegExp(`\\(request id: ${id}\\)$`)) },
    });
  });
});

describe('401', () => {
  const wrong = {
    error: { type: 'new_api_error', code: '', message: expect.stringMatching(/^Invalid token \(/) },
  };

  test.each([
    ['no key', { authorization: null }],
    ['an unknown key', { authorization: 'Bearer sk-nope' }],
    ['another scheme', { authorization: 'Basic c2s=' }],
  ])('%s', async (_what, headers) => {
    const answer = await gateway.call('POST', CHAT, chatBody(), headers);
    expect(answer.status).toBe(401);
    expect(answer.json).toMatchObject(wrong);
  });

  test('the access token opens no model call and no usage read', async () => {
    const authorization = `Bearer ${gateway.running.ready.access_token}`;
    expect((await gateway.call('POST', CHAT, chatBody(), { authorization })).status).toBe(401);
    expect((await gateway.call('GET', '/v1/usage', undefined, { authorization })).status).toBe(401);
  });

  test('comes before the body is looked at', async () => {
    const headers = { authorization: null, ...JSON_TYPE };
    expect((await gateway.call('POST', CHAT, '{broken', headers)).status).toBe(401);
  });

  test('the model list needs no key, but refuses a wrong one', async () => {
    expect((await gateway.call('GET', '/v1/models', undefined, { authorization: null })).status).toBe(200);
    expect(
      (await gateway.call('GET', '/v1/models', undefined, { authorization: 'Bearer sk-nope' })).status,
    ).toBe(401);
  });
});

describe('body', () => {
  test.each(['{broken', '', '[1,'])('malformed JSON %j is 400', async (text) => {
    const answer = await gateway.call('POST', CHAT, text, JSON_TYPE);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ error: { type: 'invalid_request_error', code: '' } });
  });

  test('a content type that is not JSON is 400', async () => {
    expect((await gateway.call('POST', CHAT, 'hello', { 'content-type': 'text/plain' })).status).toBe(400);
  });

  test.each(['null', '5', '"x"', '[]'])('JSON that is no object, %s, is 400', async (text) => {
    expect((await gateway.call('POST', CHAT, text, JSON_TYPE)).status).toBe(400);
  });

  test.each(['application/json', 'multipart/form-data; boundary=x'])(
    '%s above 32 MiB is 413',
    async (type) => {
      const status = await announce('/v1/images/edits', type, BODY_LIMIT + 1);
      expect(status).toBe(413);
    },
  );

  /** Sends only the headers of a body of that length: the answer must not wait for it. */
  function announce(path: string, type: string, length: number): Promise<number | undefined> {
    const { base_url, api_key } = gateway.running.ready;
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${api_key}`, 'content-type': type, 'content-length': length };
      const sent = httpRequest(`${base_url}${path}`, { method: 'POST', headers }, (response) => {
        resolve(response.statusCode);
        sent.destroy();
      });
      sent.on('error', reject);
      sent.flushHeaders();
    });
  }
});

describe('routes', () => {
  test.each(['/', '/v1', '/v1/v1/messages', '/v1/unknown', '/webhooks'])(
    'unknown %s is 404',
    async (path) => {
      const answer = await gateway.call('POST', path, '{broken', JSON_TYPE);
      expect(answer.status).toBe(404);
      expect(answer.json).toMatchObject({ error: { type: 'invalid_request_error', code: '' } });
    },
  );

  test.each([
    ['GET', CHAT, 'POST'],
    ['OPTIONS', CHAT, 'POST'],
    ['HEAD', CHAT, 'POST'],
    ['DELETE', '/v1/models', 'GET, HEAD'],
    ['OPTIONS', '/v1/models', 'GET, HEAD'],
    ['PUT', '/v1/videos/video_1', 'GET, HEAD'],
    ['POST', '/pricing.usd.json', 'GET, HEAD'],
  ])('%s %s is 405 and names the method', async (method, path, allowed) => {
    const answer = await gateway.call(method, path);
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe(allowed);
  });

  test('errors below /v1/messages have the messages form, below /api the account form', async () => {
    const messages = await gateway.call('POST', '/v1/messages', {});
    expect(messages.json).toMatchObject({
      type: 'error',
      error: { type: 'invalid_request_error', code: '' },
      request_id: messages.headers.get('request-id'),
    });
    const account = await gateway.call('GET', '/api/nothing');
    expect(account.json).toEqual({ success: false, message: expect.stringMatching(/^Invalid URL/) });
    const neighbour = await gateway.call('GET', '/apiary');
    expect(neighbour.json).toMatchObject({ error: { code: '' } });
  });
});

test('a key text is never repeated in an answer', async () => {
  const { api_key } = gateway.running.ready;
  const answers = [
    await gateway.call('POST', CHAT, {}, {}),
    await gateway.call('GET', '/api/user/self'),
    await gateway.call('GET', '/v1/nothing'),
  ];
  expect(answers.filter(({ text }) => text.includes(api_key))).toEqual([]);
});
