import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashText, QuickRandom } from './quick-random.ts';

test('draws lie in [0, 1), spread evenly, and the same hash and purpose give the same', () => {
  const random = new QuickRandom(hashText('even'), 1);
  const draws = Array.from({ length: 20_000 }, () => random.next());
  expect(draws.every((value) => value >= 0 && value < 1)).toBe(true);
  const bins = new Array<number>(20).fill(0);
  for (const value of draws) bins[Math.floor(value * 20)] = (bins[Math.floor(value * 20)] ?? 0) + 1;
  // 1,000 are expected in each; 5 standard deviations are 154.
  expect(Math.min(...bins)).toBeGreaterThan(846);
  expect(Math.max(...bins)).toBeLessThan(1154);
  const again = new QuickRandom(hashText('even'), 1);
  expect(Array.from({ length: 20_000 }, () => again.next())).toEqual(draws);
});

test('another purpose and another text draw otherwise', () => {
  const first = (text: string, purpose: number): number => new QuickRandom(hashText(text), purpose).next();
  expect(first('a', 1)).not.toBe(first('a', 2));
  const seen = new Set(Array.from({ length: 5000 }, (_, index) => first(`prompt ${index}`, 1)));
  expect(seen.size).toBeGreaterThan(4990);
});

test('property: one changed character changes both halves of the hash', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.nat(), (text, place) => {
      const at = place % text.length;
      const other = String.fromCharCode(text.charCodeAt(at) ^ 1);
      const changed = text.slice(0, at) + other + text.slice(at + 1);
      const [left, right] = [hashText(text), hashText(changed)];
      expect(left.high === right.high || left.low === right.low).toBe(false);
    }),
  );
});

test('text in two parts hashes as a chain of its own', () => {
  expect(hashText('b', hashText('a'))).toEqual(hashText('b', hashText('a')));
  expect(hashText('b', hashText('a'))).not.toEqual(hashText('a', hashText('b')));
});
