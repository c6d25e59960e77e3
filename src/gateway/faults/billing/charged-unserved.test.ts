import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { amount, BillingTrials, billOf, content, type Script } from './billing-trial.test-support.ts';

const chat = (over: object = {}) => {
  const messages = [{ role: 'user', content: 'tell of the harbor' }];
  return {
    path: '/v1/chat/completions',
    body: { model: 'aspen-mini', max_tokens: 5, messages, ...over },
  };
};
const TEXT: Script = { calls: [chat(), chat()] };
const STREAMS: Script = { calls: [chat({ stream: true }), chat()] };
const IMAGES: Script = {
  calls: [{ path: '/v1/images/generations', body: { model: 'lumen-image', prompt: 'a boat' } }],
};
const CUT: Script = {
  calls: [chat({ stream: true }), chat()],
  beside: [{ fault: 'net.eof_clean', when: { nth: 1 }, parameters: { after_events: 4 } }],
};
/** 24,576 tokens: half as much again as aspen-mini writes at most. */
const BEYOND = 24_576;

let trials: BillingTrials;
beforeAll(async () => {
  trials = await BillingTrials.start();
});
afterAll(() => trials.gateway.running.close());

describe('charged though the client was told that the service failed', () => {
  test.each([
    [TEXT, '500'],
    [STREAMS, '502'],
    [IMAGES, '504'],
  ])('whole: wrong by all that it is charged (%#)', async (script, status) => {
    const right = await trials.right(script);
    const at = { fault: 'bill.charge_server_error', nth: 1, parameters: { status } };
    const tried = await trials.wrong(script, at);
    expect(tried.statuses[0]).toBe(Number(status));
    expect(tried.records.map(content)).toEqual(right.records.map(content));
    expect(tried.faults.map(({ request_id, delta }) => [request_id, delta])).toEqual([
      [tried.requestIds[0], right.records.at(-1)?.amount],
    ]);
  });

  test('above what is possible: text by more output than the model writes', async () => {
    const parameters = { variant: 'above_possible' };
    const tried = await trials.wrong(TEXT, { fault: 'bill.charge_server_error', nth: 1, parameters });
    const hit = tried.records.at(-1);
    expect(hit).toMatchObject({ output_tokens: BEYOND, refunded_amount: '0' });
    const due = amount(hit?.amount ?? '');
    expect(due).toBe(BigInt(hit?.input_tokens ?? 0) * 150_000n + BigInt(BEYOND) * 600_000n);
    expect(tried.faults.map(({ delta }) => delta)).toEqual([hit?.amount]);
    expect(tried.calls.map((call) => call.amount)).toContain(hit?.amount);
  });

  test('above what is possible: an image twice, a task once it is settled', async () => {
    const parameters = { variant: 'above_possible' };
    const at = { fault: 'bill.charge_server_error', nth: 1, parameters };
    const image = await trials.wrong(IMAGES, at);
    expect(image.records).toMatchObject([{ amount: '0.084' }]);
    expect(image.faults).toMatchObject([{ delta: '0.084' }]);
    const video = { path: '/v1/videos', body: { model: 'orbit-2', prompt: 'a boat' } };
    const task = await trials.wrong({ calls: [video] }, at);
    await expect.poll(async () => (await task.again()).faults).toMatchObject([{ delta: '0.8' }]);
  });

  test('a call that the gateway refuses itself has no such fault', async () => {
    const refused: Script = { calls: [chat({ model: 'aspen-mini', max_tokens: 5, n: 2 })] };
    const on = trials.gateway;
    await on.control('PUT', '/faults', {
      faults: [{ fault: 'bill.charge_server_error', when: { first: 1 } }],
    });
    const [call] = refused.calls;
    const answer = await on.call('POST', call?.path ?? '', call?.body);
    expect(answer.status).toBe(400);
  });
});

test.each([
  ['server_error', 500],
  ['timeout', 504],
])('a call that is sent again after %s is charged twice, the first time wrongly', async (variant, status) => {
  const right = await trials.right(TEXT);
  const at = { fault: 'bill.retry_double_charge', nth: 1, parameters: { variant } };
  const tried = await trials.wrong(TEXT, at);
  expect(tried.statuses).toEqual([status, 200]);
  expect(tried.records.map(content)).toEqual(right.records.map(content));
  expect(tried.faults.map(({ request_id, delta }) => [request_id, delta])).toEqual([
    [tried.requestIds[0], right.records.at(-1)?.amount],
  ]);
});

test('a call whose connection ends before the answer is charged, and so is its second attempt', async () => {
  const on = trials.gateway;
  const { apiKey } = await on.newKey();
  const headers = { authorization: `Bearer ${apiKey}` };
  const entry = { fault: 'bill.retry_double_charge', when: { nth: 1 }, parameters: { variant: 'reset' } };
  await on.control('PUT', '/faults', { faults: [entry] });
  const { path, body } = chat();
  await expect(on.call('POST', path, body, headers)).rejects.toThrow();
  expect((await on.call('POST', path, body, headers)).status).toBe(200);
  const { json } = await on.call('GET', '/v1/usage', undefined, headers);
  expect(json).toMatchObject({ records: 2 });
});

describe('a cut call', () => {
  const on = (variant: string) => ({ fault: 'bill.charge_on_abort', nth: 1, parameters: { variant } });

  test('above what is possible: an estimate beyond the largest output', async () => {
    const right = await trials.right(CUT);
    const tried = await trials.wrong(CUT, on('above_possible'));
    expect(tried.records.at(-1)).toMatchObject({
      result: 'incomplete',
      usage_estimated: true,
      output_tokens: BEYOND,
    });
    expect(tried.faults.map(({ delta }) => amount(delta))).toEqual([
      billOf(tried.records) - billOf(right.records),
    ]);
  });

  test('below one token: what one input token costs', async () => {
    const right = await trials.right(CUT);
    const tried = await trials.wrong(CUT, on('below_one_token'));
    expect(tried.records.at(-1)).toMatchObject({ amount: '0.00000015', input_tokens: 1, output_tokens: 0 });
    const [delta = 0n, ...others] = tried.faults.map((fault) => amount(fault.delta));
    expect(others).toEqual([]);
    expect(delta).toBe(billOf(tried.records) - billOf(right.records));
    expect(delta < 0n).toBe(true);
  });

  test.each(['above_possible', 'below_one_token'])('%s: a whole call has no such fault', async (variant) => {
    expect((await trials.wrong(TEXT, on(variant))).faults).toEqual([]);
  });
});
