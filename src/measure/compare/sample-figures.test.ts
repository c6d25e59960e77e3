import { expect, test } from 'vitest';
import { COMPARED_MEASURES } from '../../contracts/comparison.ts';
import { leastCalls, sampleFigures } from './sample-figures.ts';

const TIMES = { ttft: 10, ttfo: 10, tpot: 1, e2e: 20, e2ePlanned: 21 };

test('as many calls as a measure needs give an interval, and one fewer none', () => {
  for (const measure of COMPARED_MEASURES) {
    const figure = (count: number) => {
      const calls = Array.from({ length: count }, () => ({
        times: TIMES,
        judged: true,
        good: true,
        cost: 1n,
      }));
      return sampleFigures({ kind: 'chat', calls }, 'seed').get(measure)?.resampled;
    };
    expect(figure(leastCalls(measure)), measure).not.toBeNull();
    expect(figure(leastCalls(measure) - 1), measure).toBeNull();
  }
});
