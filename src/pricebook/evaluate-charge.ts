import { AMOUNT_SCALE, amountOf, type PicoUsd } from '../core/amount.ts';
import { parseDecimal } from '../core/decimal.ts';
import type { Adjustment, PriceBook } from '../core/price-book.ts';
import { compareRational, multiplyRational, type Rational } from '../core/rational.ts';
import type { ChargeLine } from '../core/reconciliation.ts';
import { roundToQuantum } from '../core/rounding.ts';
import type { ChargeFacts } from './charge-facts.ts';
import { exact, type RationalSpan, rationalText } from './charge-term.ts';
import { tokenTerms } from './token-terms.ts';
import { unitTerms } from './unit-terms.ts';

/** A charge in USD: an exact fraction, rounded once by the book's rule; an interval where a fact is bounded. */
export interface Charge {
  /** Before rounding; null where the facts leave an interval. */
  readonly exact: Rational | null;
  /** Lowest and highest rounded charge; equal for a point. */
  readonly lo: PicoUsd;
  readonly hi: PicoUsd;
  /** The one rounded charge; null where the facts leave an interval. */
  readonly rounded: PicoUsd | null;
  readonly lines: readonly ChargeLine[];
}

export type ChargeResult = Charge | { readonly unpriced: string };

/** What `book` charges for one call of `model` with these facts. */
export function evaluateCharge(book: PriceBook, model: string, facts: ChargeFacts): ChargeResult {
  const entry = book.models.find((candidate) => candidate.model === model);
  if (entry === undefined) return { unpriced: `the book has no model ${JSON.stringify(model)}` };
  const terms = entry.kind === 'text' ? tokenTerms(entry, facts) : unitTerms(entry, facts);
  if ('unpriced' in terms) return terms;
  const adjustments = adjustmentsOf(book, model);
  const sum = adjusted(terms.sum, adjustments);
  const lo = rounded(book, sum.lo);
  const hi = rounded(book, sum.hi);
  const point = compareRational(sum.lo, sum.hi) === 0;
  return {
    exact: point ? sum.lo : null,
    lo,
    hi,
    rounded: point ? lo : null,
    lines: [...terms.lines, ...adjustments.map(adjustmentLine)],
  };
}

/** The factors that apply to a model, in the book's order. */
export function adjustmentsOf(book: PriceBook, model: string): readonly Adjustment[] {
  return book.adjustments.filter((adjustment) => adjustment.model === null || adjustment.model === model);
}

function adjusted(sum: RationalSpan, adjustments: readonly Adjustment[]): RationalSpan {
  return adjustments.reduce<RationalSpan>((span, { factor }) => {
    const by = exact(factor);
    return { lo: multiplyRational(span.lo, by), hi: multiplyRational(span.hi, by) };
  }, sum);
}

function adjustmentLine({ name, factor }: Adjustment): ChargeLine {
  return {
    meter: `adjustment:${name}`,
    units: '1',
    price: factor,
    per: '1',
    subtotal: `× ${rationalText(exact(factor))}`,
  };
}

function rounded(book: PriceBook, value: Rational): PicoUsd {
  const quantum = parseDecimal(book.rounding.quantum);
  const amount = quantum === null ? null : amountOf(roundToQuantum(value, quantum, book.rounding.mode));
  if (amount === null) {
    throw new RangeError(
      `charge: the quantum ${book.rounding.quantum} needs more than ${AMOUNT_SCALE} decimals`,
    );
  }
  return amount;
}
