import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { UsagePage, UsageTotals } from '../../contracts/interface.ts';
import { parseAmount } from '../../core/amount.ts';
import { type Decimal, multiplyDecimal, normalise, parseDecimal } from '../../core/decimal.ts';
import { latencyOf } from '../latency/latency-preset.ts';
import { CATALOGUE } from '../models/catalogue.ts';
import type { ModelTextPrices } from '../models/model.ts';
import { chatBody, startTestGateway, type TestGateway } from '../parts/gateway.test-support.ts';
import { readingsJsonSchema, readReadings } from './read-readings.ts';
import { OWN_READINGS } from './readings.ts';

const CHAT = '/v1/chat/completions';
const page = z.custom<UsagePage>((value) => typeof value === 'object' && value !== null);
const totals = z.custom<UsageTotals>((value) => typeof value === 'object' && value !== null);

let gateway: TestGateway | null = null;
afterEach(async () => {
  await gateway?.running.close();
  gateway = null;
});

async function start(text: string, latency: 'fast' | 'slow' = 'fast'): Promise<TestGateway> {
  const readings = readReadings({ text, file: 'readings.yaml' });
  gateway = await startTestGateway({ readings, latency });
  return gateway;
}

describe('the file', () => {
  test('says only what differs from the own choices', () => {
    expect(readReadings({ text: '{}', file: 'readings.yaml' })).toEqual(OWN_READINGS);
    expect(readReadings({ text: 'amount: gross\ncursor: offset\n', file: 'readings.yaml' })).toEqual({
      ...OWN_READINGS,
      amount: 'gross',
      cursor: 'offset',
    });
  });

  test.each([
    ['amount: brutto\n', 'readings.yaml:1:9', 'amount'],
    ['order: newest_first\ncursr: offset\n', 'readings.yaml:2:1', 'cursor'],
    ['page_default: 50\npage_max: 20\n', 'readings.yaml:1:15', 'must not be above page_max'],
    ['book_changes:\n  - { factor: "2" }\n', 'readings.yaml:2:5', 'exactly one of after_calls, after_ms'],
    [
      'book_changes:\n  - { after_calls: 1, factor: "2", models: {} }\n',
      'readings.yaml:2:5',
      'exactly one of factor, models',
    ],
    ['book_changes:\n  - { after_calls: 1, factor: 2e3 }\n', 'readings.yaml:2:31', 'factor'],
  ])('refuses %j with its place', (text, place, told) => {
    expect(() => readReadings({ text, file: 'readings.yaml' })).toThrow(place);
    expect(() => readReadings({ text, file: 'readings.yaml' })).toThrow(told);
  });

  test('its JSON Schema is the committed one', () => {
    const committed: unknown = JSON.parse(
      readFileSync(new URL('readings.schema.json', import.meta.url), 'utf8'),
    );
    expect(committed).toEqual(JSON.parse(JSON.stringify(readingsJsonSchema())));
  });
});

describe('layouts of the price book carry the same prices', () => {
  const MILLION: Decimal = { digits: 1_000_000n, scale: 0 };

  /** Every price of the catalogue by a name of its own, as shortest text. */
  function catalogue(): Map<string, string> {
    const prices = new Map<string, string>();
    for (const model of CATALOGUE) {
      if (model.kind === 'text') {
        const add = (name: string, of: ModelTextPrices): void => {
          for (const meter of ['input', 'output', 'cache_read', 'cache_write', 'reasoning'] as const) {
            const price = of[meter] ?? null;
            if (price !== null) prices.set(`${name} ${meter}`, shortest(decimal(price)));
          }
        };
        add(model.id, model);
        const { thresholds = [], inclusive } = model.context_tiers ?? {};
        for (const tier of thresholds) add(`${model.id} cliff ${inclusive} ${tier.above}`, tier);
        for (const tier of model.service_tiers ?? []) add(`${model.id} ${tier.service_tier}`, tier);
        for (const { tool, price } of model.tools ?? [])
          prices.set(`${model.id} ${tool}`, shortest(decimal(price)));
      } else if (model.kind === 'image') {
        for (const { size, quality, price } of model.tiers)
          prices.set(`${model.id} ${size} ${quality}`, shortest(decimal(price)));
      } else {
        for (const { resolution, price } of model.tiers)
          prices.set(`${model.id} ${resolution}`, shortest(decimal(price)));
      }
    }
    return prices;
  }

  /** Context tiers in any layout; an empty list where a model has none. */
  function tiersOf<S extends Readonly<Record<string, z.ZodType>>>(shape: S) {
    return z
      .strictObject({
        basis: z.literal('context_len'),
        mode: z.string(),
        inclusive: z.string(),
        thresholds: z.array(z.strictObject({ above: z.int(), ...shape })),
      })
      .default({ basis: 'context_len', mode: '', inclusive: '', thresholds: [] });
  }

  function decimal(text: string): Decimal {
    const parsed = parseDecimal(text);
    if (parsed === null) throw new Error(`no decimal: ${text}`);
    return parsed;
  }

  function shortest(value: Decimal): string {
    const { digits, scale } = normalise(value);
    return `${digits}e-${scale}`;
  }

  /** A base times a ratio, which may be a fraction; the product must have an end. */
  function times(base: Decimal, ratio: string): Decimal {
    const [top = '', bottom = '1'] = ratio.split('/');
    const { digits, scale } = multiplyDecimal(base, decimal(top));
    const wide = digits * 10n ** 12n;
    expect(wide % BigInt(bottom)).toBe(0n);
    return { digits: wide / BigInt(bottom), scale: scale + 12 };
  }

  async function bookOf(readings: string): Promise<unknown> {
    const on = await start(readings);
    await on.call('POST', CHAT, chatBody({ max_tokens: 2 }));
    const { json, text } = await on.call('GET', '/pricing.usd.json');
    const [record] = await on.records();
    expect(text).toContain(record?.pricebook_id ?? 'no book');
    expect(text).toContain(record?.pricing_version ?? 'no version');
    return json;
  }

  test('ratio', async () => {
    const variant = z.object({
      size: z.string().optional(),
      quality: z.string().optional(),
      resolution: z.string().optional(),
      price_ratio: z.string(),
    });
    const ratios = {
      model_ratio: z.string().optional(),
      completion_ratio: z.string().optional(),
      cache_ratio: z.string().optional(),
      create_cache_ratio: z.string().optional(),
      reasoning_ratio: z.string().optional(),
    };
    const model = z.strictObject({
      model_name: z.string(),
      quota_type: z.number(),
      ...ratios,
      context_tiers: tiersOf(ratios),
      service_tiers: z.array(z.strictObject({ service_tier: z.string(), ...ratios })).default([]),
      tool_prices: z.array(z.strictObject({ tool: z.string(), price: z.string() })).default([]),
      model_price: z.string().optional(),
      per: z.string().optional(),
      variants: z.array(variant).optional(),
    });
    const book = z
      .looseObject({ base_usd_per_million_tokens: z.string(), data: z.array(model) })
      .parse(await bookOf('book_layout: ratio\n'));
    expect(book).toHaveProperty('rounding');
    const prices = new Map<string, string>();
    for (const given of book.data) {
      const id = given.model_name;
      if (given.quota_type === 1) {
        for (const { price_ratio, ...of } of given.variants ?? []) {
          const price = times(decimal(given.model_price ?? ''), price_ratio);
          prices.set([id, ...Object.values(of)].join(' '), shortest(price));
        }
        continue;
      }
      const add = (name: string, of: Partial<Record<keyof typeof ratios, string | undefined>>): void => {
        const input = times(decimal(book.base_usd_per_million_tokens), of.model_ratio ?? '');
        prices.set(`${name} input`, shortest(input));
        for (const [meter, ratio] of [
          ['output', of.completion_ratio],
          ['cache_read', of.cache_ratio],
          ['cache_write', of.create_cache_ratio],
          ['reasoning', of.reasoning_ratio],
        ] as const) {
          if (ratio !== undefined) prices.set(`${name} ${meter}`, shortest(times(input, ratio)));
        }
      };
      add(id, given);
      const { mode, inclusive, thresholds } = given.context_tiers;
      for (const tier of thresholds) add(`${id} ${mode} ${inclusive} ${tier.above}`, tier);
      for (const tier of given.service_tiers) add(`${id} ${tier.service_tier}`, tier);
      for (const { tool, price } of given.tool_prices) prices.set(`${id} ${tool}`, shortest(decimal(price)));
    }
    expect(prices).toEqual(catalogue());
  });

  test('per token, with no rules declared', async () => {
    const perToken = z.record(z.string(), z.string());
    const variant = z.looseObject({ pricing: perToken });
    const book = z
      .looseObject({
        models: z.record(
          z.string(),
          z.looseObject({
            pricing: perToken.optional(),
            context_pricing: tiersOf({ pricing: perToken }),
            service_pricing: z
              .array(z.strictObject({ service_tier: z.string(), pricing: perToken }))
              .default([]),
            tool_pricing: z.array(z.strictObject({ tool: z.string(), price: z.string() })).default([]),
            variants: z.array(variant).optional(),
          }),
        ),
      })
      .parse(await bookOf('book_layout: per_token\nbook_declares: false\n'));
    expect(book).not.toHaveProperty('rounding');
    expect(book).not.toHaveProperty('usage_semantics');
    const meters = new Map([
      ['prompt', 'input'],
      ['completion', 'output'],
      ['input_cache_read', 'cache_read'],
      ['input_cache_write', 'cache_write'],
      ['internal_reasoning', 'reasoning'],
    ]);
    const prices = new Map<string, string>();
    const add = (of: string, pricing: z.infer<typeof perToken>): void => {
      for (const [name, price] of Object.entries(pricing)) {
        prices.set(`${of} ${meters.get(name)}`, shortest(multiplyDecimal(decimal(price), MILLION)));
      }
    };
    for (const [id, model] of Object.entries(book.models)) {
      const { pricing = {}, variants = [], context_pricing, service_pricing, tool_pricing } = model;
      add(id, pricing);
      const { mode, inclusive, thresholds } = context_pricing;
      for (const tier of thresholds) add(`${id} ${mode} ${inclusive} ${tier.above}`, tier.pricing);
      for (const tier of service_pricing) add(`${id} ${tier.service_tier}`, tier.pricing);
      for (const { tool, price } of tool_pricing) prices.set(`${id} ${tool}`, shortest(decimal(price)));
      for (const { pricing: of, ...rest } of variants) {
        const [price = ''] = Object.values(of);
        prices.set([id, ...Object.values(rest)].join(' '), shortest(decimal(price)));
      }
    }
    expect(prices).toEqual(catalogue());
  });

  test('plain, with and without its rules', async () => {
    expect(await bookOf('rounding: up_8\ninput_tokens: without_cache\n')).toMatchObject({
      rounding: { scope: 'record', quantum: '0.00000001', mode: 'ceil' },
      usage_semantics: { input_includes_cache: false },
    });
    await gateway?.running.close();
    const silent = await bookOf('book_declares: false\n');
    expect(silent).not.toHaveProperty('rounding');
    expect(silent).not.toHaveProperty('usage_semantics');
  });
});

describe('records', () => {
  test('gross: the amount still holds what was given back, in totals too', async () => {
    const on = await start('amount: gross\n');
    await on.call('POST', CHAT, chatBody({ max_tokens: 500 }));
    const job = z.object({ job_id: z.string() });
    const made = await on.call('POST', '/v1/images/generations/jobs', { model: 'lumen-image', prompt: 'x' });
    await on.control('POST', `/tasks/${job.parse(made.json).job_id}/fail`);
    await expect.poll(async () => (await on.records())[0]?.billing_status).toBe('refunded');
    const [refunded, settled] = await on.records();
    expect(refunded).toMatchObject({ amount: '0.042', refunded_amount: '0.042', reserved_amount: '0.042' });
    expect(settled?.refunded_amount).not.toBe('0');
    expect(settled?.amount).toBe(settled?.reserved_amount);
    expect((await on.call('GET', '/v1/usage')).json).toMatchObject({ settled_amount: settled?.amount });
    const account = z.object({ used_usd: z.string() });
    const { user_id } = on.running.ready;
    const { used_usd } = account.parse((await on.control('GET', `/accounts/${user_id}`)).json);
    const net =
      (parseAmount(settled?.amount ?? '') ?? 0n) - (parseAmount(settled?.refunded_amount ?? '') ?? 0n);
    expect(parseAmount(used_usd)).toBe(net);
  });

  test('dated by settlement: the record moves when the call has ended', async () => {
    gateway = await startTestGateway({
      readings: readReadings({ text: 'created_at: settlement\n', file: 'readings.yaml' }),
      latency: {
        ...latencyOf('fast'),
        video_queue: { kind: 'fixed', ms: 1050 },
        video_run: { kind: 'fixed', ms: 10 },
      },
    });
    const on = gateway;
    const { json } = await on.call('POST', '/v1/videos', { model: 'orbit-2', prompt: 'x' });
    const accepted = z.object({ created_at: z.number() }).parse(json).created_at;
    const [pending] = await on.records();
    expect(pending).toMatchObject({ billing_status: 'pending', created_at: accepted });
    await expect.poll(async () => (await on.records())[0]?.billing_status).toBe('settled');
    const [settled] = await on.records();
    expect(settled?.created_at).toBeGreaterThan(accepted);
    const before = `/v1/usage/requests?start_time=${accepted - 60}&end_time=${accepted + 1}`;
    expect(page.parse((await on.call('GET', before)).json).data).toEqual([]);
    expect(await on.records()).toHaveLength(1);
  });

  test('input tokens without those of the cache, charged alike', async () => {
    const body = {
      model: 'cedar-sonnet',
      max_tokens: 2,
      messages: [
        { role: 'user', content: 'a long story about the sea and the land. '.repeat(120) },
        { role: 'assistant', content: 'yes' },
        { role: 'user', content: 'go on' },
      ],
    };
    const read = async (readings: string) => {
      const on = await start(readings);
      await on.call('POST', '/v1/messages', body);
      const [record] = await on.records();
      await on.running.close();
      return record;
    };
    const inside = await read('{}');
    const outside = await read('input_tokens: without_cache\n');
    const cache = inside?.cache_write_tokens ?? 0;
    expect(cache).toBeGreaterThan(1000);
    expect(outside).toMatchObject({
      input_tokens: (inside?.input_tokens ?? 0) - cache,
      cache_write_tokens: cache,
      amount: inside?.amount,
    });
  });

  test('other names for what the interface does not name', async () => {
    // A task that is still at work when it is failed, however busy the machine is.
    const on = await start('values: other\n', 'slow');
    await on.call('POST', CHAT, chatBody({ max_tokens: 2 }));
    const { json } = await on.call('POST', '/v1/videos', { model: 'orbit-2', prompt: 'x' });
    expect((await on.records())[0]).toMatchObject({ billing_status: 'reserved', result: 'running' });
    await on.control('POST', `/tasks/${z.object({ id: z.string() }).parse(json).id}/fail`);
    expect(await on.records()).toMatchObject([
      { billing_status: 'released', result: 'error' },
      { billing_status: 'settled', result: 'completed' },
    ]);
  });

  test('amounts with their trailing zeros', async () => {
    const on = await start('amount_form: padded\n');
    await on.call('POST', '/v1/images/generations', { model: 'lumen-image', prompt: 'x' });
    expect((await on.records())[0]).toMatchObject({ amount: '0.04200000', refunded_amount: '0.00000000' });
    expect((await on.call('GET', '/v1/usage')).json).toMatchObject({
      settled_amount: '0.04200000',
      by_model: [{ settled_amount: '0.04200000' }],
    });
  });

  // 3.75 and 15 steps of 10⁻⁸ USD a token; 5.5 and 22 for ties.
  test.each([
    ['half_up_8', '0.00000086', '0.00000127'],
    ['half_even_8', '0.00000086', '0.00000126'],
    ['down_8', '0.00000086', '0.00000126'],
    ['up_8', '0.00000087', '0.00000127'],
    ['half_up_6', '0.000001', '0.000001'],
    ['up_6', '0.000001', '0.000002'],
    ['half_up_4', '0', '0'],
    ['up_4', '0.0001', '0.0001'],
    ['half_up_500000th', '0', '0.000002'],
    ['up_500000th', '0.000002', '0.000002'],
    ['half_up_10', '0.0000008625', '0.000001265'],
    ['half_up_12', '0.0000008625', '0.000001265'],
  ])('rounded by %s', async (rounding, quarter, tie) => {
    const on = await start(`rounding: ${rounding}\n`);
    const messages = [{ role: 'user', content: 'abcdefghijklm' }];
    for (const model of ["kelp's finest", 'juniper "quoted" model'])
      await on.call('POST', CHAT, chatBody({ model, messages, max_tokens: 3 }));
    const records = await on.records();
    expect(records.map(({ input_tokens, output_tokens }) => [input_tokens, output_tokens])).toEqual([
      [11, 3],
      [11, 3],
    ]);
    expect(records.map(({ amount }) => amount)).toEqual([tie, quarter]);
  });
});

describe('pages', () => {
  /** Five records, and what a walk by a limit gives. */
  async function walk(readings: string, query: string): Promise<{ ids: string[]; cursors: string[] }> {
    const on = gateway ?? (await start(readings));
    const any = page.parse((await on.call('GET', '/v1/usage/requests')).json);
    if (any.data.length === 0)
      for (let call = 0; call < 5; call += 1)
        await on.call('POST', '/v1/responses', { model: 'aspen', input: 'x', max_output_tokens: 1 });
    const ids: string[] = [];
    const cursors: string[] = [];
    for (let before = ''; cursors.length < 10; ) {
      const read = page.parse((await on.call('GET', `/v1/usage/requests?${query}&before=${before}`)).json);
      ids.push(...read.data.map(({ id }) => id));
      expect(read.has_more).toBe(read.next_cursor !== '');
      if (!read.has_more) return { ids, cursors };
      before = read.next_cursor;
      cursors.push(before);
    }
    throw new Error('the pages do not end');
  }

  const ASCENDING = [1, 2, 3, 4, 5].map((number) => `rec_00000000000${number}`);
  const DESCENDING = [...ASCENDING].reverse();

  test.each([
    ['cursor: offset\n', DESCENDING, ['3', '1']],
    ['cursor: record_id\n', DESCENDING, [DESCENDING[1], DESCENDING[3]]],
    ['order: oldest_first\n', ASCENDING, [expect.any(String), expect.any(String)]],
    ['order: oldest_first\ncursor: offset\n', ASCENDING, ['2', '4']],
    ['order: oldest_first\ncursor: record_id\n', ASCENDING, [ASCENDING[1], ASCENDING[3]]],
  ])('%j: every record once', async (readings, ids, cursors) => {
    expect(await walk(readings, 'limit=2')).toEqual({ ids, cursors });
  });

  test('a record that comes while paging shifts no offset', async () => {
    await walk('cursor: offset\n', 'limit=2');
    const on = gateway ?? (await start('{}'));
    const first = page.parse((await on.call('GET', '/v1/usage/requests?limit=2')).json);
    await on.call('POST', '/v1/responses', { model: 'aspen', input: 'x', max_output_tokens: 1 });
    const next = `/v1/usage/requests?limit=2&before=${first.next_cursor}`;
    expect(page.parse((await on.call('GET', next)).json).data.map(({ id }) => id)).toEqual([
      DESCENDING[2],
      DESCENDING[3],
    ]);
  });

  test('what is no cursor of the form is refused', async () => {
    const on = await start('cursor: offset\n');
    expect((await on.call('GET', '/v1/usage/requests?before=x')).status).toBe(400);
    await on.running.close();
    const other = await start('cursor: record_id\n');
    expect((await other.call('GET', '/v1/usage/requests?before=rec_000000000009')).status).toBe(400);
  });

  test('other limits', async () => {
    await walk('page_default: 3\npage_max: 4\n', 'limit=4');
    const on = gateway ?? (await start('{}'));
    const sizes = async (query: string): Promise<number> => {
      const { status, json } = await on.call('GET', `/v1/usage/requests?${query}`);
      return status === 200 ? page.parse(json).data.length : status;
    };
    expect([await sizes(''), await sizes('limit=4'), await sizes('limit=5')]).toEqual([3, 4, 400]);
    await on.running.close();
    const wide = await start('page_max: 5000\n');
    expect((await wide.call('GET', '/v1/usage/requests?limit=5000')).status).toBe(200);
    expect((await wide.call('GET', '/v1/usage/requests?limit=5001')).status).toBe(400);
  });

  test('a larger limit is taken for the largest', async () => {
    await walk('page_default: 1\npage_max: 4\npage_above_max: cut\n', 'limit=9');
    const { json } = (await gateway?.call('GET', '/v1/usage/requests?limit=9')) ?? {};
    expect(page.parse(json).data).toHaveLength(4);
  });
});

describe('answers', () => {
  test('fields nobody has named, in every kind of JSON answer', async () => {
    const on = await start('extra_fields: true\n');
    const chat = await on.call('POST', CHAT, chatBody({ max_tokens: 2 }));
    const extra = { x_extension: { revision: 1 } };
    expect(chat.json).toMatchObject({ ...extra, choices: [extra] });
    const paths = ['/v1/usage/requests', '/v1/models', '/pricing.usd.json'];
    for (const path of paths) {
      const list = path === '/pricing.usd.json' ? 'models' : 'data';
      const { json } = await on.call('GET', path);
      expect(json).toMatchObject({
        ...extra,
        [list]: expect.arrayContaining([expect.objectContaining({ x_extension: expect.any(Object) })]),
      });
    }
    const { by_model, daily, records } = totals.parse((await on.call('GET', '/v1/usage')).json);
    expect([by_model, daily, records]).toMatchObject([[extra], [extra], 1]);
    expect((await on.call('GET', '/v1/models/none')).text).not.toContain('x_extension');
  });
});
