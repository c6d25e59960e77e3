import type { Meter, ModelPrice, PriceBook, PriceComponent } from '../../contracts/price-book.ts';
import { PAID_KINDS, type PaidKind } from '../../core/call-kind.ts';
import { RATIONAL_ZERO, type Rational } from '../../core/rational.ts';
import { type AdjustedBy, adjustedBy, adjustmentsFor, isApplied, UNADJUSTED } from '../charge/adjust-sum.ts';
import { type ChargeContext, worldsOf } from '../charge/charge-context.ts';
import { unitPrice } from '../charge/charge-term.ts';
import { gradeOf } from '../charge/evaluate-charge.ts';
import { instantSeconds, isInForce } from '../charge/in-force.ts';
import { entriesOf, matchModel, pricesEndpoint } from '../charge/match-model.ts';
import { matchingComponents } from '../charge/option-components.ts';
import { type TierPrices, tierPrices } from '../charge/tier-prices.ts';
import { type UnitPrices, wholeNumbers } from './cell-numbers.ts';
import type { PriceCell } from './price-cell.ts';

/** A price that only `evaluateCharge` works out, and why. */
interface SlowReason {
  readonly model: string;
  readonly endpoint: PaidKind;
  readonly reason: string;
}

export interface CompiledCells {
  readonly cells: readonly PriceCell[];
  readonly slow: readonly SlowReason[];
}

/** What rows are priced for: the ids that occur, and whose prices hold for us. */
export interface CellScope {
  readonly models: readonly string[];
  readonly group: string | null;
  readonly key_fp: string | null;
  /** Contexts that rows have; default: one where nothing is set. */
  readonly whens?: readonly Readonly<Record<string, string>>[];
  /** The number of the first cell. */
  readonly first?: number;
}

/**
 * Flattens a book into cells: one for each model, endpoint, context, stretch of time, tier and option whose charge is
 * a sum of units × whole prices, rounded once. Everything else is slow; nothing is left out in silence.
 */
export function compileCells(book: PriceBook, scope: CellScope): CompiledCells {
  const cells: PriceCell[] = [];
  const slow: SlowReason[] = [];
  for (const model of new Set(scope.models)) {
    for (const endpoint of PAID_KINDS) {
      const entries = entriesOf(book, model).filter((entry) => pricesEndpoint(entry, endpoint));
      if (entries.length === 0) continue;
      for (const when of scope.whens ?? [{}]) {
        const base = { model, endpoint, when, group: scope.group, key_fp: scope.key_fp };
        const made = cellsIn(book, entries, base);
        if (typeof made === 'string') slow.push({ model, endpoint, reason: made });
        else for (const cell of made) cells.push({ ...cell, cell: (scope.first ?? 0) + cells.length });
      }
    }
  }
  return { cells, slow };
}

type Numbered = Omit<PriceCell, 'cell'>;

/** The cells of one model and endpoint, or why there are none. */
function cellsIn(
  book: PriceBook,
  entries: readonly ModelPrice[],
  base: Omit<ChargeContext, 'at_s'>,
): readonly Numbered[] | string {
  const adjustments = adjustmentsFor(book, base);
  if (entries.some(({ time_of_day }) => time_of_day !== null)) return 'the price depends on the time of day';
  const people = worldsOf({ ...base, at_s: 0 }, entries, adjustments);
  if (people === null || people.length > 1) return 'the price depends on a group or key that is not known';
  const cells: Numbered[] = [];
  for (const [from, to] of stretchesOf([book, ...entries, ...adjustments])) {
    const context: ChargeContext = { ...base, at_s: from ?? (to === null ? null : to - 1) };
    if (context.at_s !== null && !isInForce(book, context.at_s)) continue;
    const entry = matchModel(book, context);
    if ('unpriced' in entry) {
      // Rows of that time have no cell, and so no price.
      if (entry.why === 'model') continue;
      return entry.unpriced;
    }
    const by = adjustments.filter((each) => isApplied(each, context)).reduce(adjustedBy, UNADJUSTED);
    const reason = slowReason(book, entry);
    if (reason !== null) return reason;
    for (const tier of tierPrices(entry)) {
      const made = tierCells(book, entry, tier, by, context, { valid_from_s: from, valid_to_s: to });
      if (typeof made === 'string') return made;
      cells.push(...made);
    }
  }
  return cells;
}

/** The stretches between the moments at which any of the prices begins or ends. */
function stretchesOf(
  validities: readonly { readonly valid_from: string | null; readonly valid_to: string | null }[],
): readonly (readonly [number | null, number | null])[] {
  const moments = new Set<number>();
  for (const { valid_from, valid_to } of validities) {
    for (const text of [valid_from, valid_to]) if (text !== null) moments.add(instantSeconds(text));
  }
  const sorted = [...moments].sort((left, right) => left - right);
  const starts: readonly (number | null)[] = [null, ...sorted];
  return starts.map((start, index) => [start, sorted[index] ?? null] as const);
}

function slowReason(book: PriceBook, entry: ModelPrice): string | null {
  const { tiers } = entry;
  const rounding = entry.rounding ?? book.rounding;
  if (tiers !== null && (tiers.mode !== 'cliff' || tiers.basis !== 'context_len')) {
    return `its tiers are ${tiers.mode} by ${tiers.basis}`;
  }
  if (rounding.scope !== 'record') return `its rounding is of scope ${rounding.scope}`;
  if (rounding.pre.length > 0) return 'some of its components are rounded before the sum';
  const components = tierPrices(entry).flatMap((tier) => tier.components);
  if (components.some(({ unit_rounding }) => unit_rounding !== undefined)) return 'its units are rounded';
  const other = components.find(({ meter }) => !CELL_METERS.includes(meter));
  if (other !== undefined) return `it prices ${other.meter}`;
  if ((entry.usage_semantics ?? book.usage_semantics).output_includes_reasoning === 'no') {
    return 'reasoning tokens come on top of the output';
  }
  return null;
}

const TOKEN_METERS: readonly Meter[] = [
  'input_token',
  'output_token',
  'cache_read_token',
  'cache_write_token',
];
const CELL_METERS: readonly Meter[] = [...TOKEN_METERS, 'request', 'image', 'video_second'];

type Options = Readonly<Record<'size' | 'quality' | 'resolution', string | null>>;

function tierCells(
  book: PriceBook,
  entry: ModelPrice,
  tier: TierPrices,
  by: AdjustedBy,
  context: ChargeContext,
  validity: Pick<PriceCell, 'valid_from_s' | 'valid_to_s'>,
): readonly Numbered[] | string {
  const { components } = tier;
  const ofMeter = (meter: Meter): readonly PriceComponent[] =>
    components.filter((component) => component.meter === meter);
  const units = (['image', 'video_second'] as const).filter((meter) => ofMeter(meter).length > 0);
  const tokens = components.filter(({ meter }) => TOKEN_METERS.includes(meter));
  if (units.length + (tokens.length > 0 ? 1 : 0) > 1) return 'it prices units of several kinds';
  for (const meter of [...TOKEN_METERS, 'request'] as const) {
    if (ofMeter(meter).length > 1) return `several prices of ${meter} hold at once`;
  }
  if (ofMeter('request').some(({ resolution }) => resolution !== undefined))
    return 'a price of a call depends on its resolution';
  const one = (meter: Meter): Rational | null => {
    const [component] = ofMeter(meter);
    return component === undefined ? null : unitPrice(component);
  };
  const request = one('request') ?? RATIONAL_ZERO;
  const [unit] = units;
  const shapes: { readonly options: Options; readonly prices: UnitPrices }[] = [];
  if (unit === undefined) {
    // A price of the call alone leaves its tokens free, as a price of any token does not.
    const none = tokens.length === 0 ? RATIONAL_ZERO : null;
    shapes.push({
      options: NO_OPTIONS,
      prices: {
        p_in: one('input_token') ?? none,
        p_out: one('output_token') ?? none,
        p_read: one('cache_read_token'),
        p_write: one('cache_write_token'),
        p_unit: null,
      },
    });
  } else {
    for (const options of optionsOf(ofMeter(unit))) {
      const fitting = matchingComponents(components, unit, { ...options, audio: null });
      const [first] = fitting;
      if (first === undefined) continue;
      if (fitting.length > 1) return `several prices of ${unit} hold at once`;
      shapes.push({ options, prices: { ...NO_PRICES, p_unit: unitPrice(first) } });
    }
  }
  const cells: Numbered[] = [];
  for (const { options, prices } of shapes) {
    const numbers = wholeNumbers(book, entry, tier, by, { request, prices });
    if (typeof numbers === 'string') return numbers;
    cells.push({
      pricebook_id: book.pricebook_id,
      pricing_version: book.pricing_version,
      model: context.model,
      endpoint: context.endpoint,
      when: JSON.stringify(Object.fromEntries(Object.entries(context.when).sort())),
      len_from: tier.from,
      len_to: tier.to === null ? null : tier.to + 1n,
      ...validity,
      ...options,
      ...numbers,
      reasoning: unit === undefined && tokens.length > 0 ? 'in' : 'none',
      grade: gradeOf(book),
    });
  }
  return cells;
}

const NO_OPTIONS: Options = { size: null, quality: null, resolution: null };
const NO_PRICES: UnitPrices = { p_in: null, p_out: null, p_read: null, p_write: null, p_unit: null };

/** Every combination of the options that the components name; null where they name none. */
function optionsOf(components: readonly PriceComponent[]): readonly Options[] {
  const named = (key: 'size' | 'quality' | 'resolution'): readonly (string | null)[] => {
    const values = [...new Set(components.flatMap((component) => component[key] ?? []))];
    return values.length === 0 ? [null] : values;
  };
  return named('size').flatMap((size) =>
    named('quality').flatMap((quality) =>
      named('resolution').map((resolution) => ({ size, quality, resolution })),
    ),
  );
}
