import type { PriceBook } from '../../contracts/price-book.ts';
import { entriesOf } from './match-model.ts';
import { tierPrices } from './tier-prices.ts';

/**
 * Whether the price of a model depends on what a usage record does not tell (interface §4): the tier of service, calls
 * of the target's own tools, reasoning at a price of its own.
 */
export function needsUnrecordedFacts(book: PriceBook, model: string): boolean {
  return entriesOf(book, model).some(
    (entry) =>
      entry.when['service_tier'] !== undefined ||
      tierPrices(entry).some(({ components }) =>
        components.some(({ meter }) => meter === 'tool_call' || meter === 'reasoning_token'),
      ),
  );
}
