import { describe, expect, test } from 'vitest';
import type { ModelPrice, Rounding } from '../../contracts/price-book.ts';
import { formatAmount } from '../../core/amount.ts';
import { parseDecimal } from '../../core/decimal.ts';
import { plainAdjustment, plainModel } from '../adapters/plain-model.ts';
import { bookOf, componentOf, modelOf } from '../price-book.test-support.ts';
import { contextOf } from './charge-context.ts';
import { type ChargeFacts, NO_FACTS } from './charge-facts.ts';
import { evaluateCharge } from './evaluate-charge.ts';

const TOKENS = { input_token: '1', output_token: '10' };

/** USD as `lo..hi` where it is open; or why there is no price. */
function charge(
  model: ModelPrice,
  facts: Partial<ChargeFacts>,
  more: Parameters<typeof bookOf>[1] = {},
): string {
  const whole = { ...NO_FACTS, cache_read: 0n, cache_write: 0n, ...facts };
  const result = evaluateCharge(
    bookOf([model], more),
    whole,
    contextOf('m', model.kind === 'text' ? 'chat' : model.kind),
  );
  if ('unpriced' in result) return `${result.why}: ${result.unpriced}`;
  const [lo, hi] = [formatAmount(result.lo), formatAmount(result.hi)];
  return lo === hi ? lo : `${lo}..${hi}`;
}

const rounding = (more: Partial<Rounding>): Rounding => ({
  scope: 'record',
  quantum: '0.01',
  mode: 'half_up',
  pre: [],
  ...more,
});

describe('reasoning tokens', () => {
  const facts = { input: 0n, output: 1_000_000n, reasoning: 400_000n };
  const withMode = (mode?: 'included' | 'additive'): ModelPrice => {
    const model = modelOf(TOKENS);
    const reasoning = componentOf('reasoning_token', '20', mode === undefined ? {} : { mode });
    return { ...model, components: [...model.components, reasoning] };
  };

  test('a part of the output has its own price instead of that of the output', () => {
    expect(charge(withMode('included'), facts)).toBe('14');
  });

  test('on top of the output both are charged', () => {
    expect(charge(withMode('additive'), facts)).toBe('18');
  });

  test('without a mode the counts decide, and without those it is a part, which is said', () => {
    const told = (output_includes_reasoning: 'yes' | 'no') => ({
      usage_semantics: {
        input_includes_cache: 'unknown' as const,
        cache_write_included: 'unknown' as const,
        output_includes_reasoning,
      },
    });
    expect([charge(withMode(), facts, told('yes')), charge(withMode(), facts, told('no'))]).toEqual([
      '14',
      '18',
    ]);
    expect(charge(withMode(), facts)).toBe('14');
    const whole = { ...NO_FACTS, cache_read: 0n, cache_write: 0n, ...facts };
    expect(evaluateCharge(bookOf([withMode()]), whole, contextOf('m', 'chat'))).toMatchObject({
      warnings: ['reasoning tokens are taken as a part of the output: the book does not say'],
    });
    expect(charge(modelOf(TOKENS), facts, told('no'))).toBe('14');
  });

  test('a number that is not told is open as a part, and not known on top', () => {
    expect(charge(withMode('included'), { ...facts, reasoning: null })).toBe('10..20');
    expect(charge(withMode('additive'), { ...facts, reasoning: null })).toBe(
      'units: the number of reasoning tokens is not known',
    );
  });
});

describe('cache writes by how long they live', () => {
  const model = plainModel('m', 'text', [
    ...modelOf(TOKENS).components,
    componentOf('cache_write_token', '2', { ttl: '5m' }),
    componentOf('cache_write_token', '4', { ttl: '1h' }),
  ]);
  const facts = { input: 1_000_000n, output: 0n, cache_write: 1_000_000n };

  test.each([
    [0n, '2'],
    [250_000n, '2.5'],
    [1_000_000n, '4'],
    [null, '2..4'],
  ])('%s of a million for an hour', (cache_write_1h, price) => {
    expect(charge(model, { ...facts, cache_write_1h })).toBe(price);
  });

  test('one price of every life needs no division', () => {
    expect(charge(modelOf({ ...TOKENS, cache_write_token: '3' }), facts)).toBe('3');
  });
});

describe('rounding', () => {
  const model = modelOf({ input_token: '0.004', output_token: '0.004' });
  const facts = { input: 1_000_000n, output: 1_000_000n };

  test('of a record is one rounding of the sum; of components each is rounded before it', () => {
    expect(charge(model, facts, { rounding: rounding({}) })).toBe('0.01');
    expect(charge(model, facts, { rounding: rounding({ scope: 'component' }) })).toBe('0');
    expect(charge(model, facts, { rounding: rounding({ scope: 'component', mode: 'ceil' }) })).toBe('0.02');
  });

  test('what adjustments make of rounded components is rounded again', () => {
    const adjustments = [plainAdjustment('half', '0.75')];
    expect(
      charge(model, facts, { adjustments, rounding: rounding({ scope: 'component', mode: 'ceil' }) }),
    ).toBe('0.02');
  });

  test('a rule of one meter goes before the sum, whatever the scope', () => {
    const pre = [{ meter: 'input_token', quantum: '0.01', mode: 'ceil' }] as const;
    expect(charge(model, facts, { rounding: rounding({ pre }) })).toBe('0.01');
    expect(charge(model, facts, { rounding: rounding({ pre, quantum: '0.001' }) })).toBe('0.014');
  });

  test('none leaves a charge that no amount holds between two', () => {
    const none = { rounding: rounding({ scope: 'none' }) };
    expect(charge(model, facts, none)).toBe('0.008');
    expect(
      charge(modelOf({ input_token: '0.0000001', output_token: '0' }), { input: 15n, output: 0n }, none),
    ).toBe('0.000000000001..0.000000000002');
  });

  test('of one model goes before that of the book', () => {
    expect(
      charge({ ...model, rounding: rounding({ quantum: '0.001' }) }, facts, { rounding: rounding({}) }),
    ).toBe('0.008');
  });
});

describe('the least charge', () => {
  const minimum = { amount: '0.5', applies: 'nonzero_price', zero_tokens: 'zero' } as const;
  const free = modelOf({ input_token: '0', output_token: '0' });
  const one = { input: 1n, output: 0n };
  const none = { input: 0n, output: 0n };

  test('holds for what costs less, not for a free model nor for a call without units', () => {
    expect(charge(modelOf(TOKENS), one, { minimum })).toBe('0.5');
    expect(charge(modelOf(TOKENS), { input: 3_000_000n, output: 0n }, { minimum })).toBe('3');
    expect(charge(free, one, { minimum })).toBe('0');
    expect(charge(modelOf(TOKENS), none, { minimum })).toBe('0');
    const adjustments = [plainAdjustment('gift', '0')];
    expect(charge(modelOf(TOKENS), one, { minimum, adjustments })).toBe('0');
  });

  test('holds for those too where the book says so', () => {
    expect(charge(free, one, { minimum: { ...minimum, applies: 'always' } })).toBe('0.5');
    expect(charge(modelOf(TOKENS), none, { minimum: { ...minimum, zero_tokens: 'minimum' } })).toBe('0.5');
    expect(charge(modelOf(TOKENS), { input: { lo: 0n, hi: 1n }, output: 0n }, { minimum })).toBe('0..0.5');
  });

  test('comes after adjustments and before rounding', () => {
    const adjustments = [plainAdjustment('half', '0.5')];
    const odd = { ...minimum, amount: '0.503' };
    expect(charge(modelOf(TOKENS), one, { minimum: odd, adjustments, rounding: rounding({}) })).toBe('0.5');
  });
});

describe('units that are rounded', () => {
  const video = plainModel('m', 'video', [
    componentOf('video_second', '0.1', { unit_rounding: { mode: 'ceil', step: '1', at_least: '5' } }),
  ]);
  const seconds = (text: string): Partial<ChargeFacts> => ({
    seconds: { lo: BigInt(Math.floor(Number(text))), hi: BigInt(Math.ceil(Number(text))) },
    seconds_exact: parseDecimal(text),
  });

  test('to whole seconds, at least five, but none where there were none', () => {
    const prices = ['0', '0.2', '4.3', '5.001', '7'].map((text) => charge(video, seconds(text)));
    expect(prices).toEqual(['0', '0.5', '0.5', '0.6', '0.7']);
  });

  test('a part of a second without a rule lies between both whole ones', () => {
    expect(charge(plainModel('m', 'video', [componentOf('video_second', '0.1')]), seconds('4.3'))).toBe(
      '0.4..0.5',
    );
  });
});

describe('tools, characters, pages and the call itself', () => {
  const model = plainModel('m', 'text', [
    ...modelOf(TOKENS).components,
    componentOf('request', '0.001'),
    componentOf('tool_call', '0.01', { tool: 'search' }),
    componentOf('character', '0.1', { per: '1000' }),
  ]);
  const facts = { input: 0n, output: 0n, tools: { search: 2n }, characters: 500n };

  test('each by its own price', () => {
    expect(charge(model, facts)).toBe('0.071');
  });

  test('what is priced and not known, or used and not priced, has no price', () => {
    expect(charge(model, { ...facts, tools: null })).toBe('units: the number of tool calls is not known');
    expect(charge(model, { ...facts, characters: null })).toBe(
      'units: the number of characters is not known',
    );
    expect(charge(model, { ...facts, tools: { other: 1n } })).toBe(
      'component: the book gives no price of the tool "other" for "m"',
    );
    expect(charge(modelOf({ input_token: '1' }), { input: 1n, output: 1n })).toBe(
      'component: the book gives no output_token price for "m"',
    );
    expect(charge(plainModel('m', 'text', [componentOf('page', '1')]), {})).toBe(
      'units: the number of pages is not known',
    );
  });

  test('a price of the call alone leaves its tokens free', () => {
    expect(charge(plainModel('m', 'text', [componentOf('request', '0.02')]), { input: 5n, output: 5n })).toBe(
      '0.02',
    );
  });
});

test('parts of the output beyond it, and tiers that no single call tells, have no price', () => {
  const media = modelOf({ ...TOKENS, audio_output_token: '40' });
  expect(charge(media, { input: 0n, output: 1n, audio_output: 2n })).toBe(
    'units: reasoning and other parts exceed the output tokens',
  );
  const tiers = { mode: 'cliff', inclusive: 'gt', thresholds: [] } as const;
  const facts = { input: 1n, output: 1n };
  expect(charge(modelOf(TOKENS, { tiers: { ...tiers, basis: 'cumulative_day' } }), facts)).toMatch(
    /^unsupported: the price of "m" depends on what was used since midnight/,
  );
  const graduated = {
    ...tiers,
    mode: 'graduated',
    basis: 'input',
    thresholds: [{ above: '9', components: [componentOf('output_token', '1')] }],
  } as const;
  expect(charge(modelOf(TOKENS, { tiers: graduated }), facts)).toBe(
    'unsupported: the tier of "m" above 9 restates output_token, which is no part of input',
  );
});

test('a text model without any price lacks that of its input', () => {
  expect(charge(plainModel('m', 'text', []), {})).toBe(
    'component: the book gives no input_token price for "m"',
  );
});

test('a graduated price that a life narrows has no place in a size', () => {
  const tiers = {
    mode: 'graduated',
    inclusive: 'gt',
    basis: 'context_len',
    thresholds: [{ above: '9', components: [componentOf('input_token', '2')] }],
  } as const;
  const components = [...modelOf(TOKENS).components, componentOf('cache_write_token', '2', { ttl: '5m' })];
  expect(charge(plainModel('m', 'text', components, { tiers }), { input: 1n, output: 0n })).toBe(
    'unsupported: the graduated prices of "m" are narrowed by more than a size',
  );
});

test('an amount that nothing rounds is no figure where its last digit is open', () => {
  const model = modelOf({ input_token: '0.0000001', output_token: '0' });
  const facts = { ...NO_FACTS, input: 15n, output: 0n, cache_read: 0n, cache_write: 0n };
  const book = bookOf([model], { rounding: rounding({ scope: 'none' }) });
  expect(evaluateCharge(book, facts, contextOf('m', 'chat'))).toMatchObject({
    lo: 1n,
    hi: 2n,
    rounded: null,
  });
});

describe('tiers that each unit falls in by its place', () => {
  const graduated = { mode: 'graduated', inclusive: 'gt' } as const;

  test('cut only the side whose size they go by: the other one is rounded once', () => {
    const thresholds = [{ above: '9', components: [componentOf('input_token', '2')] }];
    const model = modelOf(TOKENS, { tiers: { ...graduated, basis: 'input', thresholds } });
    const each = { rounding: rounding({ scope: 'component', mode: 'ceil' }) };
    expect(charge(model, { input: 5n, output: 20n }, each)).toBe('0.02');
  });

  test('leave a side without a price unpriced', () => {
    const model = modelOf({ input_token: '1' }, { tiers: { ...graduated, basis: 'output', thresholds: [] } });
    expect(charge(model, { input: 1n, output: 1n })).toBe(
      'component: the book gives no output_token price for "m"',
    );
  });
});
