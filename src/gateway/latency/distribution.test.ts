import { expect, test } from 'vitest';
import { CallRandom } from '../chance/call-random.ts';
import { drawTime, type LatencyDistribution, meanTime } from './distribution.ts';

function drawn(distribution: LatencyDistribution, count = 8000): number[] {
  const random = new CallRandom(1, '/v1/chat/completions', 'm', 'spread').times();
  return Array.from({ length: count }, () => drawTime(random, distribution));
}

const averageOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

test('fixed is always the same', () => {
  expect(new Set(drawn({ kind: 'fixed', ms: 12.5 }, 50))).toEqual(new Set([12.5]));
});

test('uniform fills its range evenly and never leaves it', () => {
  const values = drawn({ kind: 'uniform', min_ms: 100, max_ms: 300 });
  expect(Math.min(...values)).toBeGreaterThanOrEqual(100);
  expect(Math.max(...values)).toBeLessThan(300);
  for (const edge of [150, 200, 250]) {
    expect(values.filter((value) => value < edge).length / values.length).toBeCloseTo((edge - 100) / 200, 1);
  }
});

test('lognormal: half of the draws lie below the median, and their logarithms spread as said', () => {
  const values = drawn({ kind: 'lognormal', median_ms: 180, spread: 0.4 });
  expect(values.every((value) => value > 0 && Number.isFinite(value))).toBe(true);
  expect(values.filter((value) => value < 180).length / values.length).toBeCloseTo(0.5, 1);
  const logs = values.map((value) => Math.log(value / 180));
  const deviation = Math.sqrt(averageOf(logs.map((log) => log * log)));
  expect(deviation).toBeGreaterThan(0.38);
  expect(deviation).toBeLessThan(0.42);
});

test.each<LatencyDistribution>([
  { kind: 'fixed', ms: 7 },
  { kind: 'uniform', min_ms: 10, max_ms: 50 },
  { kind: 'lognormal', median_ms: 20, spread: 0.5 },
])('the mean of $kind is what its draws come to', (distribution) => {
  expect(averageOf(drawn(distribution)) / meanTime(distribution)).toBeCloseTo(1, 1);
});

test('a call draws the same times in every run, whatever its marker', () => {
  const draws = (seed: number, prompt: string): number[] => {
    const random = new CallRandom(seed, '/v1/chat/completions', 'm', prompt).times();
    return [random.next(), random.next()];
  };
  expect(draws(1, 'wb0000000000000001 hello')).toEqual(draws(1, 'wb0000000000000002 hello'));
  expect(draws(1, 'hello')).not.toEqual(draws(2, 'hello'));
  expect(draws(1, 'hello')).not.toEqual(draws(1, 'hallo'));
});

test('the times of a call do not depend on what its reply drew', () => {
  const call = new CallRandom(1, '/v1/messages', 'm', 'hello');
  const alone = call.times().next();
  call.reply().next();
  expect(call.times().next()).toBe(alone);
  expect(call.reply().next()).not.toBe(alone);
});
