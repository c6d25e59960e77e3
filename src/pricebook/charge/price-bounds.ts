import type { PriceBound } from '../../contracts/plan.ts';
import type { Adjustment, Meter, ModelPrice, PriceBook, PriceComponent } from '../../contracts/price-book.ts';
import { AMOUNT_SCALE, parseAmount } from '../../core/amount.ts';
import type { PaidKind } from '../../core/call-kind.ts';
import { addRational, RATIONAL_ZERO, type Rational, rational } from '../../core/rational.ts';
import { divideRounded } from '../../core/rounding.ts';
import { type AdjustedBy, adjustedBy, adjustmentsFor, isApplied, UNADJUSTED } from './adjust-sum.ts';
import { contextOf, worldsOf } from './charge-context.ts';
import { NO_FACTS } from './charge-facts.ts';
import { exact, times, unitPrice } from './charge-term.ts';
import { componentCharge, componentSlack } from './component-charge.ts';
import { entriesOf, kindOf, pricesEndpoint } from './match-model.ts';
import { matchingComponents } from './option-components.ts';
import { dearer } from './priced-slot.ts';
import { tierPrices } from './tier-prices.ts';

/** Output that a model may return where neither the plan nor the book says. */
export const DEFAULT_MAX_OUTPUT_TOKENS = 200_000;

/** What a scenario asks for, as far as it decides a price. Absent options leave the dearest tier. */
export interface BoundShape {
  readonly images?: number;
  readonly size?: string;
  readonly quality?: string;
  readonly seconds?: number;
  readonly resolution?: string;
  /** `models.<id>.max_output` of the configuration. */
  readonly max_output_tokens?: number;
}

/**
 * The most that one call of `model` can cost, in parts that Go multiplies and adds: 10⁻¹² USD, dearest of all entries,
 * times, groups and tiers, rounded up; `fixed` holds what minimum and rounding may add. Null where the book has no
 * price for the model and shape, or one that no size of a call bounds.
 */
export function priceBounds(
  book: PriceBook,
  model: string,
  kind: PaidKind,
  shape: BoundShape,
): PriceBound | null {
  const entries = entriesOf(book, model).filter((entry) => pricesEndpoint(entry, kind));
  const most = mostOf(book, model, kind, entries);
  if (most === null) return null;
  const { times: factor, plus } = most;
  const bounds = entries.map((entry) => entryBound(book, entry, shape));
  const [first] = bounds;
  if (first === undefined || first === null) return null;
  let [input, output, fixed] = [first.input, first.output, first.fixed];
  for (const bound of bounds) {
    if (bound === null) return null;
    input = dearer(input, bound.input);
    output = dearer(output, bound.output);
    fixed = dearer(fixed, bound.fixed);
  }
  const minimum = entries
    .map((entry) => exact((entry.minimum ?? book.minimum)?.amount ?? '0'))
    .reduce(dearer, RATIONAL_ZERO);
  const atLeast = dearer(addRational(product(fixed, factor), plus), minimum);
  const limits = entries.map((entry) => entry.max_output_tokens ?? DEFAULT_MAX_OUTPUT_TOKENS);
  return {
    model,
    kind,
    per_input_token: picoUsd(product(input, factor)).toString(),
    per_output_token: picoUsd(product(output, factor)).toString(),
    fixed: (picoUsd(atLeast) + roundingGuard(book)).toString(),
    max_output_tokens:
      output.num > 0n || kindOf(kind) === 'text' ? (shape.max_output_tokens ?? Math.max(...limits)) : 0,
    limit_obeyed: false,
  };
}

/** What `fixed` holds above the price, 10⁻¹² USD: the most that the roundings of one record may add. */
export function roundingGuard(book: PriceBook): bigint {
  const rules = [book.rounding, ...book.models.flatMap(({ rounding }) => rounding ?? [])];
  const parts = Math.max(0, ...book.models.map(({ components }) => components.length));
  const most = rules.map(({ scope, quantum }) => {
    const step = scope === 'none' ? 1n : (parseAmount(quantum) ?? 0n);
    // Each part may be rounded up, and what adjustments make of the sum once more.
    return scope === 'component' || scope === 'untold' ? step * BigInt(parts + 1) : step;
  });
  return most.reduce((left, right) => (left >= right ? left : right), 0n);
}

/** The dearest that adjustments can be; null where time, group and key leave too many to look at. */
function mostOf(
  book: PriceBook,
  model: string,
  kind: PaidKind,
  entries: readonly ModelPrice[],
): AdjustedBy | null {
  const context = contextOf(model, kind);
  const adjustments: readonly Adjustment[] = adjustmentsFor(book, context);
  const worlds = worldsOf(context, entries, adjustments);
  if (worlds === null) return null;
  const all = worlds.map((world) =>
    adjustments.filter((each) => isApplied(each, world)).reduce(adjustedBy, UNADJUSTED),
  );
  return {
    times: all.map((each) => each.times).reduce(dearer, RATIONAL_ZERO),
    plus: all.map((each) => each.plus).reduce(dearer, RATIONAL_ZERO),
  };
}

interface EntryBound {
  readonly input: Rational;
  readonly output: Rational;
  readonly fixed: Rational;
}

const INPUT_METERS: readonly Meter[] = [
  'input_token',
  'cache_read_token',
  'cache_write_token',
  'image_input_token',
  'audio_input_token',
];
const OUTPUT_METERS: readonly Meter[] = ['output_token', 'image_output_token', 'audio_output_token'];

/** Before adjustments. Every character of a prompt is counted as a token too: a token may be as short. */
function entryBound(book: PriceBook, entry: ModelPrice, shape: BoundShape): EntryBound | null {
  const rounding = entry.rounding ?? book.rounding;
  const components = tierPrices(entry).flatMap((tier) => tier.components);
  const ofMeters = (...meters: readonly Meter[]): readonly PriceComponent[] =>
    components.filter(({ meter }) => meters.includes(meter));
  if (ofMeters('page').length > 0) return null;
  const units = unitsPrice(entry, components, shape);
  if (units === null) return null;
  const request = ofMeters('request').map((each) => componentCharge(each, rational(1n, 1n), rounding));
  // Parts of a token meter are rounded on their own; a call has each of them once.
  const slack = [...new Set(components)].map((each) => componentSlack(each, rounding));
  const own = ofMeters('reasoning_token');
  const output = dearestOf(ofMeters(...OUTPUT_METERS));
  const told = (entry.usage_semantics ?? book.usage_semantics).output_includes_reasoning !== 'no';
  const included =
    own.length === 0 ? told : own.every(({ mode }) => (mode === undefined ? told : mode === 'included'));
  const beside = own.length === 0 ? output : dearestOf(own);
  return {
    input: addRational(dearestOf(ofMeters(...INPUT_METERS)), dearestOf(ofMeters('character'))),
    output: included ? dearer(output, beside) : addRational(output, beside),
    fixed: [units, request.reduce(dearer, RATIONAL_ZERO), ...slack].reduce(addRational),
  };
}

/** USD for the images or seconds asked for; null where their price or number is not known. */
function unitsPrice(
  { kind }: ModelPrice,
  components: readonly PriceComponent[],
  shape: BoundShape,
): Rational | null {
  if (kind === 'text') return RATIONAL_ZERO;
  const meter = kind === 'video' ? 'video_second' : 'image';
  if (!components.some((component) => component.meter === meter)) {
    return components.length === 0 ? null : RATIONAL_ZERO;
  }
  const fitting = matchingComponents(components, meter, {
    ...NO_FACTS,
    size: shape.size ?? null,
    quality: shape.quality ?? null,
    resolution: shape.resolution ?? null,
  });
  const units = kind === 'video' ? shape.seconds : (shape.images ?? 1);
  if (fitting.length === 0 || units === undefined) return null;
  return times(dearestOf(fitting), BigInt(Math.ceil(units)));
}

function dearestOf(components: readonly PriceComponent[]): Rational {
  return components.map(unitPrice).reduce(dearer, RATIONAL_ZERO);
}

function product(left: Rational, right: Rational): Rational {
  return { num: left.num * right.num, den: left.den * right.den };
}

function picoUsd({ num, den }: Rational): bigint {
  return divideRounded(num * 10n ** BigInt(AMOUNT_SCALE), den, 'ceil');
}
