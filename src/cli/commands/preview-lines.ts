import type { BookPreview } from '../../app/target/preview-book.ts';
import { alignedRows } from '../../text/aligned-rows.ts';

const TITLES = ['model', 'kind', 'meter', 'USD', 'per', 'where'];
/** Price and units stand at the right. */
const FIGURES = [3, 4];

/** The prices of a book as a table, and what is left out and why. */
export function previewLines(preview: BookPreview): readonly string[] {
  const { prices, reader, rounding, cache_in_input, adjustments, assumed, left_out, unread } = preview;
  const rows = prices.map(({ model, kind, meter, usd, per, when }) => [
    model,
    kind,
    meter,
    usd,
    per,
    when.join(', '),
  ]);
  const cache = { yes: 'inside the input', no: 'beside the input', unknown: 'not told by the book' };
  return [
    ...alignedRows([TITLES, ...rows], (column) => !FIGURES.includes(column)),
    '',
    `reader: ${reader ?? 'none'}`,
    `rounding: ${rounding}`,
    `tokens read from the cache: ${cache[cache_in_input]}`,
    ...adjustments.map((text) => `adjusted: ${text}`),
    ...assumed.map((text) => `taken as given: ${text}`),
    ...left_out.map((text) => `left out: ${text}`),
    ...(unread.length === 0 ? [] : [`without a figure, so no price: ${unread.join(', ')}`]),
    preview.in_full ? 'read in full' : 'read in part',
  ];
}
