import { afterEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { UsagePage, UsageTotals } from '../../contracts/interface.ts';
import { parseAmount } from '../../core/amount.ts';
import { chatBody, startTestGateway, type TestGateway } from '../parts/gateway.test-support.ts';
import { readReadings } from '../readings/read-readings.ts';

const CHAT = '/v1/chat/completions';
const page = z.custom<UsagePage>((value) => typeof value === 'object' && value !== null);
const totals = z.custom<UsageTotals>((value) => typeof value === 'object' && value !== null);
const job = z.object({ job_id: z.string() });

let gateway: TestGateway | null = null;
afterEach(async () => {
  await gateway?.running.close();
  gateway = null;
});

async function start(text: string): Promise<TestGateway> {
  gateway = await startTestGateway({ readings: readReadings({ text, file: 'readings.yaml' }) });
  return gateway;
}

function sumOf(amounts: readonly (string | undefined)[]): bigint {
  return amounts.reduce((sum, text) => sum + (parseAmount(text ?? '') ?? 0n), 0n);
}

async function failedJob(on: TestGateway) {
  const made = await on.call('POST', '/v1/images/generations/jobs', { model: 'lumen-image', prompt: 'x' });
  await on.control('POST', `/tasks/${job.parse(made.json).job_id}/fail`);
  return (await on.records()).map(({ amount, reserved_amount, refunded_amount }) => [
    amount,
    reserved_amount,
    refunded_amount,
  ]);
}

describe('money', () => {
  test.each([
    ['released', '0'],
    ['rewritten', '0'],
    ['zeroed', '0'],
  ])('an unused reserve is %s', async (reading, refunded) => {
    const on = await start(`unused_reserve: ${reading}\n`);
    await on.call('POST', CHAT, chatBody({ max_tokens: 500 }));
    const [record] = await on.records();
    expect(record?.refunded_amount).toBe(refunded);
    const { amount = '', reserved_amount = '' } = record ?? {};
    expect(amount).not.toBe('0');
    if (reading === 'released') expect(sumOf([reserved_amount])).toBeGreaterThan(sumOf([amount]));
    else expect(reserved_amount).toBe(reading === 'zeroed' ? '0' : amount);
    const { settled_amount, refunded_amount } = totals.parse((await on.call('GET', '/v1/usage')).json);
    expect([settled_amount, refunded_amount]).toEqual([amount, '0']);
  });

  test.each([
    ['gross', [['0.042', '0.042', '0.042']]],
    ['zero', [['0', '0.042', '0']]],
    [
      'negative_record',
      [
        ['-0.042', '0', '0'],
        ['0.042', '0.042', '0'],
      ],
    ],
    [
      'refund_record',
      [
        ['0', '0', '0.042'],
        ['0.042', '0.042', '0'],
      ],
    ],
    ['no_record', []],
  ])('a failed task is kept as %s', async (reading, records) => {
    const on = await start(`failed_call: ${reading}\n`);
    expect(await failedJob(on)).toEqual(records);
    const { settled_amount, refunded_amount } = totals.parse((await on.call('GET', '/v1/usage')).json);
    const given = reading === 'gross' ? 0n : sumOf([refunded_amount]);
    expect(sumOf([settled_amount])).toBe(given);
  });

  test('a call of two records costs their sum', async () => {
    const on = await start('call_records: reserve_and_settlement\n');
    await on.call('POST', CHAT, chatBody({ max_tokens: 500 }));
    const records = await on.records();
    expect(records.map(({ id }) => id)).toEqual(['rec_000000000001-2', 'rec_000000000001']);
    expect(sumOf([records[0]?.amount])).toBeLessThan(0n);
    const { used_usd } = z
      .object({ used_usd: z.string() })
      .parse((await on.control('GET', `/accounts/${on.running.ready.user_id}`)).json);
    expect(sumOf(records.map(({ amount }) => amount))).toBe(sumOf([used_usd]));
  });

  test('an inner retry has a free record', async () => {
    const on = await start('call_records: inner_retries\n');
    for (let call = 0; call < 4; call += 1) await on.call('POST', CHAT, chatBody({ max_tokens: 1 }));
    const records = await on.records();
    expect(records.map(({ amount }) => amount === '0')).toEqual([false, true, false, false, false]);
    expect(records[0]?.request_id).toBe(records[1]?.request_id);
  });

  test.each([
    ['totals_settled: final\nfailed_call: gross\n', { settled_amount: '0.042', refunded_amount: '0.042' }],
    ['totals_settled: gross\n', { settled_amount: '0.042', refunded_amount: '0.042' }],
  ])('totals of %j', async (readings, told) => {
    const on = await start(readings);
    await failedJob(on);
    expect((await on.call('GET', '/v1/usage')).json).toMatchObject(told);
  });

  test('totals without what was released', async () => {
    const on = await start('totals_refunded: failed\ntotals_pending: amount\n');
    await on.call('POST', CHAT, chatBody({ max_tokens: 500 }));
    await on.call('POST', '/v1/videos', { model: 'orbit-2', prompt: 'x' });
    expect((await on.call('GET', '/v1/usage')).json).toMatchObject({
      refunded_amount: '0',
      pending_amount: '0',
      records: 2,
    });
  });

  test.each([
    ['rounding: half_up_500000th\n', '0.000002'],
    ['rounding: half_up_4\nleast_charge: true\n', '0.0001'],
    ['rounding: half_up_12\nprice_factor: "1.1"\n', '0.0000013915'],
    ['rounding: half_up_12\nprice_factor: "1"\n', '0.000001265'],
  ])('charged by %j', async (readings, amount) => {
    const on = await start(readings);
    const messages = [{ role: 'user', content: 'abcdefghijklm' }];
    await on.call('POST', CHAT, chatBody({ model: 'juniper "quoted" model', messages, max_tokens: 3 }));
    expect((await on.records())[0]?.amount).toBe(amount);
  });

  test('a book tells its factor and least charge where the readings say so', async () => {
    const on = await start('price_factor: "0.85"\nfactor_told: true\nleast_charge: true\n');
    expect((await on.call('GET', '/pricing.usd.json')).json).toMatchObject({
      adjustments: [{ name: 'account', factor: '0.85' }],
      minimum_charge: '0.00000001',
    });
  });
});

describe('what a record shows', () => {
  test.each([
    ['dated', 'aspen-mini-2026-01-15'],
    ['prefixed', 'provider/aspen-mini'],
    ['upper_case', 'ASPEN-MINI'],
  ])('the model %s, by which a filter finds it', async (reading, name) => {
    const on = await start(`record_model: ${reading}\n`);
    await on.call('POST', CHAT, chatBody({ max_tokens: 1 }));
    const read = await on.call('GET', `/v1/usage/requests?model=${encodeURIComponent(name)}`);
    expect(page.parse(read.json).data).toMatchObject([{ model: name }]);
    expect((await on.call('GET', '/v1/usage')).json).toMatchObject({ by_model: [{ model: name }] });
  });

  test.each([
    ['voided', { billing_status: 'voided', result: 'failed' }],
    ['waived', { billing_status: 'waived', result: 'timeout' }],
    ['never_settled', { billing_status: 'pending', result: 'refused' }],
  ])('words: %s', async (values, told) => {
    const on = await start(`values: ${values}\n`);
    await failedJob(on);
    expect(await on.records()).toMatchObject([told]);
  });

  test.each([
    ['long', '0.042000000000000'],
    ['exponent', '4.2e-2'],
    ['number', 0.042],
  ])('amounts as %s', async (form, amount) => {
    const on = await start(`amount_form: ${form}\n`);
    await on.call('POST', '/v1/images/generations', { model: 'lumen-image', prompt: 'x' });
    expect((await on.records())[0]?.amount).toBe(amount);
  });
});

test('output tokens without reasoning, charged alike', async () => {
  const read = async (readings: string) => {
    const on = await start(readings);
    const model = 'oak-think-deep';
    await on.call('POST', CHAT, chatBody({ model, max_tokens: 400 }));
    const [record] = await on.records();
    await on.running.close();
    return record;
  };
  const inside = await read('{}');
  const beside = await read('output_tokens: without_reasoning\n');
  expect(beside?.output_tokens).toBeLessThan(inside?.output_tokens ?? 0);
  expect(beside?.amount).toBe(inside?.amount);
});

test.each([
  ['sent', true],
  ['whole', false],
  ['nothing', true],
])('a cut stream: %s', async (cut_stream, cut_flagged) => {
  const on = await start(`cut_stream: ${cut_stream}\ncut_flagged: ${cut_flagged}\n`);
  await on.call('POST', CHAT, chatBody({ max_tokens: 40 }));
  const cut = { 'x-weighbridge-fault': 'net.eof_clean; after_events=3' };
  await on.call('POST', CHAT, chatBody({ max_tokens: 40, stream: true }), cut);
  const [stream, whole] = await on.records();
  if (cut_stream === 'nothing') expect(stream).toMatchObject({ amount: '0', billing_status: 'refunded' });
  else if (cut_stream === 'whole')
    expect([stream?.amount, stream?.usage_estimated]).toEqual([whole?.amount, false]);
  else {
    expect(sumOf([stream?.amount])).toBeLessThan(sumOf([whole?.amount]));
    expect(stream?.usage_estimated).toBe(true);
  }
});

describe('reads', () => {
  async function pages(readings: string): Promise<readonly unknown[]> {
    const on = await start(readings);
    for (let call = 0; call < 4; call += 1) await on.call('POST', CHAT, chatBody({ max_tokens: 1 }));
    const told: unknown[] = [];
    for (let before: unknown = ''; told.length < 5; ) {
      const read = page.parse((await on.call('GET', `/v1/usage/requests?limit=2&before=${before}`)).json);
      told.push(read.data.map(({ id }) => Number(id.slice(4))));
      if (!read.has_more) return [...told, read.next_cursor];
      before = read.next_cursor;
    }
    throw new Error('the pages do not end');
  }

  test.each([
    ['last_cursor: "null"\n', [[4, 3], [2, 1], null]],
    ['last_cursor: absent\n', [[4, 3], [2, 1], undefined]],
    ['last_page: may_be_empty\n', [[4, 3], [2, 1], [], '']],
    ['repeated_record: on_page\n', [[4, 3, 4], [2, 1, 2], '']],
    ['repeated_record: on_next_page\n', [[4, 3], [3, 2, 1], '']],
  ])('%j', async (readings, told) => {
    expect(await pages(readings)).toEqual(told);
  });

  test.each([
    ['usage', ['/v1/usage', '/v1/usage/requests']],
    ['pricebook', ['/pricing.usd.json']],
    ['account', ['/api/user/self']],
  ])('no %s', async (missing, paths) => {
    const on = await start(`missing: ${missing}\n`);
    for (const path of paths) expect((await on.call('GET', path)).status).toBe(404);
    expect((await on.call('GET', '/v1/models')).status).toBe(200);
  });

  test('a list without its name, or without anything around it', async () => {
    const on = await start('model_list: no_object\n');
    expect((await on.call('GET', '/v1/models')).json).not.toHaveProperty('object');
    await on.running.close();
    const bare = await start('model_list: bare_array\n');
    expect((await bare.call('GET', '/v1/models')).json).toContainEqual(
      expect.objectContaining({ id: 'aspen-mini' }),
    );
  });
});

test.each([
  'amount: gross\nunused_reserve: zeroed\n',
  'amount: gross\nfailed_call: zero\n',
  'totals_settled: gross\nfailed_call: gross\n',
  'call_records: reserve_and_settlement\nunused_reserve: zeroed\n',
])('%j is refused: its money would be told twice or nowhere', (text) => {
  expect(() => readReadings({ text, file: 'readings.yaml' })).toThrow('readings.yaml:');
});
