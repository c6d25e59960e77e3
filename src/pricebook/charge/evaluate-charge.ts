import type { PriceBook } from '../../contracts/price-book.ts';
import type { ChargeLine } from '../../contracts/reconciliation.ts';
import type { PicoUsd } from '../../core/amount.ts';
import { compareRational, type Rational } from '../../core/rational.ts';
import { adjustmentLine, adjustSum } from './adjust-sum.ts';
import type { ChargeContext } from './charge-context.ts';
import { type ChargeFacts, type Quantity, spanOf } from './charge-facts.ts';
import type { Charge, ChargeResult } from './charge-result.ts';
import { spanText } from './charge-term.ts';
import { type ChargeWorld, chargeWorlds } from './charge-worlds.ts';
import { type PointCharge, pointCharge, pointLines } from './point-plan.ts';
import { atLeast, settled } from './settle-sum.ts';
import { tierPrices } from './tier-prices.ts';
import { isFree, type TierSum, tierSums } from './tier-sums.ts';
import type { Unpriced } from './unpriced.ts';

/**
 * What `book` charges for one call. Order of work: units, unit rounding, tier, components, rounding of components, sum,
 * adjustments, minimum, one rounding.
 */
export function evaluateCharge(book: PriceBook, facts: ChargeFacts, context: ChargeContext): ChargeResult {
  const worlds = chargeWorlds(book, context);
  if (worlds === null) {
    return { unpriced: 'time, group and key leave too many prices open', why: 'ambiguous' };
  }
  const [first] = worlds;
  if (first === undefined) throw new RangeError('charge: no context to price in');
  const only = resultIn(book, first, facts);
  if (worlds.length === 1) return only;
  const charges: Charge[] = [];
  for (const world of worlds) {
    const result = world === first ? only : resultIn(book, world, facts);
    // A context in which the model has no price is not the one that the call was priced in.
    if (!('unpriced' in result)) charges.push(result);
    else if (result.why !== 'model') return result;
  }
  if (charges.length === 0) return only;
  return hull(charges, ['the time, group, key or rounding that the price depends on is not known']);
}

function resultIn(book: PriceBook, world: ChargeWorld | Unpriced, facts: ChargeFacts): ChargeResult {
  if ('unpriced' in world) return world;
  const point = world.plan === null ? null : pointCharge(world.plan, facts);
  if (point !== null) return new FigureCharge(book, world, point);
  const key = unitsKey(facts);
  const known = key === null ? undefined : world.ofUnits.get(key);
  if (known !== undefined) return known;
  const result = chargeBy(book, world, facts);
  if (key !== null && world.ofUnits.size < MOST_UNIT_CHARGES) world.ofUnits.set(key, result);
  return result;
}

const MOST_UNIT_CHARGES = 1_000;

/** All facts of a call that counts images or seconds and nothing else; null for any other. */
function unitsKey(facts: ChargeFacts): string | null {
  const { images, size, quality, seconds, seconds_exact, resolution, audio, tools } = facts;
  const others: readonly Quantity[] = [
    facts.input,
    facts.output,
    facts.cache_read,
    facts.cache_write,
    facts.cache_write_1h,
    facts.reasoning,
    facts.image_input,
    facts.image_output,
    facts.audio_input,
    facts.audio_output,
    facts.characters,
    facts.pages,
  ];
  if (others.some((count) => count !== null) || seconds_exact !== null) return null;
  if (tools === null || Object.keys(tools).length > 0) return null;
  const [ofImages, ofSeconds] = [spanOf(images), spanOf(seconds)].map((span) =>
    span === null ? 'unknown' : spanText(span),
  );
  return JSON.stringify([ofImages, size, quality, ofSeconds, resolution, audio]);
}

/** A charge by figures; the text of its lines is made for those who read it. */
class FigureCharge implements Charge {
  readonly exact: Rational;
  readonly lo: PicoUsd;
  readonly hi: PicoUsd;
  readonly rounded: PicoUsd | null;
  readonly tier: string | null;
  readonly grade: Charge['grade'];
  readonly warnings: readonly string[] = NONE;
  readonly #point: PointCharge;
  readonly #world: ChargeWorld;
  #lines: readonly ChargeLine[] | null = null;

  constructor(book: PriceBook, world: ChargeWorld, point: PointCharge) {
    this.exact = point.exact;
    this.lo = point.lo;
    this.hi = point.hi;
    this.rounded = point.lo === point.hi ? point.lo : null;
    this.tier = point.held.tier.name;
    this.grade = gradeOf(book);
    this.#point = point;
    this.#world = world;
  }

  get lines(): readonly ChargeLine[] {
    this.#lines ??= [...pointLines(this.#point), ...this.#world.applied.map(adjustmentLine)];
    return this.#lines;
  }
}

const NONE: readonly string[] = [];

export function gradeOf({ source }: PriceBook): Charge['grade'] {
  switch (source.kind) {
    case 'inferred':
      return 'inferred';
    case 'agreed':
    case 'csv':
    case 'yaml':
      return 'declared';
    default:
      return 'published';
  }
}

function chargeBy(book: PriceBook, world: ChargeWorld, facts: ChargeFacts): ChargeResult {
  const { entry, rounding, applied } = world;
  const tiers = tierSums(book, entry, facts, rounding);
  if ('unpriced' in tiers) return tiers;
  const charges = tiers.sums.map((sum): Charge => {
    const { exact, lo, hi } = bounds(world, sum);
    return {
      exact,
      lo,
      hi,
      rounded: lo === hi ? lo : null,
      lines: [...sum.lines, ...applied.map(adjustmentLine)],
      tier: sum.tier.name,
      grade: gradeOf(book),
      warnings: tiers.warnings,
    };
  });
  const [only] = charges;
  return charges.length === 1 && only !== undefined ? only : hull(charges, []);
}

function bounds(
  { entry, rounding, minimum, by }: ChargeWorld,
  { tier, sum, unused }: TierSum,
): Pick<Charge, 'exact' | 'lo' | 'hi'> {
  const priced =
    entry.tiers?.mode === 'graduated'
      ? tierPrices(entry).flatMap(({ components }) => components)
      : tier.components;
  const free = by.plus.num === 0n && (by.times.num === 0n || isFree(priced));
  const lo = atLeast(minimum, adjustSum(by, sum.lo), { free, unused: unused.lo });
  const hi = atLeast(minimum, adjustSum(by, sum.hi), { free, unused: unused.hi });
  const point = compareRational(lo, hi) === 0;
  return { exact: point ? lo : null, lo: settled(rounding, lo).lo, hi: settled(rounding, hi).hi };
}

/** All charges that any of several may be. */
function hull(charges: readonly Charge[], warnings: readonly string[]): Charge {
  const [first] = charges;
  if (first === undefined) throw new RangeError('charge: nothing to join');
  const lo = charges.reduce((least, each) => (each.lo < least ? each.lo : least), first.lo);
  const hi = charges.reduce((most, each) => (each.hi > most ? each.hi : most), first.hi);
  const { exact } = first;
  const same = charges.every(
    (each) => each.exact !== null && exact !== null && compareRational(each.exact, exact) === 0,
  );
  return {
    exact: same ? exact : null,
    lo,
    hi,
    rounded: lo === hi ? lo : null,
    lines: mergedLines(charges.map((charge) => charge.lines)),
    tier: charges.every(({ tier }) => tier === first.tier) ? first.tier : null,
    grade: first.grade,
    warnings: [...new Set([...charges.flatMap((charge) => charge.warnings), ...warnings])],
  };
}

/** The lines of several possible charges as one list: what differs between them stands beside each other. */
function mergedLines(charges: readonly (readonly ChargeLine[])[]): readonly ChargeLine[] {
  const byMeter = Map.groupBy(charges.flat(), ({ meter }) => meter);
  return [...byMeter.values()].map((lines) => {
    const all = (key: keyof ChargeLine): string => [...new Set(lines.map((line) => line[key]))].join(' | ');
    return {
      meter: all('meter'),
      units: all('units'),
      price: all('price'),
      per: all('per'),
      subtotal: all('subtotal'),
    };
  });
}
