import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { chatBody, startTestGateway, type TestGateway } from '../parts/gateway.test-support.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.running.close());

const usageRecords = z.object({ data: z.array(z.object({ request_id: z.string(), amount: z.string() })) });
const usageTotals = z.object({ records: z.number(), settled_amount: z.string() });
const IMAGE = { model: 'lumen-image', prompt: 'x', quality: 'high' };

function refusal(status: number, code: string) {
  return { status, json: { error: { code, type: expect.any(String), message: expect.any(String) } } };
}

describe('credit', () => {
  test('403 where the estimate is above the balance, 402 where the balance is spent or negative', async () => {
    const answerWith = async (balance_usd: string) => {
      const { userId, apiKey } = await gateway.newKey({ balance_usd });
      const headers = { authorization: `Bearer ${apiKey}` };
      const call = () => gateway.call('POST', '/v1/images/generations', IMAGE, headers);
      return { userId, call, answer: await call() };
    };
    expect((await answerWith('0.1')).answer).toMatchObject(refusal(403, 'insufficient_user_quota'));
    expect((await answerWith('0')).answer).toMatchObject(refusal(402, 'insufficient_user_quota'));
    const { userId, call, answer } = await answerWith('-1');
    expect(answer).toMatchObject(refusal(402, 'insufficient_user_quota'));
    expect(answer.text).toContain('balance is $-1.');
    await gateway.control('POST', `/accounts/${userId}/credit`, { amount_usd: '2' });
    expect((await call()).status).toBe(200);
  });

  test('a key without credit still reads its usage', async () => {
    const { apiKey } = await gateway.newKey({ key: { limit_usd: '1', spent_usd: '1' } });
    const headers = { authorization: `Bearer ${apiKey}` };
    expect(await gateway.call('POST', '/v1/chat/completions', chatBody(), headers)).toMatchObject({
      status: 402,
    });
    expect((await gateway.call('GET', '/v1/usage', undefined, headers)).status).toBe(200);
  });

  test('request_id finds the calls that a funding receipt paid for, of this key only', async () => {
    const { userId, apiKey } = await gateway.newKey({ balance_usd: '0.2' });
    const headers = { authorization: `Bearer ${apiKey}` };
    const credit = (receipt: string) =>
      gateway.control('POST', `/accounts/${userId}/credit`, { amount_usd: '0.2', receipt });
    await credit('rcpt_first');
    await credit('rcpt_second');
    // 0.167 each: of the opening credit; of that and the first receipt; of both receipts.
    const ids: (string | null)[] = [];
    for (let call = 0; call < 3; call += 1) {
      ids.push(
        (await gateway.call('POST', '/v1/images/generations', IMAGE, headers)).headers.get('x-request-id'),
      );
    }
    const found = async (request_id: string) => {
      const query = `request_id=${request_id}`;
      const page = usageRecords.parse(
        (await gateway.call('GET', `/v1/usage/requests?${query}`, undefined, headers)).json,
      );
      const totals = usageTotals.parse(
        (await gateway.call('GET', `/v1/usage?${query}`, undefined, headers)).json,
      );
      expect(totals.records).toBe(page.data.length);
      return page.data.map((record) => record.request_id);
    };
    expect(await found('rcpt_first')).toEqual([ids[2], ids[1]]);
    expect(await found('rcpt_second')).toEqual([ids[2]]);
    expect(await found('rcpt_third')).toEqual([]);
    expect(await found(ids[0] ?? '')).toEqual([ids[0]]);
    const elsewhere = await gateway.call('GET', '/v1/usage/requests?request_id=rcpt_first');
    expect(usageRecords.parse(elsewhere.json).data).toEqual([]);
  });
});

test('an account and a key can be blocked and let in again while they are used', async () => {
  const { userId, apiKey, accessToken } = await gateway.newKey();
  const headers = { authorization: `Bearer ${apiKey}` };
  const owner = { authorization: `Bearer ${accessToken}`, 'new-api-user': String(userId) };
  const models = () => gateway.call('GET', '/v1/models', undefined, headers);
  const self = () => gateway.call('GET', '/api/user/self', undefined, owner);
  expect([(await models()).status, (await self()).status]).toEqual([200, 200]);
  await gateway.control('POST', `/accounts/${userId}/block`, {});
  expect(await models()).toMatchObject(refusal(403, 'access_denied'));
  expect(await self()).toMatchObject({ status: 403, json: { success: false } });
  await gateway.control('POST', `/accounts/${userId}/unblock`, {});
  expect([(await models()).status, (await self()).status]).toEqual([200, 200]);
});

test('the access token that was replaced is refused', async () => {
  const { userId, accessToken } = await gateway.newKey();
  const self = (token: string) =>
    gateway.call('GET', '/api/user/self', undefined, {
      authorization: `Bearer ${token}`,
      'new-api-user': String(userId),
    });
  const answer = await gateway.control('POST', `/accounts/${userId}/access-token`, {});
  const { access_token } = z.object({ access_token: z.string() }).parse(answer.json);
  expect([(await self(accessToken)).status, (await self(access_token)).status]).toEqual([401, 200]);
});

test('a key of another site is 403 with the base address to use', async () => {
  const { apiKey } = await gateway.newKey({ key: { site: 2 } });
  const answer = await gateway.call('GET', '/v1/usage', undefined, { authorization: `Bearer ${apiKey}` });
  expect(answer).toMatchObject(refusal(403, 'key_site_mismatch'));
  expect(answer.text).toContain('https://');
});

test('jobs and videos are found by any key of their account, and are 404 for another account', async () => {
  const { userId, apiKey } = await gateway.newKey();
  const sibling = await gateway.control('POST', '/keys', { user_id: userId });
  const { api_key } = z.object({ api_key: z.string() }).parse(sibling.json);
  const by = (key: string) => ({ authorization: `Bearer ${key}` });
  const job = await gateway.call('POST', '/v1/images/generations/jobs', IMAGE, by(apiKey));
  const video = await gateway.call(
    'POST',
    '/v1/videos',
    { model: 'orbit-2', prompt: 'x', seconds: 1 },
    by(apiKey),
  );
  const { job_id } = z.object({ job_id: z.string() }).parse(job.json);
  const { id } = z.object({ id: z.string() }).parse(video.json);
  for (const path of [`/v1/images/jobs/${job_id}`, `/v1/images/jobs/${job_id}/result`, `/v1/videos/${id}`]) {
    expect((await gateway.call('GET', path, undefined, by(api_key))).status).not.toBe(404);
    expect((await gateway.call('GET', path)).status).toBe(404);
  }
});

test('each key lists and calls its own models', async () => {
  const { apiKey } = await gateway.newKey({ key: { models: ['aspen-nano'] } });
  const headers = { authorization: `Bearer ${apiKey}` };
  const listed = await gateway.call('GET', '/v1/models', undefined, headers);
  expect(listed.json).toMatchObject({ data: [{ id: 'aspen-nano' }] });
  const status = async (model: string) =>
    (await gateway.call('POST', '/v1/chat/completions', chatBody({ model, max_tokens: 1 }), headers)).status;
  expect([await status('aspen-nano'), await status('aspen-mini')]).toEqual([200, 404]);
});
