import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sharesOf } from './shares-of.ts';

const amounts = fc.array(fc.bigInt({ min: 0n, max: 10n ** 18n }), { minLength: 1, maxLength: 6 });
const billionths = (share: number | null): number => Math.round((share ?? 0) * 1e9);

test('property: shares sum to the whole, and what is not nothing never shows as nothing beside a whole', () => {
  fc.assert(
    fc.property(amounts, fc.integer({ min: 0, max: 1_000_000_000 }), (parts, whole) => {
      const shares = sharesOf(parts, whole / 1e9);
      const sum = shares.map(billionths).reduce((total, share) => total + share, 0);
      expect(sum).toBe(parts.some((part) => part > 0n) ? whole : 0);
      const positive = parts.filter((part) => part > 0n).length;
      expect(positive > 1 && whole === 1e9 && shares.includes(1)).toBe(false);
    }),
    { numRuns: 500 },
  );
});

test.each<readonly [string, readonly bigint[], readonly (number | null)[]]>([
  ['quarters', [1n, 3n], [0.25, 0.75]],
  ['thirds', [1n, 2n], [0.333333333, 0.666666667]],
  ['next to nothing', [1n, 10n ** 15n], [1e-9, 0.999999999]],
  ['nothing and all', [0n, 5n], [0, 1]],
  ['nothing at all', [0n, 0n], [null, null]],
])('%s', (_, parts, shares) => {
  expect(sharesOf(parts)).toEqual(shares);
});
