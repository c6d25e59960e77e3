import fc from 'fast-check';
import { expect, it } from 'vitest';
import { leastCost } from './least-cost.ts';

/** Every assignment of rows to columns, by trying them all. */
function cheapest(costs: readonly (readonly number[])[], barred: readonly [number, number] | null): number {
  function from(row: number, taken: number): number {
    if (row === costs.length) return 0;
    let least = Infinity;
    costs[row]?.forEach((cost, column) => {
      if ((taken >> column) % 2 === 1) return;
      if (barred !== null && barred[0] === row && barred[1] === column) return;
      least = Math.min(least, cost + from(row + 1, taken | (1 << column)));
    });
    return least;
  }
  return from(0, 0);
}

const tables = fc.integer({ min: 1, max: 5 }).chain((rows) =>
  fc.array(
    fc.array(fc.oneof({ weight: 4, arbitrary: fc.nat(20) }, fc.constant(Infinity)), {
      minLength: 3,
      maxLength: 3,
    }),
    { minLength: rows, maxLength: rows },
  ),
);

it('gives the least total and, for each row, what the best other choice costs more', () => {
  fc.assert(
    fc.property(tables, (table) => {
      // A column of its own for every row, as a call that stays without a record has.
      const costs = table.map((row, index) => [
        ...row,
        ...table.map((_, column) => (column === index ? 50 : Infinity)),
      ]);
      const assigned = leastCost(costs);
      const least = cheapest(costs, null);
      expect(assigned.reduce((sum, { cost }) => sum + cost, 0)).toBe(least);
      expect(new Set(assigned.map(({ column }) => column)).size).toBe(costs.length);
      assigned.forEach(({ column, margin }, row) => {
        expect(margin).toBe(cheapest(costs, [row, column]) - least);
      });
    }),
    { seed: 20261121, numRuns: 400 },
  );
});
