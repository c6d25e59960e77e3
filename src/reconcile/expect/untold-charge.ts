import type { ModelPrice, PriceBook, PriceComponent } from '../../contracts/price-book.ts';
import type { PicoUsd } from '../../core/amount.ts';
import { isTokenKind, type PaidKind } from '../../core/call-kind.ts';
import type { ChargeContext } from '../../pricebook/charge/charge-context.ts';
import type { ChargeFacts, UnitSpan } from '../../pricebook/charge/charge-facts.ts';
import { evaluateCharge } from '../../pricebook/charge/evaluate-charge.ts';
import { entriesOf, kindOf, pricesEndpoint } from '../../pricebook/charge/match-model.ts';
import { tierPrices } from '../../pricebook/charge/tier-prices.ts';
import { type AmountBounds, overlaps } from './charge.ts';
import { ofModel } from './of-model.ts';

/** What may be due where a usage record does not tell what decides the price: units of images and videos, or a tier. */
export interface UntoldCharge {
  readonly lo: PicoUsd;
  /** Null where neither book nor interface says how many units one request may ask for. */
  readonly hi: PicoUsd | null;
  /** Whether some whole number of units at one price line costs it. */
  isPossible(charge: AmountBounds): boolean;
}

/** Where nothing bounds it. */
export const ANY_CHARGE: UntoldCharge = { lo: 0n, hi: null, isPossible: () => true };

/** More images or seconds than any request asks for. */
const MOST_UNITS = 1_000_000_000n;
export const ANY_UNITS: UnitSpan = { lo: 1n, hi: MOST_UNITS };

/** How many units a call may ask for, endpoints without a bound first; an edit makes one image (interface §4). */
const ENDPOINTS: readonly (readonly [PaidKind, most: bigint])[] = [
  ['chat', 1n],
  ['responses', 1n],
  ['messages', 1n],
  ['completion', 1n],
  ['embedding', 1n],
  ['image', MOST_UNITS],
  ['image_job', MOST_UNITS],
  ['image_edit', 1n],
  ['image_edit_job', 1n],
  ['video', MOST_UNITS],
];

/** No option of a book: only a price line that leaves the option open fits it. */
const OTHER = '\0';

/** A charge at one price line by the number of its units, of which `units` are the most that may be asked for. */
interface PriceLine {
  readonly units: bigint;
  readonly least: AmountBounds;
  readonly most: AmountBounds;
  charge(units: bigint): AmountBounds;
}

/**
 * Null where what the record does not tell changes nothing: a call costs one price whatever it makes, or its tokens
 * decide. `facts` are what the record tells; `widened` adds what the rounding of the book leaves open.
 */
export function untoldCharge(
  book: PriceBook,
  facts: ChargeFacts,
  context: ChargeContext,
  widened: (charge: AmountBounds) => AmountBounds,
): UntoldCharge | null {
  const variants = variantsOf(book, context);
  // Of text its tokens decide, and nothing else where it is priced in one way.
  if (variants.length === 1 && isTokenKind(context.endpoint)) return null;
  if (variants.some(isInParts)) return ANY_CHARGE;
  const lines = variants.flatMap((variant) => priceLine(book, facts, context, variant, widened));
  const ends = lines.flatMap(({ least, most }) => [least, most]);
  const [first] = ends;
  if (first === undefined || ends.every(({ lo, hi }) => lo === first.lo && hi === first.hi)) return null;
  const bounded = lines.every(({ units, least, most }) => units < MOST_UNITS || most.hi === least.hi);
  return {
    lo: ends.reduce((lowest, { lo }) => (lo < lowest ? lo : lowest), first.lo),
    hi: bounded ? ends.reduce((highest, { hi }) => (hi > highest ? hi : highest), first.hi) : null,
    isPossible: (charge) => lines.some((line) => overlaps(nearest(line, charge), charge)),
  };
}

/** What a record does not name, and a price may depend on. */
interface Variant {
  readonly endpoint: PaidKind;
  /** The most that a call of it may ask for. */
  readonly units: bigint;
  readonly tier: string | undefined;
  readonly options: Partial<PriceComponent>;
}

/** None where a variant has no price. */
function priceLine(
  book: PriceBook,
  facts: ChargeFacts,
  context: ChargeContext,
  { endpoint, units, tier, options }: Variant,
  widened: (charge: AmountBounds) => AmountBounds,
): readonly PriceLine[] {
  const { size = OTHER, quality = OTHER, resolution = OTHER, audio = null } = options;
  const when = tier === undefined ? context.when : { ...context.when, service_tier: tier };
  function charge(count: bigint): AmountBounds | null {
    const asked = { ...facts, size, quality, resolution, audio, images: count, seconds: count };
    const result = evaluateCharge(book, isTokenKind(endpoint) ? facts : asked, {
      ...context,
      endpoint,
      when,
    });
    return 'unpriced' in result ? null : widened(result);
  }
  const least = charge(1n);
  if (least === null) return [];
  return [{ units, least, most: charge(units) ?? least, charge: (count) => charge(count) ?? least }];
}

const known = new WeakMap<PriceBook, Map<string, readonly Variant[]>>();

function variantsOf(book: PriceBook, { model, endpoint: asked }: ChargeContext): readonly Variant[] {
  const kind = kindOf(asked);
  return ofModel(known, book, `${kind} ${model}`, () => {
    const entries = entriesOf(book, model).filter((entry) => entry.kind === kind);
    const tiers = new Set([undefined, ...entries.map(({ when }) => when['service_tier'])]);
    const components = entries.flatMap((entry) => tierPrices(entry).flatMap((tier) => tier.components));
    const lines = components.filter(({ meter }) => meter === 'image' || meter === 'video_second');
    return endpointsOf(book, entries, kind).flatMap(([endpoint, units]) =>
      [...tiers].flatMap((tier) =>
        (kind === 'text' || lines.length === 0 ? [{}] : lines).map((options) => ({
          endpoint,
          units,
          tier,
          options,
        })),
      ),
    );
  });
}

/** Prices that count parts of a second take no whole number of units. */
function isInParts({ options }: Variant): boolean {
  return /\.\d*[1-9]/.test(options.unit_rounding?.step ?? '');
}

/** Of endpoints that the same entries price one stands for all, unless a factor is of one endpoint alone. */
function endpointsOf(
  book: PriceBook,
  entries: readonly ModelPrice[],
  kind: ModelPrice['kind'],
): readonly (readonly [PaidKind, most: bigint])[] {
  const apart = book.adjustments.some(({ endpoint }) => endpoint !== null);
  const priced = ENDPOINTS.filter(
    ([endpoint]) => kindOf(endpoint) === kind && entries.some((entry) => pricesEndpoint(entry, endpoint)),
  );
  const byEntries = Map.groupBy(priced, ([endpoint]) =>
    apart ? endpoint : entries.map((entry) => pricesEndpoint(entry, endpoint)).join(),
  );
  return [...byEntries.values()].flatMap(([first]) => (first === undefined ? [] : [first]));
}

/** What the fewest units cost that come to the charge, or the most that may be asked for. */
function nearest(line: PriceLine, charge: AmountBounds): AmountBounds {
  const reaches = (units: bigint): boolean => units >= line.units || line.charge(units).hi >= charge.lo;
  let high = 1n;
  while (!reaches(high)) high *= 2n;
  let low = high / 2n;
  while (high - low > 1n) {
    const middle = (low + high) / 2n;
    if (reaches(middle)) high = middle;
    else low = middle;
  }
  return high < line.units ? line.charge(high) : line.most;
}
