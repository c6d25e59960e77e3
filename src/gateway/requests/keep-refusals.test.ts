import { afterEach, expect, test } from 'vitest';
import { chatBody, startTestGateway, type TestGateway } from '../parts/gateway.test-support.ts';
import { readReadings } from '../readings/read-readings.ts';

const CHAT = '/v1/chat/completions';

let gateway: TestGateway | null = null;
afterEach(async () => {
  await gateway?.running.close();
  gateway = null;
});

async function start(text: string): Promise<TestGateway> {
  gateway = await startTestGateway({ readings: readReadings({ text, file: 'readings.yaml' }) });
  return gateway;
}

test('a refused call leaves a record of amount 0', async () => {
  const on = await start('refused_call: free_record\n');
  const unknown = await on.call('POST', CHAT, chatBody({ model: 'none' }));
  const malformed = await on.call('POST', CHAT, chatBody({ messages: 7 }));
  expect([unknown.status, malformed.status]).toEqual([404, 400]);
  const free = { amount: '0', reserved_amount: '0', refunded_amount: '0', result: 'failed' };
  expect(await on.records()).toMatchObject([
    { ...free, model: 'aspen-mini', request_id: malformed.headers.get('x-request-id') },
    { ...free, model: 'none', request_id: unknown.headers.get('x-request-id') },
  ]);
  expect((await on.call('GET', '/v1/usage')).json).toMatchObject({ records: 2, settled_amount: '0' });
});

test('a read that is refused leaves none, nor does a call without a key', async () => {
  const on = await start('refused_call: free_record\n');
  await on.call('GET', '/v1/videos/none');
  await on.call('POST', CHAT, chatBody(), { authorization: 'Bearer sk-none' });
  expect(await on.records()).toEqual([]);
});

test('a call that fails after it was accepted has its one record', async () => {
  const on = await start('refused_call: free_record\nlost_answer: charged\n');
  for (let call = 0; call < 8; call += 1) await on.call('POST', CHAT, chatBody({ max_tokens: 1 }));
  expect(await on.records()).toHaveLength(8);
});
