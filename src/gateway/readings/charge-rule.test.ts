import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import { startTestGateway, type TestGateway } from '../parts/gateway.test-support.ts';
import { readReadings } from './read-readings.ts';

const page = z.object({ data: z.array(z.object({ amount: z.string() })) });

let gateway: TestGateway | null = null;
afterEach(async () => {
  await gateway?.running.close();
  gateway = null;
});

async function start(by: string, layout = 'plain'): Promise<TestGateway> {
  const text = `book_layout: ${layout}\nprice_factor: "2"\nfactor_by: ${by}\nfactor_told: true\n`;
  gateway = await startTestGateway({ readings: readReadings({ text, file: 'readings.yaml' }) });
  return gateway;
}

/** What one image is charged. */
async function charged(on: TestGateway, key?: string, model = 'lumen-image'): Promise<string | undefined> {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  await on.call('POST', '/v1/images/generations', { model, prompt: 'x' }, headers);
  const { json } = await on.call('GET', '/v1/usage/requests?limit=1', undefined, headers);
  return page.parse(json).data[0]?.amount;
}

async function told(on: TestGateway): Promise<unknown> {
  const told = z.unknown().optional();
  return z
    .object({ adjustment: told, adjustments: told, group_ratio: told })
    .parse((await on.call('GET', '/pricing.usd.json')).json);
}

test('a factor for every call', async () => {
  const on = await start('account');
  expect(await charged(on)).toBe('0.084');
  expect(await told(on)).toEqual({ adjustments: [{ name: 'account', factor: '2' }] });
});

test('a factor for some models', async () => {
  const on = await start('model');
  expect(await charged(on)).toBe('0.084');
  expect(await charged(on, undefined, 'nimbus-dev@1')).toBe('0.025');
  const book = z.object({ adjustments: z.array(z.object({ factor: z.literal('2'), model: z.string() })) });
  const models = book.parse(await told(on)).adjustments.map(({ model }) => model);
  expect([models.includes('lumen-image'), models.includes('nimbus-dev@1')]).toEqual([true, false]);
});

test('a factor for every second hour', async () => {
  const on = await start('hour');
  const first = await charged(on);
  await on.control('POST', '/clock', { advance_s: 3600 });
  expect([first, await charged(on)].sort()).toEqual(['0.042', '0.084']);
  expect(await told(on)).toMatchObject({ adjustment: { hour_factors: { even: '2', odd: '1' } } });
});

test('a factor for every second key', async () => {
  const on = await start('group');
  const { apiKey } = await on.newKey();
  expect(await charged(on)).toBe('0.084');
  expect(await charged(on, apiKey)).toBe('0.042');
  expect(await told(on)).toEqual({
    adjustments: [
      { name: 'default', factor: '2', group: 'default' },
      { name: 'plain', factor: '1', group: 'plain' },
    ],
  });
});

test('the ratio layout tells the factor of a group among its ratios', async () => {
  const on = await start('group', 'ratio');
  expect(await told(on)).toEqual({ group_ratio: { default: '2', plain: '1' } });
});
