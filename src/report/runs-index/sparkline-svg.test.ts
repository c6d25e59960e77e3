import { expect, it } from 'vitest';
import { sparklineSvg } from './runs-index-html.ts';

it('draws the runs from left to right, the larger value higher, with a gap where one has none', () => {
  const svg = sparklineSvg([1, 3, null, 2, 1], 'TTFT');
  expect(/ d="([^"]+)"/.exec(svg)?.[1]).toBe('M3.0 23.0L31.5 3.0M88.5 13.0L117.0 23.0');
  expect(svg).toContain('cx="117.0" cy="23.0"');
});

it('is nothing for fewer than two values, and level where they are equal', () => {
  expect(sparklineSvg([1, null], 'TTFT')).toBe('');
  expect(sparklineSvg([2, 2], 'TTFT')).toContain('M3.0 13.0L117.0 13.0');
  // One of a hundred is a tenth of the height, not all of it.
  expect(sparklineSvg([100, 99], 'TTFT')).toContain('M3.0 12.0L117.0 14.0');
});
