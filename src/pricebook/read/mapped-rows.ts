import type { Meter, ModelPrice, PriceComponent } from '../../contracts/price-book.ts';
import type { UnsupportedPrice } from '../adapters/book-adapter.ts';
import { countOf, overlay } from '../adapters/components.ts';
import { priceText, product, ratioOf } from '../adapters/price-text.ts';
import type { Mapping } from './mapping-file.ts';
import type { PathHit } from './mapping-path.ts';
import type { MappingReader } from './mapping-reader.ts';
import { MAPPED_METERS, type MappedList, type MappedPrice, type MappedRow } from './mapping-rules.ts';

const METER_OF: Readonly<Record<(typeof MAPPED_METERS)[number], Meter>> = {
  input: 'input_token',
  output: 'output_token',
  cache_read: 'cache_read_token',
  cache_write: 'cache_write_token',
  reasoning: 'reasoning_token',
  request: 'request',
  image: 'image',
  video_second: 'video_second',
};

/** Prices that one row tells, with all that must hold for them. */
export interface MappedPrices {
  readonly model: string;
  readonly kind: ModelPrice['kind'] | null;
  readonly components: readonly PriceComponent[];
  readonly calls: ModelPrice['endpoints'];
  readonly max_output_tokens: number | null;
  readonly when: Readonly<Partial<Record<(typeof WHEN)[number], string>>>;
}

const WHEN = [
  'service_tier',
  'group',
  'valid_from',
  'valid_to',
  'hours_from',
  'hours_to',
  'above',
  'up_to',
] as const;

export interface RowsRead {
  readonly reader: MappingReader;
  readonly mapping: Mapping;
  readonly unsupported: UnsupportedPrice[];
}

/** The rows of one model or row of the book: its own, then those of its variants. */
export function rowsOf(entry: PathHit, list: MappedList, read: RowsRead): readonly MappedPrices[] {
  const { reader, mapping, unsupported } = read;
  const { fields, variants, calls = null } = list;
  const model = reader.text(entry, fields.model);
  if (model === null || model === '') {
    unsupported.push({ model: entry.shape, text: 'no id of a model stands at fields.model' });
    return [];
  }
  const named = reader.text(entry, fields.kind?.path);
  const kind = (named === null ? undefined : fields.kind?.values[named]) ?? mapping.constants?.kind ?? null;
  const max_output_tokens = countOf(reader.text(entry, fields.max_output_tokens));
  const about = { model, kind, calls, max_output_tokens };
  const own = pricesOf(entry, fields, [], model, read);
  const when = whenOf(entry, fields, reader);
  if (variants === undefined) return [{ ...about, components: own, when }];
  const narrower = reader.look(entry, variants.each).map((hit) => ({
    ...about,
    components: pricesOf(hit, variants, own, model, read),
    when: { ...when, ...whenOf(hit, variants, reader) },
  }));
  const plain = narrower.filter((row) => Object.keys(row.when).length === Object.keys(when).length);
  const over = plain.flatMap(({ components }) => components);
  return [
    { ...about, components: [...overlay(own, over)], when },
    ...narrower.filter((row) => !plain.includes(row)),
  ];
}

function whenOf(from: PathHit, fields: MappedRow, reader: MappingReader): MappedPrices['when'] {
  return Object.fromEntries(
    WHEN.flatMap((key) => {
      const text = reader.text(from, fields[key]);
      return text === null || text === '' ? [] : [[key, text]];
    }),
  );
}

/** `base` holds the prices that a ratio may be of. */
function pricesOf(
  from: PathHit,
  fields: MappedRow,
  base: readonly PriceComponent[],
  model: string,
  read: RowsRead,
): readonly PriceComponent[] {
  const { reader, unsupported } = read;
  const held: PriceComponent[] = [];
  const add = (meter: (typeof MAPPED_METERS)[number], price: MappedPrice | undefined): void => {
    if (price === undefined) return;
    held.push(...priced(from, METER_OF[meter], price, fields, [...base, ...held], model, read));
  };
  for (const meter of MAPPED_METERS) add(meter, fields[meter]);
  if (typeof fields.meter === 'string') add(fields.meter, fields.price);
  else if (fields.meter !== undefined) {
    const named = reader.text(from, fields.meter.path);
    const meter = named === null ? undefined : fields.meter.values[named];
    if (meter !== undefined) add(meter, fields.price);
    else
      unsupported.push({
        model,
        text: `${fields.meter.path.text}: ${named ?? 'nothing'} stands not under values`,
      });
  }
  return held;
}

function priced(
  from: PathHit,
  meter: Meter,
  { path, per, factor, base }: MappedPrice,
  fields: MappedRow,
  held: readonly PriceComponent[],
  model: string,
  { reader, mapping, unsupported }: RowsRead,
): readonly PriceComponent[] {
  const text = reader.text(from, path);
  if (text === null) return [];
  const leave = (why: string): readonly PriceComponent[] => {
    unsupported.push({ model, text: `${path.text || from.shape}: ${text} ${why}` });
    return [];
  };
  const of = base === undefined ? undefined : held.find((component) => component.meter === METER_OF[base]);
  const price =
    base !== undefined && of === undefined
      ? null
      : product(ratioOf(text), ratioOf(factor ?? '1'), ratioOf(of?.price ?? '1'));
  if (price === null) return leave('gives no price');
  const tokens = meter.endsWith('_token') ? (mapping.tokens_per ?? '1000000') : '1';
  const seconds = meter === 'video_second' ? reader.text(from, fields.seconds) : null;
  const units = of?.per ?? per ?? seconds ?? tokens;
  if (!/[1-9]/.test(priceText(units) ?? '')) return leave(`is for ${units}, which is no number`);
  const told = meter === 'image' ? reader.text(from, fields.size) : null;
  const sizes = told === null ? [null] : mapping.sizes === undefined ? [told] : mapping.sizes[told];
  if (sizes === undefined) return leave(`is for size ${told}, which stands not under sizes`);
  const quality = meter === 'image' ? reader.text(from, fields.quality) : null;
  const resolution = meter === 'video_second' ? reader.text(from, fields.resolution) : null;
  return sizes.map((size) => ({
    meter,
    price,
    per: units,
    ...(size === null ? {} : { size }),
    ...(quality === null ? {} : { quality }),
    ...(resolution === null ? {} : { resolution }),
  }));
}
