import type { Meter, ModelPrice, PriceComponent } from '../../../contracts/price-book.ts';
import type { AdapterReading, UnsupportedPrice } from '../book-adapter.ts';
import type { BookText } from '../book-text.ts';
import { componentKind, optionsOf } from '../components.ts';
import { plainModel } from '../plain-model.ts';
import { product, ratioOf } from '../price-text.ts';
import { isMapping, type UnmappedKeys } from '../unmapped-keys.ts';
import { bookRounding } from './book-rounding.ts';
import { collectPrices, type FoundPrice } from './collect-prices.ts';
import { tableRows } from './table-rows.ts';
import { tokens, tokenUnit } from './token-unit.ts';

/** Reads a book of any layout by what its keys and fields are called. A price without a certain unit is left out. Null where no field is named as a price. */
export function readByFields(
  value: BookText,
  unmapped: UnmappedKeys,
  declared?: string,
): AdapterReading | null {
  const said = isMapping(value) ? value : {};
  const currency = said['currency'];
  if (typeof currency === 'string' && currency.toUpperCase() !== 'USD')
    return { unreadable: [`currency: expected USD, found ${JSON.stringify(currency)}`] };
  const { pricebook_id, pricing_version, version, currency: _, ...unnamed } = said;
  const { rounding, rest } = bookRounding(unnamed);
  const found = collectPrices(tableRows(isMapping(value) ? rest : value), unmapped);
  if (found.length === 0) return null;
  const unit =
    declared === undefined
      ? tokenUnit(
          found
            .filter(isWithoutUnit)
            .flatMap(({ name, price }) => (SIZED.includes(name.meter) ? [inUsd(price, name.usd)] : [])),
        )
      : { per: declared, reason: 'tokens_per of the mapping says so' };
  const unsupported: UnsupportedPrice[] = [];
  const entries = Map.groupBy(found, ({ model, options, kind }) => {
    const { service_tier, group, valid_from, valid_to } = options;
    return JSON.stringify([model, kind, service_tier, group, valid_from, valid_to]);
  });
  const models = [...entries.values()].flatMap((prices) =>
    entryOf(prices, unit.per, unit.reason, unsupported),
  );
  const assumptions =
    found.some(isWithoutUnit) && unit.per !== null
      ? [`prices of tokens are for ${tokens(unit.per)}: ${unit.reason}`]
      : [];
  if (currency === undefined && found.some(({ name }) => name.usd === null))
    assumptions.push('no currency is told: taken as USD');
  const beside = found.some(({ name }) => name.beside_cache);
  const edition = pricing_version ?? version;
  return {
    parts: {
      models,
      ...(typeof pricebook_id === 'string' ? { pricebook_id } : {}),
      ...(typeof edition === 'string' ? { pricing_version: edition } : {}),
      ...(beside
        ? {
            usage_semantics: {
              input_includes_cache: 'no',
              cache_write_included: 'unknown',
              output_includes_reasoning: 'unknown',
            },
          }
        : {}),
    },
    rounding,
    models_total: new Set(found.map(({ model }) => model)).size,
    unsupported,
    assumptions,
  };
}

const SIZED: readonly (Meter | null)[] = ['input_token', 'output_token'];

function isWithoutUnit({ name }: FoundPrice): boolean {
  return name.meter !== null && name.per === null;
}

/** One model under one tier, group and time. */
function entryOf(
  prices: readonly FoundPrice[],
  per: string | null,
  reason: string,
  unsupported: UnsupportedPrice[],
): readonly ModelPrice[] {
  const [first] = prices;
  if (first === undefined) return [];
  const { model, options } = first;
  const components: PriceComponent[] = [];
  for (const price of prices) {
    const component = componentOf(price, per);
    if (component === null) {
      const why = isWithoutUnit(price) ? reason : 'no field names what it is a price of';
      unsupported.push({ model, text: `${price.at} ${price.price}: the unit is not certain: ${why}` });
    } else components.push(component);
  }
  const twice = new Set<string>();
  const seen = new Map<string, PriceComponent>();
  for (const component of components) {
    const use = optionsOf(component);
    if (seen.has(use)) twice.add(use);
    seen.set(use, component);
  }
  if (twice.size > 0) {
    const apart = [...new Set(prices.flatMap(({ unread }) => unread))].join(', ');
    unsupported.push({
      model,
      text: `several prices for one use${apart === '' ? '' : `, told apart by ${apart}`}`,
    });
    return [];
  }
  if (components.length === 0) return [];
  const { service_tier, group, valid_from, valid_to } = options;
  const when = {
    ...(service_tier === undefined ? {} : { service_tier }),
    ...(group === undefined ? {} : { group }),
  };
  return [
    plainModel(model, first.kind ?? componentKind(components), components, {
      when,
      // What says more wins over what says less.
      priority: Object.keys(when).length,
      valid_from: moment(valid_from),
      valid_to: moment(valid_to),
    }),
  ];
}

function componentOf({ name, price, options }: FoundPrice, inferred: string | null): PriceComponent | null {
  const { meter: named, counted } = name;
  const meter = named ?? (counted === 'token' ? null : counted);
  const per = name.per ?? (named === null ? '1' : inferred);
  if (meter === null || per === null) return null;
  const { size, quality, resolution } = options;
  return {
    meter,
    price: inUsd(price, name.usd),
    per,
    ...(meter !== 'image' || size === undefined ? {} : { size }),
    ...(meter !== 'image' || quality === undefined ? {} : { quality }),
    ...(meter !== 'video_second' || resolution === undefined ? {} : { resolution }),
    ...(meter === 'reasoning_token' ? { mode: 'included' } : {}),
  };
}

function inUsd(price: string, usd: string | null): string {
  return usd === null || usd === '1' ? price : (product(ratioOf(price), ratioOf(usd)) ?? price);
}

function moment(text: string | undefined): string | null {
  return text === undefined ? null : text.includes('T') ? text : `${text}T00:00:00Z`;
}
