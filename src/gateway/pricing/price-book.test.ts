import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseDecimal } from '../../core/decimal.ts';
import { canonicalJson } from '../../text/canonical-json.ts';
import { CATALOGUE } from '../models/catalogue.ts';
import { IMAGE_QUALITIES } from '../models/image-models.ts';
import type { TextModel } from '../models/model.ts';
import { startTestGateway, type TestGateway } from '../parts/gateway.test-support.ts';
import { priceBookOf } from './price-book.ts';

describe('book', () => {
  const book = priceBookOf(CATALOGUE);

  test('its version is the hash of its models, and moves with any price', () => {
    expect(book.pricing_version).toBe(createHash('sha256').update(canonicalJson(book.models)).digest('hex'));
    const [first, ...rest] = CATALOGUE;
    if (first?.kind !== 'text') throw new Error('the catalogue starts with text');
    expect(priceBookOf([{ ...first, input: '0.051' }, ...rest]).pricing_version).not.toBe(
      book.pricing_version,
    );
  });

  test('names what an auditor must know: rounding and what input tokens hold', () => {
    expect(book).toMatchObject({
      object: 'pricebook',
      pricebook_id: 'pb_20261120_1',
      currency: 'USD',
      rounding: { scope: 'record', quantum: '0.00000001', mode: 'half_up' },
      usage_semantics: { input_includes_cache: true, output_includes_reasoning: true },
      adjustments: [],
    });
  });
});

test('canonical JSON does not depend on the order of keys', () => {
  expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: null })).toBe('{"a":null,"b":[{"c":2,"d":1}]}');
});

test('the catalogue: 34 text, 7 image, 5 video, ids once, every price a decimal above 0', () => {
  const count = (kind: string): number => CATALOGUE.filter((model) => model.kind === kind).length;
  expect([count('text'), count('image'), count('video')]).toEqual([34, 7, 5]);
  expect(new Set(CATALOGUE.map(({ id }) => id)).size).toBe(46);
  for (const model of CATALOGUE) {
    const prices = model.kind === 'text' ? textPrices(model) : model.tiers.map(({ price }) => price);
    expect(prices.filter((price) => (parseDecimal(price)?.digits ?? 0n) <= 0n)).toEqual([]);
  }
});

function textPrices(model: TextModel): readonly string[] {
  const { context_tiers, service_tiers = [], tools = [] } = model;
  return [
    ...[model, ...(context_tiers?.thresholds ?? []), ...service_tiers].flatMap((at) => [
      at.input,
      at.output,
      at.cache_read ?? '1',
      at.cache_write ?? '1',
      at.reasoning ?? '1',
    ]),
    ...tools.map(({ price }) => price),
  ];
}

test('every size of an image model is priced at every quality', () => {
  for (const model of CATALOGUE) {
    if (model.kind !== 'image') continue;
    const sizes = [...new Set(model.tiers.map(({ size }) => size))];
    expect(sizes).toEqual(expect.arrayContaining(['1024x1024', 'auto']));
    const wanted = sizes.flatMap((size) => IMAGE_QUALITIES.map((quality) => `${size} ${quality}`));
    expect(model.tiers.map(({ size, quality }) => `${size} ${quality}`).sort()).toEqual(wanted.sort());
  }
});

describe('GET /pricing.usd.json', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.running.close());

  test('without a credential, the same for everyone, with an etag that is honoured', async () => {
    const open = await gateway.call('GET', '/pricing.usd.json', undefined, { authorization: null });
    const keyed = await gateway.call('GET', '/pricing.usd.json');
    expect(open.status).toBe(200);
    expect(keyed.text).toBe(open.text);
    const etag = open.headers.get('etag');
    const again = await gateway.call('GET', '/pricing.usd.json', undefined, { 'if-none-match': etag });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  test('records carry its id and version', async () => {
    await gateway.call('POST', '/v1/responses', { model: 'aspen', input: 'x', max_output_tokens: 1 });
    const { json } = await gateway.call('GET', '/pricing.usd.json');
    const [record] = await gateway.records();
    expect(json).toMatchObject({
      pricebook_id: record?.pricebook_id,
      pricing_version: record?.pricing_version,
    });
  });
});
