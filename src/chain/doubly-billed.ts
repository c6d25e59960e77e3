import type { PicoUsd } from '../core/amount.ts';
import type { Link } from './link.ts';
import type { Sale } from './sale.ts';

/** A charge of one link beyond the calls that were bought for it. */
export interface FurtherCharges {
  readonly sale: Sale;
  readonly amount: PicoUsd;
  /** False between records of different requests: a cache of the gateway may have sold its answer again. */
  readonly proved: boolean;
}

/**
 * What one purchase was charged for again: within one request, as the audit of the bill proved, or in the records of
 * others. Where the gateway bought as often as it charged, nothing was sold twice.
 */
export function furtherCharges({ sales, purchases, by }: Link): readonly FurtherCharges[] {
  // A sum does not tell how many calls it holds.
  if (by === 'sum') return [];
  const charged = sales.filter((sale) => (sale.charged ?? 0n) > 0n);
  const charges = charged.reduce((sum, { surplus }) => sum + 1 + surplus.length, 0);
  // An attempt that failed for nothing is no call that could be sold.
  const bought = purchases.filter(({ cost }) => cost !== 0n).length;
  if (bought === 0 || charges <= bought) return [];
  const within = charged.flatMap((sale) => sale.surplus.map((amount) => ({ sale, amount, proved: true })));
  // The dearest one is taken for that which was bought.
  const [, ...more] = charged.toSorted((left, right) => compare(first(right), first(left)));
  const across = more.map((sale) => ({ sale, amount: first(sale), proved: false }));
  return [...within, ...across].slice(0, charges - bought);
}

/** What a sale was charged without what was proved to be charged again. */
function first({ charged, surplus }: Sale): PicoUsd {
  return (charged ?? 0n) - surplus.reduce((sum, amount) => sum + amount, 0n);
}

function compare(left: PicoUsd, right: PicoUsd): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
