import type { BillingReadings } from '../../contracts/billing-readings.ts';
import type { PriceBook, PriceComponent, UsageSemantics } from '../../contracts/price-book.ts';
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
      components: entry.components.map((component) => declaredComponent(component, output_tokens)),
      rounding: entry.rounding ?? untold,
      usage_semantics: entry.usage_semantics === null ? null : semantics(entry.usage_semantics),
    })),
  };
}

/** A reader of price lists takes a price of reasoning for one of a part of the output, unless the user knows better. */
function declaredComponent(
  component: PriceComponent,
  declared: BillingReadings['output_tokens'],
): PriceComponent {
  if (declared === 'auto' || component.meter !== 'reasoning_token') return component;
  return { ...component, mode: declared === 'with_reasoning' ? 'included' : 'additive' };
}
