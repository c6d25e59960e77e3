import type { BillingReadings } from '../../contracts/billing-readings.ts';
import type { PriceBook, UsageSemantics } from '../../contracts/price-book.ts';
import type { ReadBook } from '../../pricebook/read/read-price-book.ts';

/**
 * The book under what is declared of its points: how a price is rounded that tells no rounding, and whether output
 * tokens hold those of reasoning.
 */
export function declaredBook(
  book: PriceBook,
  { rounding_declared }: Pick<ReadBook, 'rounding_declared'>,
  { output_tokens, rounding }: Pick<BillingReadings, 'output_tokens' | 'rounding'>,
): PriceBook {
  const untold = rounding_declared ? null : rounding;
  if (output_tokens === 'auto' && untold === null) return book;
  const semantics = (told: UsageSemantics): UsageSemantics =>
    output_tokens === 'auto'
      ? told
      : { ...told, output_includes_reasoning: output_tokens === 'with_reasoning' ? 'yes' : 'no' };
  return {
    ...book,
    usage_semantics: semantics(book.usage_semantics),
    models: book.models.map((entry) => ({
      ...entry,
      rounding: entry.rounding ?? untold,
      usage_semantics: entry.usage_semantics === null ? null : semantics(entry.usage_semantics),
    })),
  };
}
