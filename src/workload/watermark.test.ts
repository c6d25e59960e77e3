import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { scenarioOf, textOf } from '../workload/plan.test-support.ts';
import { planCall } from './call-plan.ts';
import { watermarkBytes, watermarkOf, watermarkText } from './watermark.ts';

const shape = { modulus: 256, of: 1, first: 0 };
const numbers = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

describe('watermarkOf', () => {
  it.each([2, 3, 10, 61, 100, 256, 1_000, 4_096])('gives each number below %d once in a round', (modulus) => {
    const found = numbers(modulus).map((n) => watermarkOf({ ...shape, modulus }, n));
    expect([...found].sort((a, b) => a - b)).toEqual(numbers(modulus));
  });

  it('gives calls near in time numbers far apart', () => {
    const found = numbers(2_000).map((n) => watermarkOf(shape, n));
    for (const [n, value] of found.entries()) {
      for (const near of found.slice(n + 1, n + 11)) {
        const apart = Math.abs(near - value);
        expect(Math.min(apart, 256 - apart)).toBeGreaterThanOrEqual(8);
      }
    }
  });

  it('shares the counter of a model among its scenarios', () => {
    const shared = numbers(200).map((k) => watermarkOf(shape, k));
    for (const first of [0, 1, 2]) {
      const own = numbers(60).map((n) => watermarkOf({ modulus: 256, of: 3, first }, n));
      expect(own).toEqual(shared.filter((_, k) => k % 3 === first && k < 180));
    }
  });
});

it('pads with words of one token each', () => {
  const text = 'The sailor rose from the desert.';
  for (const words of [0, 1, 2, 31, 200]) {
    const padding = watermarkText(words);
    expect(padding).toHaveLength(watermarkBytes(words));
    expect(encode(`${text}${padding}`)).toHaveLength(encode(text).length + words);
  }
});

it('makes calls near in time differ in their input tokens', () => {
  const twins = (watermark: typeof shape | null) => {
    const scenario = scenarioOf({ text: textOf({ prompt_bytes: 1_000, watermark }) });
    const tokens = numbers(120).map((n) => encode(planCall(7, scenario, n).rest).length);
    return tokens.filter((count, n) => tokens.slice(Math.max(0, n - 5), n).includes(count)).length;
  };
  expect(twins(null)).toBeGreaterThan(20);
  expect(twins(shape)).toBeLessThan(12);
});
