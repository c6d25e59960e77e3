import type { AgreedPrice } from '../../contracts/billing-terms.ts';
import type { Adjustment, Meter, ModelPrice, PriceBook, PriceComponent } from '../../contracts/price-book.ts';
import { PAID_KINDS, type PaidKind } from '../../core/call-kind.ts';
import { compareDecimal, parseDecimal, ZERO } from '../../core/decimal.ts';
import { componentKind as kindOfComponents, perMillion, perUnit } from '../adapters/components.ts';
import { plainAdjustment, plainModel } from '../adapters/plain-model.ts';
import { kindOf } from './match-model.ts';

/** Agreed factors come after all of the book. */
const AFTER_THE_BOOK = 1_000_000;

/**
 * The book as it holds for us: the factor of our group alone, and agreed factors, prices, rounding and minimum where
 * and while they hold. Entries that overlap in what they set are refused by the configuration.
 */
export function applyAgreed(
  book: PriceBook,
  agreed: readonly AgreedPrice[],
  group: string | null,
): PriceBook {
  const adjustments = ofGroup(book.adjustments, group);
  const touching = agreed.filter(({ models }) => models.some((pattern) => touches(book, pattern)));
  if (touching.length === 0) return adjustments === book.adjustments ? book : { ...book, adjustments };
  return {
    ...book,
    source: { ...book.source, kind: 'agreed' },
    models: [...book.models, ...newModels(book, touching)].flatMap((entry) => entriesUnder(entry, touching)),
    adjustments: [...adjustments, ...touching.flatMap((entry, index) => factorsOf(book, entry, index))],
  };
}

/** True where an id fits a pattern: itself, or the beginning of ids with a `*`. */
function fitsPattern(pattern: string, model: string): boolean {
  return pattern.endsWith('*') ? model.startsWith(pattern.slice(0, -1)) : model === pattern;
}

/** Our own factor holds without condition, those of others not at all; a group that the book does not name stays open. */
function ofGroup(adjustments: readonly Adjustment[], group: string | null): readonly Adjustment[] {
  if (group === null || !adjustments.some((each) => each.group === group)) return adjustments;
  return adjustments
    .filter((each) => each.group === null || each.group === group)
    .map((each) => (each.group === null ? each : { ...each, group: null }));
}

function touches({ models }: PriceBook, pattern: string): boolean {
  return !pattern.endsWith('*') || models.some(({ model }) => fitsPattern(pattern, model));
}

/** Models that only the agreement prices. */
function newModels(book: PriceBook, agreed: readonly AgreedPrice[]): readonly ModelPrice[] {
  const known = new Set(book.models.map(({ model }) => model));
  const names = new Set(
    agreed.flatMap(({ models, prices }) =>
      prices === null ? [] : models.filter((model) => !model.endsWith('*') && !known.has(model)),
    ),
  );
  return [...names].map((model) => {
    const components = agreed
      .filter(({ models }) => models.includes(model))
      .flatMap(({ prices }) => (prices === null ? [] : componentsOf(prices)));
    // Without prices of its own: it has one only while the agreement holds.
    return plainModel(model, kindOfComponents(components), []);
  });
}

/** The entry cut into stretches of time and kinds of calls in which the same agreements hold. */
function entriesUnder(entry: ModelPrice, agreed: readonly AgreedPrice[]): readonly ModelPrice[] {
  const own = agreed.filter(
    ({ models, prices, rounding, minimum }) =>
      (prices !== null || rounding !== null || minimum !== null) &&
      models.some((pattern) => fitsPattern(pattern, entry.model)),
  );
  if (own.length === 0) return entry.components.length === 0 ? [] : [entry];
  const kinds = own.every(({ endpoints }) => endpoints === null) ? [null] : endpointsOf(entry);
  return kinds.flatMap((kind) =>
    stretchesOf(entry, own).flatMap(({ from, until }) => {
      const held = own.filter((each) => holds(each, kind, from, until));
      const changed = held.reduce(withAgreed, { ...entry, valid_from: from, valid_to: until });
      const endpoints = kind === null ? entry.endpoints : [kind];
      return changed.components.length === 0 ? [] : [{ ...changed, endpoints }];
    }),
  );
}

function endpointsOf({ endpoints, kind }: ModelPrice): readonly PaidKind[] {
  return endpoints ?? PAID_KINDS.filter((endpoint) => kindOf(endpoint) === kind);
}

interface Stretch {
  readonly from: string | null;
  readonly until: string | null;
}

function stretchesOf(
  { valid_from, valid_to }: ModelPrice,
  agreed: readonly AgreedPrice[],
): readonly Stretch[] {
  const inside = (at: string): boolean =>
    (valid_from === null || ms(at) > ms(valid_from)) && (valid_to === null || ms(at) < ms(valid_to));
  const cuts = agreed.flatMap(({ from, until }) => [from, until]).filter((at) => at !== null && inside(at));
  const limits = [
    valid_from,
    ...[...new Set(cuts)].sort((left, right) => ms(left ?? '') - ms(right ?? '')),
    valid_to,
  ];
  return limits.slice(0, -1).map((from, index) => ({ from, until: limits[index + 1] ?? null }));
}

function holds(
  agreed: AgreedPrice,
  kind: PaidKind | null,
  from: string | null,
  until: string | null,
): boolean {
  return (
    (kind === null || agreed.endpoints === null || agreed.endpoints.includes(kind)) &&
    (agreed.from === null || (from !== null && ms(from) >= ms(agreed.from))) &&
    (agreed.until === null || (until !== null && ms(until) <= ms(agreed.until)))
  );
}

function ms(at: string): number {
  return Date.parse(at);
}

/** An agreed price holds at every length of the context and, of images and videos, in every size. */
function withAgreed(entry: ModelPrice, { prices, rounding, minimum }: AgreedPrice): ModelPrice {
  const components = prices === null ? [] : componentsOf(prices);
  const set = new Set<Meter>(components.map(({ meter }) => meter));
  const others = (held: readonly PriceComponent[]): readonly PriceComponent[] =>
    held.filter(({ meter }) => !set.has(meter));
  const thresholds = (entry.tiers?.thresholds ?? [])
    .map((threshold) => ({ ...threshold, components: others(threshold.components) }))
    .filter((threshold) => threshold.components.length > 0);
  return {
    ...entry,
    components: [...others(entry.components), ...components],
    tiers: entry.tiers === null || thresholds.length === 0 ? null : { ...entry.tiers, thresholds },
    rounding: rounding ?? entry.rounding,
    minimum: minimum ?? entry.minimum,
  };
}

function componentsOf(prices: NonNullable<AgreedPrice['prices']>): readonly PriceComponent[] {
  return [
    ...perMillion('input_token', prices.input),
    ...perMillion('output_token', prices.output),
    ...perMillion('cache_read_token', prices.cache_read),
    ...perMillion('cache_write_token', prices.cache_write),
    ...perUnit('image', prices.image),
    ...perUnit('video_second', prices.video_second),
    ...perUnit('request', prices.request),
  ];
}

function factorsOf(book: PriceBook, agreed: AgreedPrice, index: number): readonly Adjustment[] {
  const { name, factor, endpoints, from, until } = agreed;
  if (factor === null || !isFactor(factor)) return [];
  const everything = agreed.models.includes('*');
  const models = everything
    ? [null]
    : new Set(
        agreed.models.flatMap((pattern) =>
          pattern.endsWith('*')
            ? book.models.flatMap(({ model }) => (fitsPattern(pattern, model) ? [model] : []))
            : [pattern],
        ),
      );
  return [...models].flatMap((model) =>
    (endpoints ?? [null]).map((endpoint) =>
      plainAdjustment(`agreed: ${name}`, factor, {
        model,
        endpoint,
        valid_from: from,
        valid_to: until,
        order: AFTER_THE_BOOK + index,
      }),
    ),
  );
}

function isFactor(text: string): boolean {
  const value = parseDecimal(text);
  return value !== null && compareDecimal(value, ZERO) >= 0;
}
