import { expect, it } from 'vitest';
import { blockResamples, RESAMPLES } from './sample-figures.ts';

it('draws neighbours together, as many as the cube root of the calls says', () => {
  const { blockOf, blocks } = blockResamples(300, 'a');
  expect([0, 6, 7, 299].map(blockOf)).toEqual([0, 0, 1, 42]);
  expect(blocks).toBe(43);
});

it('draws from 250 blocks at most, each time as many as there are', () => {
  const { blockOf, blocks, weights } = blockResamples(100_000, 'a');
  expect({ blocks, last: blockOf(99_999) }).toEqual({ blocks: 250, last: 249 });
  expect(weights).toHaveLength(RESAMPLES);
  for (const drawn of weights) expect(drawn.reduce((sum, times) => sum + times, 0)).toBe(250);
});
