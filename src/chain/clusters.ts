import { compareText } from '../core/compare-text.ts';
import type { Link } from './link.ts';
import type { Purchase } from './purchase.ts';
import type { Sale } from './sale.ts';

/** Sets of sales and purchases that are joined: each has one member as its root. */
export class Clusters {
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

  /** Each set of the members, both sides by time. */
  groups(members: readonly (Sale | Purchase)[]): readonly Pick<Link, 'sales' | 'purchases'>[] {
    const groups = Map.groupBy<object, Sale | Purchase>(members, (each) => this.rootOf(each));
    return [...groups.values()].map((own) => ({
      sales: own.filter((each) => 'charged' in each).toSorted(bySale),
      purchases: own.filter((each) => 'cost' in each).toSorted(byTime),
    }));
  }
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
