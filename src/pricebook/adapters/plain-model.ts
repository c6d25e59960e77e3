import {
  type Adjustment,
  type BookSource,
  type ModelPrice,
  PRICE_BOOK_SCHEMA,
  type PriceBook,
  type Rounding,
  UNKNOWN_SEMANTICS,
} from '../../contracts/price-book.ts';

/** What a book that says nothing about rounding is read with. */
export const DEFAULT_ROUNDING: Rounding = {
  scope: 'record',
  quantum: '0.00000001',
  mode: 'half_up',
  pre: [],
};

/** A price for the one model of that id, at all times, for every endpoint of its kind, as far as not said otherwise. */
export function plainModel(
  model: string,
  kind: ModelPrice['kind'],
  components: ModelPrice['components'],
  more: Partial<ModelPrice> = {},
): ModelPrice {
  return {
    model,
    match: { kind: 'exact', text: model },
    priority: 0,
    kind,
    endpoints: null,
    when: {},
    valid_from: null,
    valid_to: null,
    time_of_day: null,
    components,
    tiers: null,
    minimum: null,
    rounding: null,
    usage_semantics: null,
    max_output_tokens: null,
    ...more,
  };
}

/** A factor over every charge, as far as not said otherwise. */
export function plainAdjustment(name: string, factor: string, more: Partial<Adjustment> = {}): Adjustment {
  return {
    name,
    kind: 'multiplier',
    factor,
    model: null,
    endpoint: null,
    group: null,
    key_fp: null,
    valid_from: null,
    valid_to: null,
    order: 0,
    ...more,
  };
}

/** A book of models that says nothing else, as far as not said otherwise. */
export function plainBook(
  source: BookSource,
  models: readonly ModelPrice[],
  more: Partial<PriceBook> & Pick<PriceBook, 'pricebook_id' | 'pricing_version'>,
): PriceBook {
  return {
    schema: PRICE_BOOK_SCHEMA,
    currency: 'USD',
    source,
    valid_from: null,
    valid_to: null,
    rounding: DEFAULT_ROUNDING,
    minimum: null,
    usage_semantics: UNKNOWN_SEMANTICS,
    models,
    adjustments: [],
    ...more,
  };
}
