import { expect, it } from 'vitest';
import { scenarioOf, textOf } from '../workload/plan.test-support.ts';
import { watermarkOf } from '../workload/watermark.ts';
import { shareWatermarks } from './plan-limits.ts';

const marked = (name: string, model: string, modulus: number | null) =>
  scenarioOf({
    name,
    model,
    text: textOf({ watermark: modulus === null ? null : { modulus, of: 1, first: 0 } }),
  });

it('lets the scenarios of a model share its counter, and those of another have their own', () => {
  const shared = shareWatermarks([
    marked('a', 'm', 64),
    marked('b', 'm', null),
    marked('c', 'other', 16),
    marked('d', 'm', 128),
  ]);
  expect(shared.map(({ text }) => text?.watermark)).toEqual([
    { modulus: 128, of: 2, first: 0 },
    null,
    { modulus: 16, of: 1, first: 0 },
    { modulus: 128, of: 2, first: 1 },
  ]);
});

it('gives calls of both scenarios different paddings until the counter is round', () => {
  const [a, b] = shareWatermarks([marked('a', 'm', 64), marked('b', 'm', 64)]);
  const words = [a, b].flatMap((scenario) =>
    Array.from({ length: 32 }, (_, n) => {
      const watermark = scenario?.text?.watermark;
      return watermark ? watermarkOf(watermark, n) : -1;
    }),
  );
  expect(new Set(words).size).toBe(64);
});
