import type { SizeTable } from '../contracts/plan.ts';
import { seededRandom } from '../core/seeded-random.ts';

const ROUNDS = 3;

/**
 * Index that place `n` (from 0) has in a list of `length` entries (at most 2³⁰): over each block of `length` places every
 * entry comes once, in an order of its own. A permutation that is computed for one place, so that none is ever held.
 */
export function seededIndex(length: number, n: number, ...key: readonly (string | number)[]): number {
  if (length <= 1) return 0;
  const place = n % length;
  const random = seededRandom('order', ...key, (n - place) / length);
  const factors: number[] = [];
  const terms: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    factors.push(random.below(4_294_967_296) | 1);
    terms.push(random.below(4_294_967_296));
  }
  const bits = 32 - Math.clz32(length - 1);
  const mask = 2 ** bits - 1;
  const shift = (bits + 1) >>> 1;
  let index = place;
  // An odd factor, a term and a shift each permute the numbers of `bits` bits; those beyond the list are passed over.
  do {
    for (let round = 0; round < ROUNDS; round += 1) {
      index = (Math.imul(index, factors[round] ?? 1) + (terms[round] ?? 0)) & mask;
      index ^= index >>> shift;
    }
  } while (index >= length);
  return index;
}

/** The size of call `n`: over each block of the table's length every size comes once, so that its distribution is exact. */
export function seededSize(table: SizeTable, n: number, ...key: readonly (string | number)[]): number {
  if (typeof table === 'number') return table;
  return table[seededIndex(table.length, n, ...key)] ?? 0;
}

/** The largest size that a table holds. */
export function largestSize(table: SizeTable): number {
  return typeof table === 'number' ? table : Math.max(...table);
}
