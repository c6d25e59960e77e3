import { afterEach, describe, expect, test } from 'vitest';
import { chatBody, startTestGateway, type TestGateway } from '../parts/gateway.test-support.ts';
import { callWith, journalOf } from './fault-cases.test-support.ts';

const CHAT = '/v1/chat/completions';
let gateway: TestGateway;

afterEach(() => gateway.running.close());

describe('a call that is carried out and charged though its answer is withheld', () => {
  test.each([
    ['http.524_html; charge=charged', 524, { max_tokens: 4 }],
    ['http.500; charge=charged', 500, { max_tokens: 4, stream: true }],
    ['net.reset_before; charge=charged', null, { max_tokens: 4 }],
    ['net.reset_before; charge=charged; manner=fin', null, { max_tokens: 4, stream: true }],
  ])('%s: settled whole, the whole amount is too much', async (fault, status, over) => {
    gateway = await startTestGateway();
    const answer = await callWith(gateway, fault, 'POST', CHAT, chatBody(over)).catch(() => null);
    expect(answer?.status ?? null).toBe(status);
    const [record, ...others] = await gateway.records();
    expect(others).toEqual([]);
    expect(record).toMatchObject({
      billing_status: 'settled',
      result: 'completed',
      usage_estimated: false,
      output_tokens: 4,
    });
    const { calls, faults } = await journalOf(gateway);
    expect(faults).toMatchObject([{ request_id: record?.request_id, delta: record?.amount }]);
    expect(calls).toMatchObject([{ request_id: record?.request_id, amount: record?.amount }]);
  });

  test('a task goes on; the journal has its fault once it is settled', async () => {
    gateway = await startTestGateway();
    const body = { model: 'orbit-2', prompt: 'a boat' };
    const answer = await callWith(gateway, 'http.504; charge=charged', 'POST', '/v1/videos', body);
    expect(answer.status).toBe(504);
    await expect.poll(async () => (await journalOf(gateway)).faults).toHaveLength(1);
    const [record] = await gateway.records();
    expect(record).toMatchObject({ billing_status: 'settled', amount: '0.4' });
    expect((await journalOf(gateway)).faults).toMatchObject([{ fault: 'http.504', delta: '0.4' }]);
  });

  test('a call that the gateway refuses itself is refused, and no fault has fired', async () => {
    gateway = await startTestGateway();
    const body = chatBody({ model: 'no-such-model' });
    const answer = await callWith(gateway, 'http.500; charge=charged', 'POST', CHAT, body);
    expect(answer.status).toBe(404);
    expect((await journalOf(gateway)).faults).toEqual([]);
  });

  test('a read costs nothing whatever the fault says', async () => {
    gateway = await startTestGateway();
    const answer = await callWith(gateway, 'http.500; charge=charged', 'GET', '/v1/usage');
    expect(answer.status).toBe(500);
    expect((await journalOf(gateway)).faults).toMatchObject([{ delta: '0' }]);
  });
});

describe('late', () => {
  test('the record is pending when the answer comes, and settled after the time', async () => {
    gateway = await startTestGateway();
    const fault = 'http.524_html; charge=late; after_s=2';
    const sent = performance.now();
    await callWith(gateway, fault, 'POST', CHAT, chatBody({ max_tokens: 4 }));
    const answered_ms = performance.now() - sent;
    expect(await gateway.records()).toMatchObject([{ billing_status: 'pending', amount: '0' }]);
    expect((await journalOf(gateway)).faults).toEqual([]);
    await expect
      .poll(async () => (await gateway.records()).map((record) => record.billing_status))
      .toEqual(['settled']);
    const [record] = await gateway.records();
    const { calls, faults } = await journalOf(gateway);
    expect(faults).toMatchObject([{ delta: record?.amount, parameters: { charge: 'late', after_s: 2 } }]);
    expect(calls).toMatchObject([{ amount: record?.amount }]);
    // The wait for the settlement is no time of the call.
    expect(calls[0]?.end_ms).toBeLessThanOrEqual(answered_ms);
  });

  test('a gateway that stops before settles at once', async () => {
    gateway = await startTestGateway();
    await callWith(gateway, 'http.500; charge=late; after_s=3600', 'POST', CHAT, chatBody({ max_tokens: 4 }));
    // No test waits an hour.
    await gateway.running.close();
  });
});
