import { expect, test } from 'vitest';
import { callRandom } from './call-random.ts';
import { drawLogNormal } from './log-normal.ts';

test('half of the draws lie below the median, and their logarithms spread as said', () => {
  const random = callRandom(1, '/v1/chat/completions', 'm', 'spread');
  const draws = Array.from({ length: 4000 }, () => drawLogNormal(random, { median: 180, spread: 0.4 }));
  expect(draws.every((value) => value > 0 && Number.isFinite(value))).toBe(true);
  expect(draws.filter((value) => value < 180).length / draws.length).toBeCloseTo(0.5, 1);
  const logs = draws.map((value) => Math.log(value / 180));
  const deviation = Math.sqrt(logs.reduce((sum, log) => sum + log * log, 0) / logs.length);
  expect(deviation).toBeGreaterThan(0.38);
  expect(deviation).toBeLessThan(0.42);
});

test('a call draws the same times in every run, whatever its marker', () => {
  const draws = (seed: number, prompt: string): number[] => {
    const random = callRandom(seed, '/v1/chat/completions', 'm', prompt);
    return [random.next(), random.next()];
  };
  expect(draws(1, 'wb0000000000000001 hello')).toEqual(draws(1, 'wb0000000000000002 hello'));
  expect(draws(1, 'hello')).not.toEqual(draws(2, 'hello'));
  expect(draws(1, 'hello')).not.toEqual(draws(1, 'hallo'));
});
