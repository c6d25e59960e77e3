import type {
  Meter,
  Minimum,
  ModelPrice,
  PriceBook,
  PriceComponent,
  Rounding,
} from '../../contracts/price-book.ts';
import type { ChargeLine } from '../../contracts/reconciliation.ts';
import { AMOUNT_SCALE, type PicoUsd } from '../../core/amount.ts';
import { formatTrimmed, parseDecimal } from '../../core/decimal.ts';
import { multiplyRational, type Rational } from '../../core/rational.ts';
import { divideRounded, type RoundingMode } from '../../core/rounding.ts';
import type { AdjustedBy } from './adjust-sum.ts';
import type { ChargeFacts } from './charge-facts.ts';
import { greatestCommonDivisor, rationalText, times, unitPrice } from './charge-term.ts';
import { leastCharge } from './settle-sum.ts';
import { type TierPrices, tierPrices } from './tier-prices.ts';
import { isFree } from './tier-sums.ts';
import { reasoningOf } from './token-groups.ts';

/**
 * Prices of tokens as whole numbers over one denominator, rounding and adjustments worked in: the charge of facts that
 * are all figures is then a sum of products and one division. It gives what the long way gives, to the digit.
 */
export interface PointPlan {
  readonly basis: 'context_len' | 'input' | 'output' | null;
  readonly tiers: readonly PointTier[];
}

interface PointTier {
  readonly tier: TierPrices;
  readonly den: bigint;
  readonly input: PointPrice | null;
  readonly read: PointPrice | null;
  readonly write: PointPrice | null;
  readonly output: PointPrice | null;
  /** Added once, and the least that is charged, over `den`. */
  readonly plus: bigint;
  readonly least: bigint | null;
  /** The least is not charged for a call without tokens. */
  readonly spares_unused: boolean;
  /** An amount of 10⁻¹² USD is `step` × (sum × `up` ÷ `down`, rounded); both ways where nothing rounds it. */
  readonly up: bigint;
  readonly down: bigint;
  readonly step: PicoUsd;
  readonly mode: RoundingMode | null;
}

interface PointPrice {
  readonly meter: Meter;
  readonly component: PriceComponent;
  /** Of one unit, adjusted, over the denominator of the tier. */
  readonly num: bigint;
}

/** Tokens of a call that are all figures. */
export interface PointCharge {
  readonly exact: Rational;
  readonly lo: PicoUsd;
  readonly hi: PicoUsd;
  /** Where the size of the call falls, and how many tokens each of its prices counts. */
  readonly held: PointTier;
  readonly plain: bigint;
  readonly read: bigint;
  readonly write: bigint;
  readonly output: bigint;
}

const PLAIN_METERS: ReadonlySet<Meter> = new Set<Meter>([
  'input_token',
  'output_token',
  'cache_read_token',
  'cache_write_token',
]);
const PICO = 10n ** BigInt(AMOUNT_SCALE);

/** The plan of an entry; null where it prices more than plain tokens, or more than one rule rounds them. */
export function pointPlan(
  book: PriceBook,
  entry: ModelPrice,
  rules: { readonly rounding: Rounding; readonly minimum: Minimum | null; readonly by: AdjustedBy },
): PointPlan | null {
  const { tiers } = entry;
  const { rounding } = rules;
  const basis = tiers?.basis ?? null;
  if (basis === 'cumulative_day' || tiers?.mode === 'graduated') return null;
  if (rounding.scope === 'component' || rounding.pre.length > 0) return null;
  if (reasoningOf(book, entry).additive) return null;
  const quantum = parseDecimal(rounding.quantum);
  if (rounding.scope === 'record' && (quantum === null || quantum.scale > AMOUNT_SCALE)) return null;
  const all = tierPrices(entry);
  if (!all.every(({ components }) => components.every(isPlain))) return null;
  const planned = all.flatMap((tier) => pointTier(tier, rules) ?? []);
  return planned.length < all.length ? null : { basis, tiers: planned };
}

function isPlain({ meter, ttl, unit_rounding }: PriceComponent): boolean {
  return PLAIN_METERS.has(meter) && ttl === undefined && unit_rounding === undefined;
}

function pointTier(
  tier: TierPrices,
  {
    rounding,
    minimum,
    by,
  }: { readonly rounding: Rounding; readonly minimum: Minimum | null; readonly by: AdjustedBy },
): PointTier | null {
  const { components } = tier;
  if (new Set(components.map(({ meter }) => meter)).size < components.length) return null;
  const of = (meter: Meter): PriceComponent | null =>
    components.find((component) => component.meter === meter) ?? null;
  const input = of('input_token');
  const output = of('output_token');
  if (input === null && output === null) return null;
  const free = by.plus.num === 0n && (by.times.num === 0n || isFree(components));
  const least = leastCharge(minimum, { free, unused: false });
  const adjusted = (component: PriceComponent): Rational => multiplyRational(unitPrice(component), by.times);
  const den = [...components.map(adjusted), by.plus, ...(least === null ? [] : [least])]
    .map((value) => value.den / greatestCommonDivisor(magnitude(value.num), value.den))
    .reduce((common, each) => (common / greatestCommonDivisor(common, each)) * each, 1n);
  const over = ({ num, den: own }: Rational): bigint => (num * den) / own;
  const price = (meter: Meter, component: PriceComponent | null): PointPrice | null =>
    component === null ? null : { meter, component, num: over(adjusted(component)) };
  return {
    tier,
    den,
    input: price('input_token', input),
    read: price('cache_read_token', of('cache_read_token') ?? input),
    write: price('cache_write_token', of('cache_write_token') ?? input),
    output: price('output_token', output),
    plus: over(by.plus),
    least: least === null ? null : over(least),
    spares_unused: leastCharge(minimum, { free, unused: true }) === null,
    ...lastRounding(rounding, den),
  };
}

function lastRounding(rounding: Rounding, den: bigint): Pick<PointTier, 'up' | 'down' | 'step' | 'mode'> {
  const quantum = rounding.scope === 'none' ? null : parseDecimal(rounding.quantum);
  const step = quantum === null ? 1n : quantum.digits * 10n ** BigInt(AMOUNT_SCALE - quantum.scale);
  const shared = greatestCommonDivisor(PICO, den * step);
  return {
    up: PICO / shared,
    down: (den * step) / shared,
    step,
    mode: quantum === null ? null : rounding.mode,
  };
}

/** What the facts cost; null where one of them is no figure, or they take the long way to a reason. */
export function pointCharge({ basis, tiers }: PointPlan, facts: ChargeFacts): PointCharge | null {
  const { input, output, cache_read: read, cache_write: write } = facts;
  if (
    typeof input !== 'bigint' ||
    typeof output !== 'bigint' ||
    typeof read !== 'bigint' ||
    typeof write !== 'bigint'
  )
    return null;
  const plain = input - read - write;
  if (plain < 0n || read < 0n || write < 0n || output < 0n) return null;
  const size = basis === 'input' ? plain : basis === 'output' ? output : input;
  const held = tiers.length === 1 ? tiers[0] : tiers.find(({ tier: { to } }) => to === null || size <= to);
  if (held === undefined) return null;
  let num = held.plus;
  if (plain > 0n) {
    if (held.input === null) return null;
    num += plain * held.input.num;
  }
  if (read > 0n) {
    if (held.read === null) return null;
    num += read * held.read.num;
  }
  if (write > 0n) {
    if (held.write === null) return null;
    num += write * held.write.num;
  }
  if (output > 0n) {
    if (held.output === null) return null;
    num += output * held.output.num;
  }
  const spared = held.spares_unused && input === 0n && output === 0n;
  if (held.least !== null && !spared && num < held.least) num = held.least;
  const { up, down, step, mode } = held;
  const lo = divideRounded(num * up, down, mode ?? 'floor') * step;
  const hi = mode === null ? divideRounded(num * up, down, 'ceil') * step : lo;
  return { exact: { num, den: held.den }, lo, hi, held, plain, read, write, output };
}

/** The lines of a charge: the plain rest of each side always, cached tokens where there are some. */
export function pointLines({ held, plain, read, write, output }: PointCharge): readonly ChargeLine[] {
  const lines: ChargeLine[] = [];
  if (held.input !== null) lines.push(lineOf(held.input, plain));
  if (held.read !== null && read > 0n) lines.push(lineOf(held.read, read));
  if (held.write !== null && write > 0n) lines.push(lineOf(held.write, write));
  if (held.output !== null) lines.push(lineOf(held.output, output));
  return lines;
}

function lineOf({ meter, component }: PointPrice, units: bigint): ChargeLine {
  const { price, per } = component;
  return { meter, units: units.toString(), price, per, subtotal: productText(component, units) };
}

const decimals = new WeakMap<
  PriceComponent,
  { readonly digits: bigint; readonly scale: number } | 'endless'
>();

/** The exact text of what units cost, as `rationalText` writes it. */
function productText(component: PriceComponent, units: bigint): string {
  let price = decimals.get(component);
  if (price === undefined) {
    price = parseDecimal(rationalText(unitPrice(component))) ?? 'endless';
    decimals.set(component, price);
  }
  return price === 'endless'
    ? rationalText(times(unitPrice(component), units))
    : formatTrimmed({ digits: price.digits * units, scale: price.scale });
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}
