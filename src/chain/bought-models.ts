import type { UpstreamHeader } from '../contracts/upstream-call.ts';
import type { Warrant } from '../contracts/warrant.ts';
import { isOneModel } from '../reconcile/records/asked-model.ts';
import { isHabit } from '../reconcile/records/habit.ts';
import type { Link } from './link.ts';

/** Why a model that was bought is another one than was sold; null where it is not, or nothing tells. */
export type Swap = { readonly warrant: Warrant; readonly instead_of: string } | null;

/**
 * What is bought for each model that is sold. A gateway may sell under a name of its own, so that two names alone accuse
 * nobody: a declaration tells, or the provider sells a model of the name that was sold, or all others were bought alike.
 */
export class BoughtModels {
  readonly #declared: ReadonlyMap<string, readonly string[]>;
  /** Names in the provider's bill. */
  readonly #sold_by_provider: readonly string[];
  /** Calls by model sold, then by model bought. */
  readonly #seen = new Map<string, Map<string, number>>();

  constructor(links: readonly Link[], declared: UpstreamHeader['models'], purchased: Iterable<string>) {
    const groups = Map.groupBy(declared, ({ sold }) => sold);
    this.#declared = new Map([...groups].map(([sold, each]) => [sold, each.map(({ bought }) => bought)]));
    this.#sold_by_provider = [...new Set(purchased)];
    for (const link of links) {
      const pair = pairOf(link);
      if (pair === null) continue;
      const counts = this.#seen.get(pair.sold) ?? new Map<string, number>();
      this.#seen.set(pair.sold, counts.set(pair.bought, (counts.get(pair.bought) ?? 0) + 1));
    }
  }

  /** The names under which a model may have been bought, for a sale whose purchase is looked for. */
  isBoughtFor(sold: string, bought: string): boolean {
    const declared = this.#declared.get(sold);
    if (declared !== undefined) return declared.some((name) => isOneModel(name, bought));
    return isOneModel(sold, bought) || (this.#seen.get(sold)?.has(bought) ?? false);
  }

  swapOf(link: Link): Swap {
    const pair = pairOf(link);
    if (pair === null) return null;
    const { sold, bought } = pair;
    const declared = this.#declared.get(sold);
    if (declared !== undefined)
      return declared.some((name) => isOneModel(name, bought))
        ? null
        : { warrant: { kind: 'declaration', of: '--upstream-model' }, instead_of: declared.join(', ') };
    if (isOneModel(sold, bought)) return null;
    const own = this.#sold_by_provider.find((name) => isOneModel(name, sold));
    if (own !== undefined)
      return {
        warrant: {
          kind: 'document',
          of: 'the record of the sale and the bill of the provider, which sells both models',
        },
        instead_of: own,
      };
    return this.#outOfHabit(sold, bought);
  }

  #outOfHabit(sold: string, bought: string): Swap {
    const counts = [...(this.#seen.get(sold) ?? [])];
    const telling = counts.reduce((sum, [, count]) => sum + count, 0);
    const [most] = counts.toSorted(([, left], [, right]) => right - left);
    if (most === undefined || isOneModel(most[0], bought)) return null;
    const exceptions = telling - most[1];
    if (!isHabit({ telling, exceptions })) return null;
    const of = `${most[0]} is bought for ${sold}: ${telling} calls tell, ${exceptions} are exceptions`;
    return { warrant: { kind: 'habit', of }, instead_of: most[0] };
  }
}

/** The one model sold and the one bought; of several attempts nothing tells which one was delivered. */
function pairOf({ sales, purchases }: Link): { readonly sold: string; readonly bought: string } | null {
  const sold = new Set(sales.filter(({ state }) => state === 'recorded').map(({ model }) => model));
  const bought = new Set(purchases.map(({ model }) => model));
  const [one] = sold;
  const [other] = bought;
  if (sold.size !== 1 || bought.size !== 1 || !one || !other) return null;
  return { sold: one, bought: other };
}
