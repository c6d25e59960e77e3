import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { chatBody, startTestGateway, type TestGateway } from '../parts/gateway.test-support.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.running.close());

const self = z.object({
  success: z.literal(true),
  data: z.object({ id: z.number(), quota: z.int(), used_quota: z.int(), request_count: z.int() }),
});

function read(token: string | null, user: string | null) {
  const authorization = token === null ? null : `Bearer ${token}`;
  return gateway.call('GET', '/api/user/self', undefined, { authorization, 'new-api-user': user });
}

describe('401 with {success: false, message}', () => {
  test('without token, without user, with the user of another token, with an API key', async () => {
    const { access_token, api_key, user_id } = gateway.running.ready;
    const other = await gateway.newKey();
    for (const answer of [
      await read(null, String(user_id)),
      await read(access_token, null),
      await read(access_token, String(other.userId)),
      await read(other.accessToken, String(user_id)),
      await read(api_key, String(user_id)),
    ]) {
      expect(answer.status).toBe(401);
      expect(answer.json).toEqual({ success: false, message: expect.stringMatching(/\(request id: \w+\)$/) });
    }
  });
});

test('credit goes down by what is used, in units of this start', async () => {
  const { userId, apiKey, accessToken } = await gateway.newKey({ balance_usd: '100' });
  const state = async () => self.parse((await read(accessToken, String(userId))).json).data;
  const before = await state();
  expect(before).toMatchObject({ id: userId, used_quota: 0, request_count: 0 });
  const headers = { authorization: `Bearer ${apiKey}` };
  await gateway.call(
    'POST',
    '/v1/images/generations',
    { model: 'lumen-image', prompt: 'x', quality: 'high' },
    headers,
  );
  await gateway.call('POST', '/v1/chat/completions', chatBody({ model: 'none' }), headers);
  const after = await state();
  expect(after.request_count).toBe(1);
  expect(before.quota - after.quota).toBeGreaterThanOrEqual(after.used_quota);
  expect(before.quota - after.quota - after.used_quota).toBeLessThanOrEqual(1);
  // 0.167 of 100 USD
  expect(after.used_quota / before.quota).toBeCloseTo(0.00167, 6);
});

test('the access token is never part of the record', async () => {
  const { access_token, user_id } = gateway.running.ready;
  expect((await read(access_token, String(user_id))).text).not.toContain(access_token);
});
