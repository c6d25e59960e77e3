import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { chatBody, startTestGateway, type TestGateway } from '../parts/gateway.test-support.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.running.close());

const CHAT = '/v1/chat/completions';

test('every route wants the control token, which opens nothing of the service', async () => {
  const { control_url, control_token, api_key } = gateway.running.ready;
  for (const authorization of [null, 'Bearer x', `Bearer ${api_key}`]) {
    for (const path of ['/journal', '/health', '/no-such-route']) {
      const headers = authorization === null ? {} : { headers: { authorization } };
      const response = await fetch(control_url + path, headers);
      expect(response.status).toBe(401);
      expect(await response.json()).toEqual({ error: 'the control token is wrong', code: 'unauthorized' });
    }
  }
  expect(control_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect((await gateway.control('GET', '/health')).json).toEqual({ ok: true });
  const service = await gateway.call('POST', CHAT, chatBody(), { authorization: `Bearer ${control_token}` });
  expect(service.status).toBe(401);
});

describe('a wrong call is told what is wrong', () => {
  test.each([
    ['GET', '/nothing', undefined, 404, 'not_found', 'no control GET /nothing'],
    ['POST', '/faults', {}, 405, 'method_not_allowed', '/faults takes GET or PUT, not POST'],
    ['GET', '/reset', undefined, 405, 'method_not_allowed', '/reset takes POST, not GET'],
    ['POST', '/accounts', { balance_usd: 'much' }, 400, 'invalid_body', 'USD as decimal text'],
    ['POST', '/accounts', { balance_usd: '1', more: 1 }, 400, 'invalid_body', '"more"'],
    ['POST', '/accounts', '{"balance', 400, 'invalid_body', 'expected JSON'],
    ['POST', '/keys', { user_id: 1 }, 404, 'not_found', 'no account 1'],
    ['POST', '/clock', { advance_s: -1 }, 400, 'invalid_body', 'advance_s'],
    ['POST', '/reset', { money: true }, 400, 'invalid_body', '"money"'],
    ['GET', '/journal?after=x', undefined, 400, 'invalid_query', 'number of lines'],
    ['POST', '/accounts/1/block', undefined, 404, 'not_found', 'no account 1'],
    ['POST', '/accounts/x/access-token', undefined, 404, 'not_found', 'no account x'],
    ['POST', '/accounts/1001/credit', { amount_usd: '0' }, 400, 'invalid_body', 'more than 0'],
    ['POST', '/accounts/1001/credit', { amount_usd: '1000000000000' }, 400, 'invalid_body', 'below 10^12'],
    ['POST', '/accounts', { balance_usd: '-1000000000000' }, 400, 'invalid_body', 'below 10^12 USD'],
    ['POST', '/keys/0123456789abcdef/block', undefined, 404, 'not_found', 'no key 0123456789abcdef'],
    ['POST', '/tasks/video_1/fail', undefined, 404, 'not_found', 'no running task video_1'],
    ['PUT', '/latency', 'preset: fats', 400, 'config_invalid', 'latency:1:9'],
    ['PUT', '/prices', { factor: '2', models: {} }, 400, 'invalid_body', 'exactly one of factor, models'],
    ['PUT', '/prices', { models: { none: { input: '1' } } }, 404, 'not_found', 'no model "none"'],
    ['PUT', '/faults', 'faults:\n  - fault: x\n', 400, 'config_invalid', 'faults:2:'],
  ])('%s %s %j', async (method, path, body, status, code, text) => {
    const answer = await gateway.control(method, path, body);
    expect([answer.status, answer.json]).toEqual([status, { error: expect.stringContaining(text), code }]);
  });
});

test('a plan is put as YAML or JSON, read back, and replaced; a wrong one leaves the one before', async () => {
  const plan =
    'faults:\n  - fault: net.eof_clean\n    when: { nth: 1 }\n    parameters: { after_events: 2 }\n';
  expect((await gateway.control('PUT', '/faults', plan)).json).toEqual({ faults: 1 });
  const read = await gateway.control('GET', '/faults');
  expect(read.json).toEqual({
    faults: [{ fault: 'net.eof_clean', when: { nth: 1 }, parameters: { after_events: 2 } }],
  });
  expect((await gateway.control('PUT', '/faults', plan.replace('nth', 'nht'))).text).toContain('faults:3:');
  expect(await gateway.control('GET', '/faults')).toMatchObject({ json: read.json });
  const named = await gateway.control('PUT', '/faults', { scenarios: ['two-429-then-success'] });
  expect(named.json).toEqual({ faults: 1 });
  expect((await gateway.control('PUT', '/faults', { faults: [] })).json).toEqual({ faults: 0 });
});

describe('accounts and keys', () => {
  test('are made as asked', async () => {
    const limited = await gateway.newKey({ key: { limit_usd: '0.5', spent_usd: '0.5' } });
    const authorization = `Bearer ${limited.apiKey}`;
    expect((await gateway.call('POST', CHAT, chatBody(), { authorization })).status).toBe(402);
    expect((await gateway.call('GET', '/v1/usage', undefined, { authorization })).status).toBe(200);
    expect((await gateway.control('GET', `/accounts/${limited.userId}`)).json).toEqual({
      balance_usd: '1',
      reserved_usd: '0',
      used_usd: '0',
      requests: 0,
      blocked: false,
    });
  });

  test('an account that is made blocked is refused everywhere', async () => {
    const account = z.object({ user_id: z.number(), access_token: z.string() });
    const made = account.parse(
      (await gateway.control('POST', '/accounts', { balance_usd: '1', blocked: true })).json,
    );
    const key = z.object({ api_key: z.string() });
    const { api_key } = key.parse((await gateway.control('POST', '/keys', { user_id: made.user_id })).json);
    for (const path of ['/v1/usage', '/v1/models']) {
      const answer = await gateway.call('GET', path, undefined, { authorization: `Bearer ${api_key}` });
      expect([answer.status, answer.json]).toMatchObject([403, { error: { code: 'access_denied' } }]);
    }
    const self = await accountRead(made.user_id, made.access_token);
    expect([self.status, self.json]).toMatchObject([403, { success: false }]);
  });

  test('are blocked and opened again', async () => {
    const { userId, apiKey } = await gateway.newKey();
    const authorization = `Bearer ${apiKey}`;
    const status = async () => (await gateway.call('GET', '/v1/models', undefined, { authorization })).status;
    const made = z.object({ key_fp: z.string() });
    const { key_fp } = made.parse((await gateway.control('POST', '/keys', { user_id: userId })).json);
    for (const path of [`/accounts/${userId}`]) {
      expect((await gateway.control('POST', `${path}/block`)).json).toEqual({ blocked: true });
      expect(await status()).toBe(403);
      expect((await gateway.control('POST', `${path}/unblock`)).json).toEqual({ blocked: false });
      expect(await status()).toBe(200);
    }
    expect((await gateway.control('POST', `/keys/${key_fp}/block`)).json).toEqual({ blocked: true });
    // The other key of the same account.
    expect(await status()).toBe(200);
    expect((await gateway.control('POST', `/keys/${key_fp}/unblock`)).json).toEqual({ blocked: false });
  });

  test('a new access token replaces the old one at once', async () => {
    const { userId, accessToken } = await gateway.newKey();
    expect((await accountRead(userId, accessToken)).status).toBe(200);
    const made = z.object({ access_token: z.string() });
    const { access_token } = made.parse(
      (await gateway.control('POST', `/accounts/${userId}/access-token`)).json,
    );
    expect((await accountRead(userId, accessToken)).status).toBe(401);
    expect((await accountRead(userId, access_token)).status).toBe(200);
  });

  test('credit adds to the balance, each receipt once', async () => {
    const { userId } = await gateway.newKey({ balance_usd: '1' });
    const add = (body: object) => gateway.control('POST', `/accounts/${userId}/credit`, body);
    expect((await add({ amount_usd: '2.5', receipt: 'rcpt_0001' })).json).toEqual({ balance_usd: '3.5' });
    expect((await add({ amount_usd: '0.000000000001' })).json).toEqual({ balance_usd: '3.500000000001' });
    const again = await add({ amount_usd: '2.5', receipt: 'rcpt_0001' });
    expect([again.status, again.json]).toMatchObject([409, { code: 'receipt_known' }]);
  });

  function accountRead(userId: number, token: string) {
    return gateway.call('GET', '/api/user/self', undefined, {
      authorization: `Bearer ${token}`,
      'new-api-user': String(userId),
    });
  }
});

const journal = z.object({ lines: z.array(z.object({ request_id: z.string() })), next: z.number() });
const readJournal = async (query = '') =>
  journal.parse((await gateway.control('GET', `/journal${query}`)).json);

test('the journal is read on from where it was left', async () => {
  const { next } = await readJournal();
  const { headers } = await gateway.call('POST', CHAT, chatBody({ max_tokens: 1 }));
  const more = await readJournal(`?after=${next}`);
  expect(more.lines.map((line) => line.request_id)).toEqual([headers.get('x-request-id')]);
  expect(await readJournal(`?after=${more.next}`)).toEqual({ lines: [], next: more.next });
});

describe('reset', () => {
  test('forgets the journal and counts faults from the start; plan and money stay', async () => {
    const plan = { faults: [{ fault: 'http.429_plain', when: { nth: 1 } }] };
    await gateway.control('PUT', '/faults', plan);
    const ask = async () => (await gateway.call('GET', '/v1/models')).status;
    expect([await ask(), await ask()]).toEqual([429, 200]);
    const records = await gateway.records();
    const balance = (await gateway.control('GET', '/accounts/1001')).json;
    expect((await gateway.control('POST', '/reset')).json).toMatchObject({ tasks: 0 });
    expect(await readJournal()).toEqual({ lines: [], next: 0 });
    expect([await ask(), await ask()]).toEqual([429, 200]);
    expect(await gateway.records()).toEqual(records);
    expect((await gateway.control('GET', '/accounts/1001')).json).toEqual(balance);
    await gateway.control('PUT', '/faults', { faults: [] });
  });

  test('what is to stay is named; prompts are new again', async () => {
    const before = await readJournal();
    const left = { journal: false, fault_counts: false, prompt_cache: true };
    expect((await gateway.control('POST', '/reset', left)).json).toEqual({ journal: 0, tasks: 0 });
    expect(await readJournal()).toEqual(before);
    const long = { role: 'system', content: 'word '.repeat(1500) };
    const body = { model: 'aspen', max_tokens: 1, messages: [long, { role: 'user', content: 'x' }] };
    const cacheRead = async () => {
      await gateway.call('POST', CHAT, body);
      return (await gateway.records())[0]?.cache_read_tokens ?? 0;
    };
    expect(await cacheRead()).toBe(0);
    expect(await cacheRead()).toBeGreaterThan(1024);
    await gateway.control('POST', '/reset', left);
    expect(await cacheRead()).toBe(0);
  });

  test('what a fault still holds back is settled first: its lines are not of the next case', async () => {
    const late = { charge: 'late', after_s: 3_600 };
    const select = { endpoint: CHAT };
    const plan = { faults: [{ fault: 'http.500', select, when: { nth: 1 }, parameters: late }] };
    expect((await gateway.control('PUT', '/faults', plan)).status).toBe(200);
    expect((await gateway.call('POST', CHAT, chatBody())).status).toBe(500);
    expect((await gateway.records())[0]).toMatchObject({ billing_status: 'pending' });
    await gateway.control('POST', '/reset');
    expect((await gateway.records())[0]).toMatchObject({ billing_status: 'settled' });
    expect(await readJournal()).toEqual({ lines: [], next: 0 });
    await gateway.control('PUT', '/faults', { faults: [] });
  });

  test('tasks end only where it is asked for: what they held is given back', async () => {
    const slow = await startTestGateway({ latency: 'realistic' });
    try {
      await slow.call('POST', '/v1/videos', { model: 'orbit-2', prompt: 'a boat' });
      expect((await slow.control('POST', '/reset')).json).toMatchObject({ tasks: 0 });
      expect(await slow.records()).toMatchObject([{ billing_status: 'pending' }]);
      expect((await slow.control('POST', '/reset', { tasks: true })).json).toMatchObject({ tasks: 1 });
      expect(await slow.records()).toMatchObject([{ billing_status: 'refunded' }]);
    } finally {
      await slow.running.close();
    }
  });
});

test('the clock goes forward: links expire, and records fall on the later day', async () => {
  const clock = z.object({ now: z.number() });
  const moved = async (advance_s: number) =>
    clock.parse((await gateway.control('POST', '/clock', { advance_s })).json).now;
  const now = await moved(0);
  const image = z.object({ data: z.array(z.object({ url: z.string() })) });
  const made = await gateway.call('POST', '/v1/images/generations', { model: 'lumen-image', prompt: 'x' });
  const url = image.parse(made.json).data[0]?.url ?? '';
  expect((await fetch(url)).status).toBe(200);
  expect((await moved(2 * 86_400)) - now).toBeGreaterThanOrEqual(2 * 86_400);
  expect((await fetch(url)).status).toBe(403);
  await gateway.call('POST', CHAT, chatBody({ max_tokens: 1 }));
  const [latest] = await gateway.records();
  expect((latest?.created_at ?? 0) - now).toBeGreaterThanOrEqual(2 * 86_400);
});

test('prices change from now on; a call keeps the version of its moment', async () => {
  const version = z.object({ pricebook_id: z.string(), pricing_version: z.string() });
  const before = version.parse((await gateway.call('GET', '/pricing.usd.json')).json);
  await gateway.call('POST', CHAT, chatBody({ max_tokens: 1 }));
  const changed = version.parse((await gateway.control('PUT', '/prices', { factor: '2' })).json);
  expect(changed.pricing_version).not.toBe(before.pricing_version);
  expect(version.parse((await gateway.call('GET', '/pricing.usd.json')).json)).toEqual(changed);
  await gateway.call('POST', CHAT, chatBody({ max_tokens: 1 }));
  const [later, earlier] = await gateway.records();
  expect([later?.pricing_version, earlier?.pricing_version]).toEqual([
    changed.pricing_version,
    before.pricing_version,
  ]);
});

test('latency changes while it serves, and the gateway tells how late it was itself', async () => {
  const put = await gateway.control('PUT', '/latency', 'preset: fast\nttft: { fixed: { ms: 120 } }\n');
  expect(put.json).toMatchObject({ ttft: { kind: 'fixed', ms: 120 } });
  const start = performance.now();
  await gateway.call('POST', CHAT, chatBody({ max_tokens: 1 }));
  expect(performance.now() - start).toBeGreaterThanOrEqual(119);
  expect((await gateway.control('PUT', '/latency', 'preset: fast')).status).toBe(200);
  const report = z.object({ events: z.number(), p99_ms: z.number(), max_ms: z.number() });
  const { events, p99_ms, max_ms } = report.parse((await gateway.control('GET', '/lateness')).json);
  expect(events).toBeGreaterThan(0);
  expect(p99_ms).toBeLessThanOrEqual(max_ms);
  await gateway.control('POST', '/reset');
  expect((await gateway.control('GET', '/lateness')).json).toMatchObject({ events: 0, max_ms: null });
});

test('whatever is sent is answered in the one form of errors, or done', async () => {
  const odd = await startTestGateway();
  const paths = ['/faults', '/journal', '/reset', '/clock', '/latency', '/prices', '/accounts', '/keys'];
  const deeper = [
    '/accounts/1001/credit',
    '/accounts/%00',
    '/keys/x/block',
    '/tasks/%2F/fail',
    '/%C3%28',
    '//',
  ];
  const bodies = [
    '',
    '{',
    '[]',
    'null',
    '"text"',
    '1e999',
    '{"__proto__":{"x":1}}',
    'faults: &a [*a]',
    'faults:\n  - !x 1\n',
    '\u0000',
    '{"advance_s":1e308}',
    '{"models":{"aspen-mini":{"input":"-1"}}}',
    '{"balance_usd":"9999999999999999999999999999"}',
  ];
  try {
    for (const path of [...paths, ...deeper]) {
      for (const method of ['PUT', 'POST']) {
        for (const body of bodies) {
          const { status, json } = await odd.control(method, path, body);
          expect({ method, path, body: body.slice(0, 40), failed: status >= 500 }).toMatchObject({
            failed: false,
          });
          if (status !== 200) expect(json).toEqual({ error: expect.any(String), code: expect.any(String) });
        }
      }
    }
    const long = await odd.control('PUT', '/faults', 'x'.repeat(1_500_000));
    expect([long.status, long.json]).toMatchObject([413, { code: 'invalid_request' }]);
    expect((await odd.control('GET', '/health')).status).toBe(200);
  } finally {
    await odd.running.close();
  }
});
