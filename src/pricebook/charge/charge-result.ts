import type { ChargeLine } from '../../contracts/reconciliation.ts';
import type { PicoUsd } from '../../core/amount.ts';
import type { Rational } from '../../core/rational.ts';
import type { Unpriced } from './unpriced.ts';

/** A charge in USD: an exact fraction, rounded by the book's rule; an interval where a fact is bounded. */
export interface Charge {
  /** Before the last rounding; null where the facts leave an interval. */
  readonly exact: Rational | null;
  /** Lowest and highest rounded charge; equal for a point. */
  readonly lo: PicoUsd;
  readonly hi: PicoUsd;
  /** The one rounded charge; null where the facts leave an interval, or nothing rounds a longer fraction. */
  readonly rounded: PicoUsd | null;
  readonly lines: readonly ChargeLine[];
  /** Such as `context_len > 200000`; null below the first threshold, and where several tiers are possible. */
  readonly tier: string | null;
  /** Where the prices come from: the price list, an agreement or a book made by hand, or the charges themselves. */
  readonly grade: 'published' | 'declared' | 'inferred';
  /** What was taken as given although the book or the facts do not say it. */
  readonly warnings: readonly string[];
}

export type ChargeResult = Charge | Unpriced;
