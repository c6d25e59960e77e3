import type { Decimal } from '../../core/decimal.ts';
import { addRational, compareRational, type Rational } from '../../core/rational.ts';
import { divideRounded } from '../../core/rounding.ts';

/** Ratios from `lo` to `hi`, both inside. */
export interface RatioSpan {
  readonly lo: Rational;
  readonly hi: Rational;
}

/** More rows than this say no more about which ratio most of them share. */
const MOST_SPANS = 512;

/**
 * The shortest decimal that most of the spans hold; null where no two share one. `percent` of that most are enough: a
 * few wrong spans may cut a piece off what the right ones share.
 */
export function sharedDecimal(spans: readonly (RatioSpan | null)[], percent = 100): Decimal | null {
  const known = spans.filter((span) => span !== null);
  const every = Math.max(1, Math.ceil(known.length / MOST_SPANS));
  const shared = mostShared(
    known.filter((_, index) => index % every === 0),
    percent,
  );
  return shared === null ? null : shortestDecimal(shared);
}

/** Where most of the spans meet, and what lies beside it and nearly as many hold. */
function mostShared(spans: readonly RatioSpan[], percent: number): RatioSpan | null {
  const edges = spans
    .flatMap(({ lo, hi }) => [
      { at: lo, opens: true },
      { at: hi, opens: false },
    ])
    .sort((left, right) => compareRational(left.at, right.at) || Number(right.opens) - Number(left.opens));
  let depth = 0;
  const depths = edges.map(({ opens }) => {
    depth += opens ? 1 : -1;
    return depth;
  });
  const most = depths.reduce((held, each) => (each > held ? each : held), 0);
  if (most < 2) return null;
  const deepest = depths.indexOf(most);
  const least = Math.ceil((most * percent) / 100);
  let first = deepest;
  while ((depths[first - 1] ?? 0) >= least) first -= 1;
  let last = deepest;
  while ((depths[last] ?? 0) >= least) last += 1;
  const lo = edges[first]?.at;
  const hi = edges[last]?.at;
  return lo === undefined || hi === undefined ? null : { lo, hi };
}

const MOST_DECIMALS = 18;

/** The decimal of fewest digits inside a span; of several the one nearest to its middle. */
function shortestDecimal({ lo, hi }: RatioSpan): Decimal | null {
  for (let scale = 0; scale <= MOST_DECIMALS; scale += 1) {
    const power = 10n ** BigInt(scale);
    const least = divideRounded(lo.num * power, lo.den, 'ceil');
    const most = divideRounded(hi.num * power, hi.den, 'floor');
    if (least > most) continue;
    const middle = addRational(lo, hi);
    const nearest = divideRounded(middle.num * power, middle.den * 2n, 'half_up');
    return { digits: nearest < least ? least : nearest > most ? most : nearest, scale };
  }
  return null;
}
