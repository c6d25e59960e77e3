import type { Adjustment, PriceBook, PriceComponent } from '../../contracts/price-book.ts';
import { rationalText, unitPrice } from '../charge/charge-term.ts';

/** The same text for the same prices, in whatever order models, prices and tiers stand, for however many units a price is given. */
export function bookContent({ models, adjustments, ...book }: PriceBook): string {
  const { rounding, minimum, usage_semantics } = book;
  const entries = models.map(({ max_output_tokens: _, components, tiers, ...entry }) => ({
    ...entry,
    components: components.map(pricedUnit),
    tiers: tiers && {
      ...tiers,
      thresholds: tiers.thresholds.map(({ above, components: changed }) => ({
        above: BigInt(above).toString(),
        components: changed.map(pricedUnit),
      })),
    },
  }));
  const applied = adjustmentsInOrder(adjustments);
  return unordered({ entries, applied, rounding, minimum, usage_semantics });
}

function pricedUnit(component: PriceComponent): object {
  const { price: _, per: __, ...options } = component;
  return { ...options, usd: rationalText(unitPrice(component)) };
}

/** Factors give the same in any order; where a sum is added, each has its place. */
function adjustmentsInOrder(adjustments: readonly Adjustment[]): readonly object[] {
  const sums = adjustments.some(({ kind }) => kind === 'surcharge');
  return [...adjustments]
    .sort((left, right) => left.order - right.order)
    .map(({ name: _, order: __, ...scope }, place) => (sums ? { ...scope, place } : scope));
}

/** JSON text that is the same for equal values, lists in any order. */
function unordered(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(unordered).sort().join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).map(([key, held]) => `${JSON.stringify(key)}:${unordered(held)}`);
  return `{${members.sort().join()}}`;
}
