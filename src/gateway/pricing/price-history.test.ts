import { afterEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { JournalLine } from '../../contracts/journal.ts';
import type { FaultPlan } from '../faults/fault-plan.ts';
import { CATALOGUE } from '../models/catalogue.ts';
import { chatBody, startTestGateway, type TestGateway } from '../parts/gateway.test-support.ts';
import { UnknownPrice } from '../prices/price-change.ts';
import { readReadings } from '../readings/read-readings.ts';
import { priceBookOf } from './price-book.ts';
import { PriceHistory } from './price-history.ts';

const CHAT = '/v1/chat/completions';
const NOON = 1_795_348_800;
const served = z.looseObject({
  pricebook_id: z.string(),
  pricing_version: z.string(),
  effective_at: z.number(),
  updated_at: z.number(),
  models: z.array(z.looseObject({ id: z.string() })),
});
const lines = z.object({ lines: z.array(z.custom<JournalLine>((line) => typeof line === 'object')) });

describe('a change', () => {
  test('by a factor moves every price exactly, and makes a version of its own', () => {
    const prices = new PriceHistory(CATALOGUE);
    const first = prices.current;
    const second = prices.change({ factor: '1.1' }, NOON);
    expect(prices.current).toBe(second);
    expect(prices.previous).toBe(first);
    expect(second.book).toMatchObject({
      pricebook_id: 'pb_20261122_2',
      effective_at: NOON,
      updated_at: NOON,
    });
    expect(second.book.pricing_version).not.toBe(first.book.pricing_version);
    expect(prices.modelOf(second, "kelp's finest")).toMatchObject({ input: '0.04125', output: '0.165' });
    expect(prices.modelOf(second, 'lumen-image-mini')).toMatchObject({
      tiers: expect.arrayContaining([{ size: '1024x1024', quality: 'low', price: '0.0055' }]),
    });
    expect(prices.modelOf(second, 'orbit-2')).toMatchObject({
      tiers: [
        { resolution: '1280x720', price: '0.11' },
        { resolution: '720x1280', price: '0.11' },
      ],
    });
    expect(prices.modelOf(first, 'orbit-2')).toMatchObject({ tiers: [{ price: '0.10' }, { price: '0.10' }] });
  });

  test('by a factor moves the lines beside the plain prices too', () => {
    const prices = new PriceHistory(CATALOGUE);
    const second = prices.change({ factor: '3' }, NOON);
    const of = (id: string) => prices.modelOf(second, id);
    expect(of('maple-long')).toMatchObject({
      context_tiers: {
        inclusive: 'gt',
        thresholds: [{ above: 2000, input: '6.6', output: '39.6', cache_read: '0.66', cache_write: '8.25' }],
      },
    });
    expect(of('oak-think-deep')).toMatchObject({ reasoning: '23.4' });
    expect(of('oak-think')).not.toHaveProperty('reasoning');
    expect(of('pine')).toMatchObject({
      service_tiers: [
        { service_tier: 'priority', input: '10.2', output: '40.8' },
        { service_tier: 'flex', input: '2.55', output: '10.2' },
      ],
    });
    expect(of('rowan-search')).toMatchObject({ tools: [{ tool: 'web_search', price: '0.03' }] });
  });

  test('of some models leaves the others, and what of them it does not name', () => {
    const prices = new PriceHistory(CATALOGUE);
    const change = {
      aspen: { input: '3', cache_read: '1.5' },
      'lumen-image': { tiers: [{ quality: 'high', price: '0.2' }] },
    };
    const { models } = prices.change({ models: change }, NOON).book;
    const first = priceBookOf(CATALOGUE).models;
    const moved = models.filter((model, at) => JSON.stringify(model) !== JSON.stringify(first[at]));
    expect(moved).toMatchObject([
      { id: 'aspen', input: '3', cache_read: '1.5', output: '10' },
      { id: 'lumen-image' },
    ]);
    const tiers = z.object({ tiers: z.array(z.object({ quality: z.string(), price: z.string() })) });
    const prices_of = (quality: string): string[] =>
      tiers
        .parse(moved[1])
        .tiers.filter((tier) => tier.quality === quality)
        .map(({ price }) => price);
    expect(prices_of('high')).toEqual(['0.2', '0.2', '0.2', '0.2']);
    expect(prices_of('low')).toEqual(['0.011', '0.011', '0.016', '0.016']);
  });

  test.each([
    { none: { input: '1' } },
    { 'aspen-pro': { cache_read: '1' } },
    { aspen: { tiers: [{ price: '1' }] } },
    { 'orbit-2': { input: '1' } },
    { 'orbit-2': { tiers: [{ resolution: '1x1', price: '1' }] } },
  ])('of what does not exist changes nothing: %j', (models) => {
    const prices = new PriceHistory(CATALOGUE);
    expect(() => prices.change({ models }, NOON)).toThrow(UnknownPrice);
    expect(prices.versions).toHaveLength(1);
  });
});

describe('in mid-run', () => {
  let gateway: TestGateway | null = null;
  afterEach(async () => {
    await gateway?.running.close();
    gateway = null;
  });

  async function start(readings: string, faults: FaultPlan['faults'] = []): Promise<TestGateway> {
    const plan = { faults };
    gateway = await startTestGateway({
      readings: readReadings({ text: readings, file: 'readings.yaml' }),
      faults: plan,
    });
    return gateway;
  }

  const DOUBLED = 'book_changes:\n  - { after_calls: 2, factor: "2" }\n';

  test('the call after the n-th is charged by the new book and names it; etag and content are new', async () => {
    const on = await start(DOUBLED);
    const before = await on.call('GET', '/pricing.usd.json');
    for (let call = 0; call < 3; call += 1) await on.call('POST', CHAT, chatBody({ max_tokens: 5 }));
    const etag = before.headers.get('etag');
    const after = await on.call('GET', '/pricing.usd.json', undefined, { 'if-none-match': etag });
    expect(after.status).toBe(200);
    expect(after.headers.get('etag')).not.toBe(etag);
    const [first, second] = [served.parse(before.json), served.parse(after.json)];
    expect(second.effective_at).toBeGreaterThan(first.effective_at);
    expect(second.updated_at).toBe(second.effective_at);
    const all = z.object({ versions: z.array(served) }).parse((await on.control('GET', '/prices')).json);
    expect(all.versions).toEqual([first, second]);
    const [newest, ...older] = await on.records();
    expect(newest).toMatchObject({
      pricebook_id: second.pricebook_id,
      pricing_version: second.pricing_version,
    });
    for (const record of older) {
      expect(record).toMatchObject({
        pricebook_id: first.pricebook_id,
        pricing_version: first.pricing_version,
        input_tokens: newest?.input_tokens,
      });
      expect(Number(newest?.amount)).toBeCloseTo(2 * Number(record.amount), 12);
    }
  });

  test('a task keeps the version of its acceptance, whenever it is settled', async () => {
    const on = await start('book_changes:\n  - { after_calls: 1, factor: "3" }\n');
    await on.call('POST', '/v1/videos', { model: 'orbit-2', prompt: 'x' });
    const now = served.parse((await on.call('GET', '/pricing.usd.json')).json);
    await expect.poll(() => on.records()).toMatchObject([{ billing_status: 'settled', amount: '0.4' }]);
    expect((await on.records())[0]?.pricing_version).not.toBe(now.pricing_version);
  });

  test('a change may come at a time of its own', async () => {
    const on = await start(
      'book_changes:\n  - { after_ms: 20, models: { orbit-2: { tiers: [{ price: "1" }] } } }\n',
    );
    const bookId = async () => served.parse((await on.call('GET', '/pricing.usd.json')).json).pricebook_id;
    await expect.poll(bookId).toMatch(/_2$/);
  });

  test.each([
    ['old_version', '-', true],
    ['old_prices', '-', false],
    ['new_prices_old_id', '', true],
  ])('wrong version, %s: the journal says by how much', async (variant, sign, namesOld) => {
    const on = await start(DOUBLED, [
      { fault: 'bill.wrong_version', when: { nth: 3 }, parameters: { variant } },
    ]);
    for (let call = 0; call < 4; call += 1) await on.call('POST', CHAT, chatBody({ max_tokens: 5 }));
    const [right, wrong, , old] = await on.records();
    const faults = lines
      .parse((await on.control('GET', '/journal')).json)
      .lines.filter((line) => line.type === 'fault');
    const byOldPrices = sign === '-';
    expect(wrong?.amount).toBe(byOldPrices ? old?.amount : right?.amount);
    expect(wrong?.pricing_version).toBe(namesOld ? old?.pricing_version : right?.pricing_version);
    // Twice the old price is in force: half of it is missing.
    expect(faults.map(({ request_id, delta }) => [request_id, delta])).toEqual([
      [wrong?.request_id, byOldPrices ? `-${old?.amount}` : '0'],
    ]);
  });

  test('a model that became free: nothing is charged, unless a fault does', async () => {
    const on = await start('book_changes:\n  - { after_calls: 1, factor: "0" }\n', [
      { fault: 'bill.free_model_charged', when: { nth: 3 }, parameters: { usd: '0.002' } },
    ]);
    for (let call = 0; call < 3; call += 1) await on.call('POST', CHAT, chatBody({ max_tokens: 5 }));
    expect((await on.records()).map(({ amount }) => amount)).toEqual([
      '0.002',
      '0',
      expect.stringMatching(/[1-9]/),
    ]);
  });
});
