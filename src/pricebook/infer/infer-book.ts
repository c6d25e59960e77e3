import type { Meter, ModelPrice, PriceBook, PriceComponent } from '../../contracts/price-book.ts';
import type { PicoUsd } from '../../core/amount.ts';
import type { PaidKind } from '../../core/call-kind.ts';
import { DEFAULT_ROUNDING, plainBook, plainModel } from '../adapters/plain-model.ts';
import type { ChargeFacts } from '../charge/charge-facts.ts';
import { kindOf } from '../charge/match-model.ts';
import { type InferredPrices, inferPrices, type Observation } from './infer-prices.ts';

/** A settled charge beside what it is for; facts that are no figures leave it out. */
export interface ChargedFacts {
  readonly pricebook_id: string;
  readonly pricing_version: string;
  readonly model: string;
  readonly endpoint: PaidKind;
  readonly facts: ChargeFacts;
  readonly amount: PicoUsd;
  /** Unix seconds. */
  readonly at_s: number;
}

export interface InferredBook {
  readonly book: PriceBook;
  /** What each price line rests on. */
  readonly lines: readonly {
    readonly model: string;
    readonly endpoint: PaidKind;
    readonly fit: number;
    readonly of: number;
    readonly undetermined: readonly Meter[];
  }[];
}

const METERS: { readonly [K in ModelPrice['kind']]: readonly Meter[] } = {
  text: ['input_token', 'cache_read_token', 'cache_write_token', 'output_token'],
  image: ['image'],
  video: ['video_second'],
};

/** The meters whose prices charges of a kind of call can tell. */
export function metersOf(endpoint: PaidKind): readonly Meter[] {
  return METERS[kindOf(endpoint)];
}

/**
 * One book a pricing version, of the prices that the charges themselves share. It stands in for a price list that
 * cannot be read: charges that it gives are consistent with each other, never proved right.
 */
export function inferBooks(charges: readonly ChargedFacts[]): readonly InferredBook[] {
  const versions = Map.groupBy(charges, ({ pricebook_id, pricing_version }) =>
    JSON.stringify([pricebook_id, pricing_version]),
  );
  return [...versions.values()].flatMap((held) => {
    const cells = Map.groupBy(held, ({ model, endpoint }) => JSON.stringify([model, endpoint]));
    const parts = [...cells.values()].flatMap(inferredModel);
    const [first] = held;
    if (first === undefined || parts.length === 0) return [];
    const { pricebook_id, pricing_version } = first;
    return [
      {
        book: plainBook(
          { kind: 'inferred', sha256: '0'.repeat(64), fetched_at: null },
          parts.map(({ entry }) => entry),
          { pricebook_id, pricing_version, rounding: DEFAULT_ROUNDING },
        ),
        lines: parts.map(({ line }) => line),
      },
    ];
  });
}

interface InferredModel {
  readonly entry: ModelPrice;
  readonly line: InferredBook['lines'][number];
}

function inferredModel(charges: readonly ChargedFacts[]): readonly InferredModel[] {
  const [first] = charges;
  if (first === undefined) return [];
  const kind = kindOf(first.endpoint);
  const groups =
    kind === 'text' ? [charges] : [...Map.groupBy(charges, ({ facts }) => optionText(facts)).values()];
  const meters = metersOf(first.endpoint);
  const found = groups.flatMap((group) => {
    const prices = inferPrices(
      meters,
      group.flatMap((charge) => observationsOf(meters, charge)),
    );
    const [of] = group;
    return prices === null || of === undefined ? [] : [{ prices, facts: of.facts }];
  });
  const [best] = found;
  if (best === undefined) return [];
  const components = found.flatMap(({ prices, facts }) => componentsOf(meters, prices, facts));
  return [
    {
      entry: plainModel(first.model, kind, components, {
        endpoints: [first.endpoint],
        rounding: best.prices.rounding,
      }),
      line: {
        model: first.model,
        endpoint: first.endpoint,
        fit: found.reduce((sum, { prices }) => sum + prices.fit, 0),
        of: charges.length,
        undetermined: best.prices.undetermined,
      },
    },
  ];
}

/** A charge as far as it tells of prices; none where a count is no figure. */
export function observationsOf(
  meters: readonly Meter[],
  { facts, amount, at_s }: Pick<ChargedFacts, 'facts' | 'amount' | 'at_s'>,
): readonly Observation[] {
  const units = meters.map((meter) => unitsOf(meter, facts));
  const known = units.filter((count) => count !== null);
  return known.length < units.length ? [] : [{ units: known, amount, at_s }];
}

function unitsOf(meter: Meter, facts: ChargeFacts): bigint | null {
  const figure = (count: ChargeFacts['input']): bigint | null => (typeof count === 'bigint' ? count : null);
  switch (meter) {
    case 'input_token': {
      const [input, read, write] = [facts.input, facts.cache_read, facts.cache_write].map(figure);
      return input == null || read == null || write == null ? null : input - read - write;
    }
    case 'cache_read_token':
      return figure(facts.cache_read);
    case 'cache_write_token':
      return figure(facts.cache_write);
    case 'output_token':
      return figure(facts.output);
    case 'image':
      return figure(facts.images);
    default:
      return figure(facts.seconds);
  }
}

function componentsOf(
  meters: readonly Meter[],
  { per_million }: InferredPrices,
  { size, quality, resolution }: ChargeFacts,
): readonly PriceComponent[] {
  const options = {
    ...(size === null ? {} : { size }),
    ...(quality === null ? {} : { quality }),
    ...(resolution === null ? {} : { resolution }),
  };
  return meters.flatMap((meter, index) => {
    const price = per_million[index] ?? null;
    return price === null ? [] : [{ meter, price, per: '1000000', ...options }];
  });
}

/** What else of an image or a video its price may depend on. */
export function optionText({ size, quality, resolution }: ChargeFacts): string {
  return JSON.stringify([size, quality, resolution]);
}
