import type { ModelPrice, PriceBook } from '../../contracts/price-book.ts';
import { entriesOf } from '../../pricebook/match-model.ts';

/** What the book asks for the plain use of a model, such as `input_token 0.05, output_token 0.2 per 1000000`; in USD, as published. */
export function priceText(book: PriceBook, model: string, kind: ModelPrice['kind']): string {
  const entry = entriesOf(book, model).find((each) => each.kind === kind && isPlain(each));
  const byAmount = Map.groupBy(entry?.components.filter(isShown) ?? [], ({ per }) => per);
  return [...byAmount]
    .map(
      ([per, components]) =>
        `${components.map(({ meter, price }) => `${meter} ${price}`).join(', ')} per ${per}`,
    )
    .join('; ');
}

function isPlain({ when }: ModelPrice): boolean {
  return Object.keys(when).length === 0;
}

/** Sizes and qualities have prices of their own: the book names them all, a comment the first. */
function isShown(
  { meter }: ModelPrice['components'][number],
  index: number,
  all: ModelPrice['components'],
): boolean {
  const main = ['input_token', 'output_token', 'image', 'video_second'].includes(meter);
  return main && all.findIndex((other) => other.meter === meter) === index;
}
