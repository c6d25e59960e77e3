import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareRational } from '../../core/rational.ts';
import { anyBook, anyBox } from '../random-books.test-support.ts';
import { type ChargeContext, contextOf } from './charge-context.ts';
import type { ChargeFacts, Quantity } from './charge-facts.ts';
import { chargeWorlds } from './charge-worlds.ts';
import { evaluateCharge } from './evaluate-charge.ts';

const CONTEXT: ChargeContext = { ...contextOf('m', 'chat'), group: 'vip' };

/** The same facts as intervals of one figure, which only the long way prices. */
function theLongWay(facts: ChargeFacts): ChargeFacts {
  const wide = (count: Quantity): Quantity => (typeof count === 'bigint' ? { lo: count, hi: count } : count);
  return { ...facts, input: wide(facts.input), output: wide(facts.output) };
}

test('figures are charged by whole numbers as they are by exact fractions, with the same lines', () => {
  let planned = 0;
  fc.assert(
    fc.property(anyBook, anyBox, (book, { point }) => {
      const quick = evaluateCharge(book, point, CONTEXT);
      const long = evaluateCharge(book, theLongWay(point), CONTEXT);
      if ('unpriced' in quick || 'unpriced' in long) return expect(quick).toEqual(long);
      const of = ({ lo, hi, rounded, tier, grade, warnings, lines }: typeof quick) => {
        return { lo, hi, rounded, tier, grade, warnings, lines };
      };
      expect(of(quick)).toEqual(of(long));
      if (quick.exact === null || long.exact === null) throw new Error('no figure');
      expect(compareRational(quick.exact, long.exact)).toBe(0);
      const [world] = chargeWorlds(book, CONTEXT) ?? [];
      if (world !== undefined && !('unpriced' in world) && world.plan !== null) planned += 1;
    }),
    { seed: 20_261_122, numRuns: 600 },
  );
  expect(planned).toBeGreaterThan(100);
});
