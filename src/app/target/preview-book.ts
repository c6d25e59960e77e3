import { WeighbridgeError } from '../../contracts/failure.ts';
import type { ModelPrice, PriceComponent, Tri } from '../../contracts/price-book.ts';
import type { Mapping } from '../../pricebook/read/mapping-file.ts';
import { type ReadBook, readPriceBook } from '../../pricebook/read/read-price-book.ts';
import { readGivenBook, readGivenMapping } from './given-book.ts';

/** One price as it is understood. */
interface PreviewedPrice extends Pick<ModelPrice, 'model' | 'kind'> {
  readonly meter: PriceComponent['meter'];
  readonly usd: string;
  readonly per: string;
  /** Everything that must hold for it: tier, group, size, quality, resolution, days, length of the context. */
  readonly when: readonly string[];
}

export interface BookPreview {
  readonly reader: string | null;
  readonly prices: readonly PreviewedPrice[];
  readonly adjustments: readonly string[];
  readonly rounding: string;
  /** Whether the input of a record holds its cached tokens: yes, no or unknown. */
  readonly cache_in_input: Tri;
  readonly assumed: readonly string[];
  readonly left_out: readonly string[];
  /** Keys without a figure: they change no price. */
  readonly unread: readonly string[];
  readonly in_full: boolean;
}

/** Reads a book as an audit would. Throws `book_unreadable` (exit 2) where there is nothing to show. */
export async function previewBook(
  book: string,
  mapping: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Promise<BookPreview> {
  const bytes = await readGivenBook(book, env);
  const preview = previewBytes(bytes, mapping === undefined ? null : readGivenMapping(mapping));
  if (!('unreadable' in preview)) return preview;
  throw new WeighbridgeError({
    code: 'book_unreadable',
    message: `The price list ${book} cannot be read: ${preview.unreadable.join('; ')}.`,
    hint: 'Run weighbridge init --pricebook FILE. It writes a mapping for you to complete (docs/pricebooks.md). Then give it with --mapping.',
  });
}

export function previewBytes(
  bytes: Uint8Array,
  mapping: Mapping | null,
): BookPreview | { readonly unreadable: readonly string[] } {
  const reading = readPriceBook(bytes, { mapping });
  if (!('unreadable' in reading)) return previewOf(reading);
  const { unsupported } = reading.coverage;
  return {
    unreadable: [...reading.unreadable, ...unsupported.map(({ model, text }) => `${model}: ${text}`)],
  };
}

function previewOf({ book, coverage, settings, partial }: ReadBook): BookPreview {
  const figures = coverage.unmapped_keys.filter(({ may_price }) => may_price);
  return {
    reader: coverage.adapter,
    prices: book.models.flatMap(pricesOf),
    adjustments: book.adjustments.map(
      ({ kind, factor, model, endpoint, group }) =>
        `${kind} ${factor}${model === null ? '' : ` for ${model}`}${endpoint === null ? '' : ` for ${endpoint}`}${group === null ? '' : ` in group ${group}`}`,
    ),
    rounding: settings.find(({ name }) => name === 'rounding')?.value ?? 'undeclared',
    cache_in_input: book.usage_semantics.input_includes_cache,
    assumed: coverage.assumptions,
    left_out: [
      ...coverage.unsupported.map(({ model, text }) => `${model}: ${text}`),
      ...figures.map(({ path }) => `${path}: holds a figure that no rule reads`),
    ],
    unread: coverage.unmapped_keys.filter(({ may_price }) => !may_price).map(({ path }) => path),
    in_full: !partial && coverage.unsupported.length === 0,
  };
}

function pricesOf(entry: ModelPrice): readonly PreviewedPrice[] {
  const { model, kind, endpoints, when, valid_from, valid_to, time_of_day, tiers } = entry;
  const own = [
    ...(endpoints ?? []),
    ...Object.entries(when).map(([name, value]) => `${name} ${value}`),
    ...(valid_from === null ? [] : [`from ${valid_from}`]),
    ...(valid_to === null ? [] : [`until ${valid_to}`]),
    ...(time_of_day === null ? [] : [`${time_of_day.from} to ${time_of_day.to} UTC`]),
  ];
  const priced = (
    components: readonly PriceComponent[],
    said: readonly string[],
  ): readonly PreviewedPrice[] =>
    components.map(({ meter, price, per, unit_rounding: _, ...options }) => ({
      model,
      kind,
      meter,
      usd: price,
      per,
      when: [...Object.entries(options).map(([name, value]) => `${name} ${String(value)}`), ...said],
    }));
  return [
    ...priced(entry.components, own),
    ...(tiers?.thresholds ?? []).flatMap(({ above, components }) =>
      priced(components, [...own, `${tiers?.basis} above ${above}`]),
    ),
  ];
}
