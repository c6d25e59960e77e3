import { expect, test } from 'vitest';
import { rssByCalls } from './memory.ts';

test('a sample of memory falls between the states around it; one outside them is left out', () => {
  const progress = [
    { at_ms: 1000, finished: 0, ok: 0, lost: 0 },
    { at_ms: 2000, finished: 100, ok: 100, lost: 0 },
    { at_ms: 3000, finished: 300, ok: 300, lost: 0 },
  ];
  const rss = [500, 1500, 2250, 3500].map((at_ms) => ({ at_ms, bytes: at_ms * 1000 }));
  expect(rssByCalls({ rss }, progress)).toEqual([
    [50, 1.5],
    [150, 2.25],
  ]);
});
