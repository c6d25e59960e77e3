import type { LinkWay } from '../contracts/chain-result.ts';
import { compareText } from '../core/compare-text.ts';
import type { Purchase } from './purchase.ts';
import type { Sale } from './sale.ts';

/** Sales and purchases that belong together, each by time. One side may be empty. */
export interface Link {
  readonly sales: readonly Sale[];
  readonly purchases: readonly Purchase[];
  /** Null where one side is empty. */
  readonly by: LinkWay | null;
}

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
  const groups = Map.groupBy<object, Sale | Purchase>([...sales, ...purchases], (each) =>
    clusters.rootOf(each),
  );
  return [...groups.values()].map((members) => {
    const bought = members.filter((each) => 'cost' in each).toSorted(byTime);
    const sold = members.filter((each) => 'charged' in each).toSorted(bySale);
    const isMarked = bought.some((purchase) => marked.has(purchase));
    const by = sold.length === 0 || bought.length === 0 ? null : isMarked ? 'marker' : 'id';
    return { sales: sold, purchases: bought, by };
  });
}

function bySale(left: Sale, right: Sale): number {
  return (left.from_ms ?? 0) - (right.from_ms ?? 0) || compareText(nameOf(left), nameOf(right));
}

function nameOf({ call_id, request_id, ids }: Sale): string {
  return [call_id, request_id, ...ids].join();
}

function byTime(left: Purchase, right: Purchase): number {
  return (left.at_ms ?? 0) - (right.at_ms ?? 0) || compareText(left.name, right.name);
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

/** Sets that are joined: each has one member as its root. */
class Clusters {
  readonly #parents = new Map<object, object>();

  rootOf(member: object): object {
    let root = member;
    for (let parent = this.#parents.get(root); parent !== undefined; parent = this.#parents.get(root)) {
      // Each way is halved as it is gone: of very many attempts none is far from its root.
      const above = this.#parents.get(parent);
      if (above !== undefined) this.#parents.set(root, above);
      root = parent;
    }
    return root;
  }

  join(one: object, other: object): void {
    const left = this.rootOf(one);
    const right = this.rootOf(other);
    if (left !== right) this.#parents.set(right, left);
  }
}
