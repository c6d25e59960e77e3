import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { UpstreamCall } from '../contracts/upstream-call.ts';
import { formatAmount } from '../core/amount.ts';
import { formatInstant } from '../core/time.ts';
import { START_MS } from '../reconcile/rows.test-support.ts';
import { boughtFor, chained, saleOf } from './chain.test-support.ts';
import type { Sale, SaleState } from './sale.ts';

/** Sold under a name of the gateway's own, as a snapshot, with a provider before it, and as it is called. */
const MODELS = [
  ['fast', 'text-1'],
  ['text-2', 'text-2-2026-01-31'],
  ['text-3', 'lab/text-3'],
  ['text-4', 'text-4'],
] as const;

const amount = fc.bigInt({ min: 1n, max: 10n ** 9n });
const call = fc.record({
  model: fc.constantFrom(...MODELS),
  state: fc.constantFrom<SaleState>(
    'recorded',
    'recorded',
    'recorded',
    'let_off',
    'waiting',
    'pending',
    'not_read',
  ),
  charged: amount,
  /** What each attempt cost; none: a cache answered. */
  attempts: fc.array(amount, { maxLength: 3 }),
  second: fc.integer({ min: 0, max: 86_000 }),
});
/** Calls of other customers. */
const others = fc.array(amount, { maxLength: 4 });
const world = fc.record({ calls: fc.array(call, { minLength: 4, maxLength: 25 }), others });

interface Books {
  readonly sales: readonly Sale[];
  readonly bought: readonly UpstreamCall[];
}

function booksOf({
  calls,
  others: strange,
}: typeof world extends fc.Arbitrary<infer World> ? World : never): Books {
  const sales = calls.map(({ model: [sold], state, charged, second, attempts }, index) =>
    saleOf(`s${index}`, {
      state,
      model: sold,
      charged: state === 'recorded' ? charged : 0n,
      ids: attempts.map((_, attempt) => `up-${index}-${attempt}`),
      from_ms: START_MS + second * 1000,
      to_ms: START_MS + second * 1000 + 900,
      tokens: [BigInt(index + 1), 5n, 0n, 0n],
    }),
  );
  const bought = calls.flatMap(({ model: [, name], attempts, second }, index) =>
    attempts.map((cost, attempt) =>
      boughtFor(`${index}-${attempt}`, {
        model: name,
        cost: formatAmount(cost),
        at: formatInstant(START_MS + second * 1000 + attempt),
        input: index + 1,
        output: 5,
      }),
    ),
  );
  const foreign = strange.map((cost, index) =>
    boughtFor(`other-${index}`, { cost: formatAmount(cost), input: 9_000 + index }),
  );
  return { sales, bought: [...bought, ...foreign] };
}

test('honest books are silent: names of its own, caches, attempts, failures, customers who are not here', () => {
  fc.assert(
    fc.property(world, (drawn) => {
      const { sales, bought } = booksOf(drawn);
      expect(chained(sales, bought).findings).toEqual([]);
    }),
  );
});

test('what is planted in honest books is found, alone and to the digit', () => {
  fc.assert(
    fc.property(world, amount, (drawn, sum) => {
      const { sales, bought } = booksOf(drawn);
      const lost = saleOf('lost', { state: 'unrecorded', charged: 0n, model: 'text-4' });
      const twice = saleOf('twice', { model: 'text-4', charged: sum + 7n, surplus: [sum] });
      const swapped = saleOf('swapped', { model: 'text-4', charged: sum });
      const plain = { model: 'text-4', input: 77 };
      const result = chained(
        [...sales, lost, twice, swapped],
        [
          ...bought,
          boughtFor('lost', { ...plain, cost: formatAmount(sum) }),
          boughtFor('twice', plain),
          boughtFor('swapped', { ...plain, model: 'text-0' }),
        ],
      );
      const text = formatAmount(sum);
      expect(result.findings.map(({ class: name, call_id, amount: on }) => [name, call_id, on])).toEqual([
        ['doubly_billed', 'call-twice', text],
        ['model_swapped', 'call-swapped', text],
        ['unbilled', 'call-lost', text],
      ]);
      expect(result.total).toMatchObject({ unbilled: text, doubly_billed: text });
    }),
  );
});
