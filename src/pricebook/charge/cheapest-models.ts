import type { ModelPrice, PriceBook } from '../../contracts/price-book.ts';
import { addRational, compareRational, type Rational } from '../../core/rational.ts';
import { unitPrice } from './charge-term.ts';
import { entriesOf } from './match-model.ts';
import { dearer } from './priced-slot.ts';

export interface CheapestModels {
  readonly text: string | null;
  readonly image: string | null;
  readonly video: string | null;
}

/**
 * The cheapest priced model of each kind among those listed: text by one input plus one output token, images and
 * videos by their cheapest option, each with the price of a request, without tiers and adjustments. A model that is
 * priced by the request alone cannot be compared, and is never chosen. Equal prices are decided by the id, so the choice never depends on order.
 */
export function cheapestModels(book: PriceBook, listedIds: readonly string[]): CheapestModels {
  function cheapest(kind: ModelPrice['kind']): string | null {
    const priced = [...new Set(listedIds)]
      .flatMap((model) => {
        const prices = entriesOf(book, model)
          .filter((entry) => entry.kind === kind && Object.keys(entry.when).length === 0)
          .flatMap((entry) => priceOf(entry) ?? []);
        const [first] = prices;
        return first === undefined ? [] : [{ model, price: prices.reduce(dearer, first) }];
      })
      .sort((left, right) => compareRational(left.price, right.price) || (left.model < right.model ? -1 : 1));
    return priced[0]?.model ?? null;
  }
  return { text: cheapest('text'), image: cheapest('image'), video: cheapest('video') };
}

function priceOf(entry: ModelPrice): Rational | null {
  const prices = entry.components
    .filter(({ meter }) => METERS[entry.kind].includes(meter))
    .map((component) => unitPrice(component));
  const first = prices[0];
  if (first === undefined) return null;
  const units =
    entry.kind === 'text'
      ? prices.reduce((sum, price) => addRational(sum, price))
      : prices.reduce((least, price) => (compareRational(price, least) < 0 ? price : least));
  const fee = entry.components.find(({ meter }) => meter === 'request');
  return fee === undefined ? units : addRational(units, unitPrice(fee));
}

const METERS: Readonly<Record<ModelPrice['kind'], readonly string[]>> = {
  text: ['input_token', 'output_token'],
  image: ['image'],
  video: ['video_second'],
};
