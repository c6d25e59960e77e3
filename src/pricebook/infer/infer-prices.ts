import type { Meter, Rounding } from '../../contracts/price-book.ts';
import { amountOf, type PicoUsd } from '../../core/amount.ts';
import { formatDecimal, normalise, parseDecimal } from '../../core/decimal.ts';
import { addRational, RATIONAL_ZERO, type Rational, rationalOf } from '../../core/rational.ts';
import { roundToQuantum } from '../../core/rounding.ts';
import { type InferredRounding, inferRounding } from './infer-rounding.ts';
import { type RatioSpan, sharedDecimal } from './shared-decimal.ts';
import { independentColumns, inverse } from './solve-exactly.ts';

/** One charge as far as it tells of prices: units by meter, in the order of `meters`, and what was charged. */
export interface Observation {
  readonly units: readonly bigint[];
  readonly amount: PicoUsd;
  /** Unix seconds. */
  readonly at_s: number;
}

export interface InferredPrices {
  /** USD for 1,000,000 units; null where the charges do not tell. */
  readonly per_million: readonly (string | null)[];
  /** Meters of which nothing was used, or only ever together with others in one proportion. */
  readonly undetermined: readonly Meter[];
  readonly rounding: Rounding;
  /** Charges that these prices give to the digit. */
  readonly fit: number;
  readonly of: number;
  /** Places of the charges that they do not give. */
  readonly outliers: readonly number[];
}

/** Fewer charges than this say nothing of prices. */
const LEAST = 8;
/** Systems of so many charges are solved at most; more narrow the prices no further. */
const MOST_SYSTEMS = 240;
const LEAST_PERCENT = 90;
/** Of the systems that agree most, so many must hold a price: wrong charges cut off a piece of what they share. */
const SHARED_PERCENTS = [100, 95, 85];
const MILLION = 1_000_000n;
/** 10⁻¹² USD; 2 × 10⁻⁶ is the unit of one family of gateways. */
const GRID: readonly PicoUsd[] = [
  ...[10n, 9n, 8n, 7n].map((digits) => 10n ** digits),
  2_000_000n,
  ...[6n, 5n, 4n, 3n, 2n, 1n, 0n].map((digits) => 10n ** digits),
];
const PICO = 1_000_000_000_000n;

/**
 * The prices under which nearly all charges come out to the digit: charges are solved as exact systems, each with the
 * room that rounding leaves, and the shortest decimals inside what most of them share are tried on all. Null where no
 * prices do so. Prices found like this are consistent with the charges they come from, and prove nothing about them.
 */
export function inferPrices(
  meters: readonly Meter[],
  observations: readonly Observation[],
): InferredPrices | null {
  if (observations.length < LEAST) return null;
  const columns = independentColumns(
    observations.slice(0, MOST_SYSTEMS).map(({ units }) => units),
    meters.length,
  );
  if (columns.length === 0) return null;
  const reduced = observations.map(({ units }) => columns.map((column) => units[column] ?? 0n));
  const amounts = observations.map(({ amount }) => amount);
  const quantum = gridOf(amounts);
  const systems = systemsOf(reduced, columns.length).flatMap((places) => {
    const solution = inverse(places.map((place) => reduced[place] ?? []));
    return solution === null ? [] : [{ solution, places }];
  });
  let best: Fitted | null = null;
  for (const room of ROOMS) {
    const spans = systems.map((system) => pricesOf(system, amounts, roomOf(room, quantum)));
    for (const percent of SHARED_PERCENTS) {
      const fitted = fittedPrices(reduced, amounts, spans, percent);
      if (fitted !== null && fitted.inferred.fit > (best?.inferred.fit ?? 0)) best = fitted;
    }
    if (best?.inferred.fit === observations.length) break;
  }
  if (best === null || best.inferred.fit * 100 < observations.length * LEAST_PERCENT) return null;
  const { texts, exact, inferred } = best;
  return {
    per_million: meters.map((_, meter) => {
      const index = columns.indexOf(meter);
      return index === -1 ? null : (texts[index] ?? null);
    }),
    undetermined: meters.filter((_, meter) => !columns.includes(meter)),
    rounding: inferred.rounding,
    fit: inferred.fit,
    of: observations.length,
    outliers: amounts.flatMap((amount, index) =>
      isGiven(exact[index], amount, inferred.rounding) ? [] : [index],
    ),
  };
}

interface Fitted {
  readonly texts: readonly string[];
  /** What each charge comes to by these prices, before rounding. */
  readonly exact: readonly Rational[];
  readonly inferred: InferredRounding;
}

/** The shortest prices that `percent` of the systems that agree most share, and the rounding under which they fit. */
function fittedPrices(
  units: readonly (readonly bigint[])[],
  amounts: readonly PicoUsd[],
  spans: readonly (readonly RatioSpan[])[],
  percent: number,
): Fitted | null {
  const width = units[0]?.length ?? 0;
  const texts = Array.from({ length: width }, (_, index) =>
    sharedDecimal(
      spans.map((prices) => prices[index] ?? null),
      percent,
    ),
  ).flatMap((price) => (price === null || price.digits < 0n ? [] : [formatDecimal(normalise(price))]));
  if (texts.length < width) return null;
  const exact = units.map((counts) => sumOf(counts, texts));
  const inferred = inferRounding(
    exact.flatMap((sum, index) => {
      const charged = amounts[index];
      return charged === undefined ? [] : [{ exact: sum, charged }];
    }),
  );
  return inferred === null ? null : { texts, exact, inferred };
}

function isGiven(exact: Rational | undefined, amount: PicoUsd, { quantum, mode }: Rounding): boolean {
  const step = parseDecimal(quantum);
  if (exact === undefined || step === null) return false;
  return amountOf(roundToQuantum(exact, step, mode)) === amount;
}

/** The coarsest step that nearly all amounts are multiples of. */
function gridOf(amounts: readonly PicoUsd[]): PicoUsd {
  const steps = GRID.filter((step) => {
    const multiples = amounts.filter((amount) => amount % step === 0n).length;
    return multiples * 100 >= amounts.length * LEAST_PERCENT;
  });
  return steps[0] ?? 1n;
}

/** How far below and above an amount its unrounded sum may lie. */
type Room = 'nearest' | 'down' | 'up';
const ROOMS: readonly Room[] = ['nearest', 'down', 'up'];

function roomOf(room: Room, quantum: PicoUsd): readonly [below: PicoUsd, above: PicoUsd] {
  if (room === 'nearest') return [(quantum + 1n) / 2n, (quantum + 1n) / 2n];
  return room === 'down' ? [0n, quantum] : [quantum, 0n];
}

/** What each price may be by one system: USD for a million units. */
function pricesOf(
  { solution, places }: System,
  amounts: readonly PicoUsd[],
  [below, above]: readonly [PicoUsd, PicoUsd],
): readonly RatioSpan[] {
  return solution.map((row) => {
    let lo = RATIONAL_ZERO;
    let hi = RATIONAL_ZERO;
    row.forEach(({ num, den }, index) => {
      const amount = amounts[places[index] ?? 0] ?? 0n;
      const least = num * (amount - below) * MILLION;
      const most = num * (amount + above) * MILLION;
      lo = addRational(lo, { num: num < 0n ? most : least, den: den * PICO });
      hi = addRational(hi, { num: num < 0n ? least : most, den: den * PICO });
    });
    return { lo, hi };
  });
}

interface System {
  readonly solution: readonly (readonly Rational[])[];
  /** The charges that it is of. */
  readonly places: readonly number[];
}

/** Groups of charges far apart from each other, each charge in several groups. */
function systemsOf(rows: readonly (readonly bigint[])[], size: number): readonly (readonly number[])[] {
  const bySize = rows
    .map((units, index) => ({ index, total: units.reduce((sum, count) => sum + count, 0n) }))
    .sort((left, right) =>
      left.total < right.total ? -1 : left.total > right.total ? 1 : left.index - right.index,
    );
  const step = Math.max(1, Math.floor(rows.length / size));
  const systems: number[][] = [];
  for (let turn = 0; turn < MOST_SYSTEMS; turn += 1) {
    const places = Array.from({ length: size }, (_, part) => {
      const place =
        (turn * (part + 1) + part * step + part * part * Math.floor(turn / rows.length)) % rows.length;
      return bySize[place]?.index ?? 0;
    });
    if (new Set(places).size === size) systems.push(places);
  }
  return systems;
}

function sumOf(units: readonly bigint[], perMillion: readonly string[]): Rational {
  return units.reduce<Rational>((sum, count, index) => {
    const price = parseDecimal(perMillion[index] ?? '0');
    const each = price === null ? RATIONAL_ZERO : rationalOf(price);
    return addRational(sum, { num: each.num * count, den: each.den * MILLION });
  }, RATIONAL_ZERO);
}
