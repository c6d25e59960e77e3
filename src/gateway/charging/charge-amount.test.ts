import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatAmount } from '../../core/amount.ts';
import { NO_TOKENS, type TokenUsage } from '../events/charge-record.ts';
import { CATALOGUE } from '../models/catalogue.ts';
import type { TextModel } from '../models/model.ts';
import { OWN_ROUNDING, ROUNDING_RULES } from '../prices/rounding-rule.ts';
import { imageCharge, textCharge, textReserve, videoCharge } from './charge-amount.ts';
import { NO_EXTRAS, type TextExtras } from './text-extras.ts';

const TEXT = CATALOGUE.filter((model): model is TextModel => model.kind === 'text');

function modelOf(id: string): TextModel {
  const model = TEXT.find((candidate) => candidate.id === id);
  if (model === undefined) throw new Error(`no model ${id}`);
  return model;
}

function charged(id: string, usage: Partial<TokenUsage>, extras: Partial<TextExtras> = {}): string {
  const all = { ...NO_EXTRAS, ...extras };
  return formatAmount(textCharge(modelOf(id), { ...NO_TOKENS, ...usage }, OWN_ROUNDING, all));
}

/** Prices per million have 6 decimals at most, so a token is a whole number of 10⁻¹² USD. */
function exactCharge(model: TextModel, usage: TokenUsage, extras: TextExtras): bigint {
  const beyond = (model.context_tiers?.thresholds ?? []).filter(
    ({ above }) => usage.input > above || (usage.input === above && model.context_tiers?.inclusive === 'ge'),
  );
  const served = (model.service_tiers ?? []).filter(
    ({ service_tier }) => service_tier === extras.serviceTier,
  );
  const at = [model, ...beyond, ...served].at(-1) ?? model;
  const perToken = (price: string | null): bigint => {
    const [whole = '0', fraction = ''] = (price ?? at.input).split('.');
    return BigInt(whole + fraction.padEnd(6, '0'));
  };
  const thought = BigInt(Math.min(extras.reasoning, usage.output));
  const [tool] = model.tools ?? [];
  return (
    BigInt(usage.input - usage.cacheRead - usage.cacheWrite) * perToken(at.input) +
    BigInt(usage.cacheRead) * perToken(at.cache_read) +
    BigInt(usage.cacheWrite) * perToken(at.cache_write) +
    (BigInt(usage.output) - thought) * perToken(at.output) +
    thought * perToken(at.reasoning ?? at.output) +
    (tool === undefined ? 0n : BigInt(extras.toolCalls) * perToken(tool.price) * 1_000_000n)
  );
}

describe('text', () => {
  test('adds up input and output per million tokens', () => {
    expect(charged('aspen-mini', { input: 1_000_000 })).toBe('0.15');
    expect(charged('aspen-mini', { output: 1_000_000 })).toBe('0.6');
    expect(charged('aspen-mini', { input: 14, output: 5 })).toBe('0.0000051');
    expect(charged('aspen-mini', {})).toBe('0');
  });

  test('rounds each line where the rule says so', () => {
    const model = { ...modelOf('aspen-mini'), input: '0.004', output: '0.004' };
    const usage = { ...NO_TOKENS, input: 1, output: 1 };
    // Two lines of 0.4 quanta: nothing each, and one quantum together.
    expect(textCharge(model, usage, ROUNDING_RULES.each_line_8)).toBe(0n);
    expect(formatAmount(textCharge(model, usage, OWN_ROUNDING))).toBe('0.00000001');
  });

  test('charges cache tokens at their own price only, since input includes them', () => {
    const usage = { input: 3000, cacheRead: 1000, cacheWrite: 500, output: 10 };
    // 1500 × 3 + 1000 × 0.3 + 500 × 3.75 + 10 × 15 = 6825
    expect(charged('cedar-sonnet', usage)).toBe('0.006825');
  });

  test('rounds half up at 8 decimals, once for the sum', () => {
    // 5.5, 3.75, 7.5 and 6.8 times 10⁻⁸
    expect(charged('juniper "quoted" model', { input: 1 })).toBe('0.00000006');
    expect(charged("kelp's finest", { input: 1 })).toBe('0.00000004');
    expect(charged("kelp's finest", { input: 2 })).toBe('0.00000008');
    expect(charged('elm/elm-8b-instruct', { input: 1, output: 1 })).toBe('0.00000007');
  });

  test('refuses more cache tokens than input tokens', () => {
    expect(() => charged('aspen', { input: 1, cacheRead: 2 })).toThrow(RangeError);
  });

  test('property: within half of 10⁻⁸ of the exact sum, ties upward', () => {
    fc.assert(
      fc.property(anyUsage(), fc.constantFrom(...TEXT), anyExtras(), (usage, model, extras) => {
        const exact = exactCharge(model, usage, extras);
        const difference = textCharge(model, usage, OWN_ROUNDING, extras) - exact;
        expect(difference > -5000n && difference <= 5000n).toBe(true);
        expect(textCharge(model, usage, OWN_ROUNDING, extras) % 10_000n).toBe(0n);
      }),
    );
  });

  test('property: the reserve covers whatever the call can come to', () => {
    fc.assert(
      fc.property(
        anyUsage(),
        fc.constantFrom(...TEXT),
        fc.nat(5000),
        anyExtras(),
        (usage, model, spare, extras) => {
          const reserve = textReserve(model, usage.input, usage.output + spare, OWN_ROUNDING, extras);
          expect(reserve).toBeGreaterThanOrEqual(textCharge(model, usage, OWN_ROUNDING, extras));
        },
      ),
    );
  });

  test('a context beyond an edge puts the whole call into its tier, cache tokens counted', () => {
    expect(charged('maple-long', { input: 2000, output: 100 })).toBe('0.00308');
    expect(charged('maple-long', { input: 2001, output: 100 })).toBe('0.0057222');
    expect(charged('maple-long', { input: 2001, cacheRead: 2000 })).toBe('0.0004422');
    expect(charged('maple-steps', { input: 999, output: 1 })).toBe('0.0007021');
    expect(charged('maple-steps', { input: 1000, output: 1 })).toBe('0.0014056');
    expect(charged('maple-steps', { input: 3000, output: 1 })).toBe('0.0063112');
  });

  test('reasoning tokens are inside the output, at their own price where there is one', () => {
    const usage = { input: 10, output: 100 };
    expect(charged('oak-think', usage, { reasoning: 40 })).toBe(charged('oak-think', usage));
    // 10 × 2.6 + 60 × 10.4 + 40 × 7.8 = 962
    expect(charged('oak-think-deep', usage, { reasoning: 40 })).toBe('0.000962');
    expect(charged('oak-think-deep', usage, { reasoning: 400 })).toBe('0.000806');
  });

  test('a tier of service has its own prices; one that the model does not have is the default one', () => {
    const usage = { input: 1000, output: 100 };
    const at = (serviceTier: string | null) => charged('pine', usage, { serviceTier });
    expect([at(null), at('priority'), at('flex'), at('batch')]).toEqual([
      '0.00238',
      '0.00476',
      '0.00119',
      '0.00238',
    ]);
    expect(charged('aspen', usage, { serviceTier: 'priority' })).toBe(charged('aspen', usage));
  });

  test('a tool call is charged each, inside the one rounding', () => {
    expect(charged('rowan-search', { input: 1 }, { toolCalls: 3 })).toBe('0.0300009');
    expect(charged('aspen', { input: 100 }, { toolCalls: 3 })).toBe(charged('aspen', { input: 100 }));
  });
});

describe('images and videos', () => {
  test('an image costs what its size and quality say, or has no price', () => {
    const model = CATALOGUE.find(({ id }) => id === 'lumen-image');
    if (model?.kind !== 'image') throw new Error('no image model');
    expect(formatAmount(imageCharge(model, '1024x1024', 'low') ?? -1n)).toBe('0.011');
    expect(formatAmount(imageCharge(model, 'auto', 'auto') ?? -1n)).toBe('0.042');
    expect(imageCharge(model, '64x64', 'low')).toBeNull();
  });

  test('a video costs its seconds at the price of its resolution', () => {
    const model = CATALOGUE.find(({ id }) => id === 'quartz-lite:i2v');
    if (model?.kind !== 'video') throw new Error('no video model');
    expect(formatAmount(videoCharge(model, '854x480', 7) ?? -1n)).toBe('0.126');
    expect(videoCharge(model, '1920x1080', 4)).toBeNull();
  });
});

function anyUsage(): fc.Arbitrary<TokenUsage> {
  return fc
    .record({
      plain: fc.nat(200_000),
      cacheRead: fc.nat(50_000),
      cacheWrite: fc.nat(50_000),
      output: fc.nat(20_000),
    })
    .map(({ plain, cacheRead, cacheWrite, output }) => ({
      input: plain + cacheRead + cacheWrite,
      output,
      cacheRead,
      cacheWrite,
    }));
}

function anyExtras(): fc.Arbitrary<TextExtras> {
  return fc.record({
    serviceTier: fc.constantFrom(null, 'default', 'priority', 'flex'),
    reasoning: fc.nat(20_000),
    toolCalls: fc.nat(3),
  });
}
