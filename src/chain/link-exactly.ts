import { Clusters } from './clusters.ts';
import type { Link } from './link.ts';
import type { Purchase } from './purchase.ts';
import type { Sale } from './sale.ts';

/** An id under which more sales stand names no call: a gateway may tell the same one each time. */
const MOST_SALES_OF_AN_ID = 8;

/**
 * Brings sales and purchases together that share a marker or an id, and all that hang together so. A sale joins by what
 * it shares with a purchase alone: two answers under one id of the gateway's own are not one call.
 */
export function linkExactly(sales: readonly Sale[], purchases: readonly Purchase[]): readonly Link[] {
  const byMarker = indexed(sales, ({ markers }) => markers);
  const byId = indexed(sales, ({ ids }) => ids);
  const clusters = new Clusters();
  const marked = new Set<Purchase>();
  for (const purchase of purchases) {
    const own = purchase.markers.flatMap((marker) => byMarker.get(marker) ?? []);
    if (own.length > 0) marked.add(purchase);
    const named = purchase.ids.flatMap((id) => {
      const found = byId.get(id) ?? [];
      return found.length > MOST_SALES_OF_AN_ID ? [] : found;
    });
    for (const sale of [...own, ...named]) clusters.join(sale, purchase);
  }
  return clusters.groups([...sales, ...purchases]).map(({ sales: sold, purchases: bought }) => {
    const isMarked = bought.some((purchase) => marked.has(purchase));
    const by = sold.length === 0 || bought.length === 0 ? null : isMarked ? 'marker' : 'id';
    return { sales: sold, purchases: bought, by };
  });
}

function indexed(
  sales: readonly Sale[],
  keysOf: (sale: Sale) => readonly string[],
): ReadonlyMap<string, readonly Sale[]> {
  const index = new Map<string, Sale[]>();
  for (const sale of sales)
    for (const key of keysOf(sale)) {
      const held = index.get(key);
      if (held === undefined) index.set(key, [sale]);
      else held.push(sale);
    }
  return index;
}
