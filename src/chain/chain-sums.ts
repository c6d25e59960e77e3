import type { ChainLine, ChainSums } from '../contracts/chain-result.ts';
import { formatAmount, type PicoUsd } from '../core/amount.ts';
import { compareText } from '../core/compare-text.ts';
import type { FurtherCharges } from './doubly-billed.ts';
import type { Link } from './link.ts';
import { placeOfLink } from './link-place.ts';
import { sumOfKnown } from './sum-of-known.ts';

const AMOUNTS = [
  'revenue',
  'cost',
  'margin',
  'sold_alone',
  'bought_alone',
  'unbilled',
  'doubly_billed',
  'retried',
] as const;
type Counted = Readonly<Record<(typeof AMOUNTS)[number], PicoUsd>> & {
  readonly sales: number;
  readonly purchases: number;
};

interface Parts {
  readonly unbilled: ReadonlySet<Link>;
  readonly further: ReadonlyMap<Link, readonly FurtherCharges[]>;
}

/** The sums of all links, and by the day and model of each. */
export function chainSums(
  links: readonly Link[],
  parts: Parts,
): { readonly total: ChainSums; readonly lines: readonly ChainLine[] } {
  const counted = links.map((link) => ({ place: placeOfLink(link), of: countedOf(link, parts) }));
  const groups = Map.groupBy(counted, ({ place: { day, model } }) => JSON.stringify([day, model]));
  const lines = [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first === undefined ? [] : [{ ...first.place, ...shown(group.map(({ of }) => of)) }];
  });
  return {
    total: shown(counted.map(({ of }) => of)),
    lines: lines.toSorted(
      (left, right) => compareText(left.day ?? '', right.day ?? '') || compareText(left.model, right.model),
    ),
  };
}

function countedOf(link: Link, { unbilled, further }: Parts): Counted {
  const sold = link.sales.filter(({ state }) => state === 'recorded');
  const revenue = sumOfKnown(sold.map(({ charged }) => charged));
  const cost = sumOfKnown(link.purchases.map((purchase) => purchase.cost));
  const isPair = sold.length > 0 && link.purchases.length > 0;
  return {
    sales: sold.length,
    purchases: link.purchases.length,
    revenue,
    cost,
    margin: isPair ? revenue - cost : 0n,
    sold_alone: isPair ? 0n : revenue,
    bought_alone: isPair ? 0n : cost,
    unbilled: unbilled.has(link) ? cost : 0n,
    doubly_billed: sumOfKnown(
      (further.get(link) ?? []).filter(({ proved }) => proved).map(({ amount }) => amount),
    ),
    retried: link.by === 'sum' ? 0n : sumOfKnown(link.purchases.slice(0, -1).map(({ cost: each }) => each)),
  };
}

function shown(counted: readonly Counted[]): ChainSums {
  const amountOf = (name: (typeof AMOUNTS)[number]): string =>
    formatAmount(sumOfKnown(counted.map((each) => each[name])));
  const countOf = (name: 'sales' | 'purchases'): number =>
    counted.reduce((total, each) => total + each[name], 0);
  return {
    sales: countOf('sales'),
    purchases: countOf('purchases'),
    revenue: amountOf('revenue'),
    cost: amountOf('cost'),
    margin: amountOf('margin'),
    sold_alone: amountOf('sold_alone'),
    bought_alone: amountOf('bought_alone'),
    unbilled: amountOf('unbilled'),
    doubly_billed: amountOf('doubly_billed'),
    retried: amountOf('retried'),
  };
}
