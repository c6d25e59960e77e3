import type { ModelPrice, PriceBook, PriceComponent } from '../../contracts/price-book.ts';
import { entriesOf } from '../../pricebook/charge/match-model.ts';
import { tierPrices } from '../../pricebook/charge/tier-prices.ts';

/** The book with the entries of one model changed; it holds no other model. */
export function withEntries(
  book: PriceBook,
  model: string,
  change: (entry: ModelPrice) => ModelPrice,
): PriceBook {
  return { ...book, models: entriesOf(book, model).map(change) };
}

/** The book with the prices of one model changed, those of every tier alike. */
export function withComponents(
  book: PriceBook,
  model: string,
  change: (components: readonly PriceComponent[]) => readonly PriceComponent[],
): PriceBook {
  return withEntries(book, model, (entry) => {
    const [base, ...higher] = tierPrices(entry);
    const thresholds = entry.tiers?.thresholds ?? [];
    return {
      ...entry,
      components: change(base?.components ?? entry.components),
      tiers:
        entry.tiers === null
          ? null
          : {
              ...entry.tiers,
              thresholds: higher.map(({ components }, index) => ({
                above: thresholds.toSorted(bySize)[index]?.above ?? '0',
                components: change(components),
              })),
            },
    };
  });
}

function bySize(left: { readonly above: string }, right: { readonly above: string }): number {
  return BigInt(left.above) < BigInt(right.above) ? -1 : 1;
}

/** The price of a meter, of the whole meter where it is told apart by life; null where the book has none. */
export function componentOf(
  components: readonly PriceComponent[],
  meter: PriceComponent['meter'],
): PriceComponent | null {
  return components.find((component) => component.meter === meter) ?? null;
}

/** The components with a meter at another price; null takes its price away. */
export function repriced(
  components: readonly PriceComponent[],
  meter: PriceComponent['meter'],
  price: Pick<PriceComponent, 'price' | 'per'> | null,
): readonly PriceComponent[] {
  const others = components.filter((component) => component.meter !== meter);
  return price === null ? others : [...others, { meter, price: price.price, per: price.per }];
}
