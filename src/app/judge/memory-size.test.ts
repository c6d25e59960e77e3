import { expect, test } from 'vitest';
import { DEFAULT_MEMORY_BYTES, memoryBytes } from './memory-size.ts';

test.each([
  [undefined, DEFAULT_MEMORY_BYTES],
  ['0', 0],
  ['2GB', 2_000_000_000],
  ['1.5 GiB', 1_610_612_736],
  ['1500mb', 1_500_000_000],
])('--memory %s', (memory, bytes) => {
  expect(memoryBytes({ memory })).toBe(bytes);
});

test.each(['512MB', '2', 'much', '-2GB', '2000000000'])('--memory %s is refused', (memory) => {
  expect(() => memoryBytes({ memory })).toThrowError(expect.objectContaining({ code: 'memory_invalid' }));
});
