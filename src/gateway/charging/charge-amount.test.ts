import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatAmount } from '../../core/amount.ts';
import { CATALOGUE } from '../models/catalogue.ts';
import type { TextModel } from '../models/model.ts';
import { imageCharge, textCharge, textReserve, videoCharge } from './charge-amount.ts';
import type { TokenUsage } from './token-usage.ts';

const TEXT = CATALOGUE.filter((model): model is TextModel => model.kind === 'text');

function modelOf(id: string): TextModel {
  const model = TEXT.find((candidate) => candidate.id === id);
  if (model === undefined) throw new Error(`no model ${id}`);
  return model;
}

function charged(id: string, usage: Partial<TokenUsage>): string {
  return formatAmount(
    textCharge(modelOf(id), { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, ...usage }),
  );
}

describe('text', () => {
  test('adds up input and output per million tokens', () => {
    expect(charged('aspen-mini', { input: 1_000_000 })).toBe('0.15');
    expect(charged('aspen-mini', { output: 1_000_000 })).toBe('0.6');
    expect(charged('aspen-mini', { input: 14, output: 5 })).toBe('0.0000051');
    expect(charged('aspen-mini', {})).toBe('0');
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
      fc.property(anyUsage(), fc.constantFrom(...TEXT), (usage, model) => {
        // Prices per million have 6 decimals at most, so a token is a whole number of 10⁻¹² USD.
        const perToken = (price: string | null): bigint => {
          const [whole = '0', fraction = ''] = (price ?? model.input).split('.');
          return BigInt(whole + fraction.padEnd(6, '0'));
        };
        const plain = BigInt(usage.input - usage.cacheRead - usage.cacheWrite);
        const exact =
          plain * perToken(model.input) +
          BigInt(usage.cacheRead) * perToken(model.cache_read) +
          BigInt(usage.cacheWrite) * perToken(model.cache_write) +
          BigInt(usage.output) * perToken(model.output);
        const difference = textCharge(model, usage) - exact;
        expect(difference > -5000n && difference <= 5000n).toBe(true);
        expect(textCharge(model, usage) % 10_000n).toBe(0n);
      }),
    );
  });

  test('property: the reserve covers whatever the call can come to', () => {
    fc.assert(
      fc.property(anyUsage(), fc.constantFrom(...TEXT), fc.nat(5000), (usage, model, spare) => {
        expect(textReserve(model, usage.input, usage.output + spare)).toBeGreaterThanOrEqual(
          textCharge(model, usage),
        );
      }),
    );
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
