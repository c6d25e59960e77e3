import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { chatBody, startTestGateway, type TestGateway } from '../gateway.test-support.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.running.close());

const CHAT = '/v1/chat/completions';

test('every route wants the control token, which opens nothing of the service', async () => {
  const { control_url, control_token, api_key } = gateway.running.ready;
  for (const authorization of [null, 'Bearer x', `Bearer ${api_key}`]) {
    const response = await fetch(
      `${control_url}/journal`,
      authorization === null ? {} : { headers: { authorization } },
    );
    expect(response.status).toBe(401);
  }
  expect((await gateway.control('GET', '/health')).json).toEqual({ ok: true });
  const service = await gateway.call('POST', CHAT, chatBody(), { authorization: `Bearer ${control_token}` });
  expect(service.status).toBe(401);
});

test('a plan is put as YAML or JSON and replaces the one before; a wrong one is refused with its place', async () => {
  const plan = 'faults:\n  - fault: bill.double_charge\n    when: { nth: 1 }\n';
  const put = async (text: string) => {
    const { control_url, control_token } = gateway.running.ready;
    const headers = { authorization: `Bearer ${control_token}`, 'content-type': 'application/yaml' };
    const response = await fetch(`${control_url}/faults`, { method: 'PUT', headers, body: text });
    return { status: response.status, text: await response.text() };
  };
  expect(await put(plan)).toEqual({ status: 200, text: '{"faults":1}' });
  const wrong = await put(plan.replace('nth', 'nht'));
  expect(wrong.status).toBe(400);
  expect(wrong.text).toContain('faults:3:');
  expect((await gateway.control('PUT', '/faults', { faults: [] })).json).toEqual({ faults: 0 });
});

test('accounts and keys are made as asked, and wrong wishes are refused', async () => {
  const limited = await gateway.newKey({ key: { limit_usd: '0.5', spent_usd: '0.5' } });
  const spent = await gateway.call('POST', CHAT, chatBody(), { authorization: `Bearer ${limited.apiKey}` });
  expect(spent.status).toBe(402);
  const usage = await gateway.call('GET', '/v1/usage', undefined, {
    authorization: `Bearer ${limited.apiKey}`,
  });
  expect(usage.status).toBe(200);
  expect((await gateway.control('POST', '/accounts', { balance_usd: 'much' })).status).toBe(400);
  expect((await gateway.control('POST', '/accounts', { balance_usd: '1', more: 1 })).status).toBe(400);
  expect((await gateway.control('POST', '/keys', { user_id: 1 })).status).toBe(404);
  expect((await gateway.control('GET', `/accounts/${limited.userId}`)).json).toEqual({
    balance_usd: '1',
    reserved_usd: '0',
    used_usd: '0',
    requests: 0,
  });
});

test('a blocked account is refused everywhere', async () => {
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
  const self = await gateway.call('GET', '/api/user/self', undefined, {
    authorization: `Bearer ${made.access_token}`,
    'new-api-user': String(made.user_id),
  });
  expect([self.status, self.json]).toMatchObject([403, { success: false }]);
});
