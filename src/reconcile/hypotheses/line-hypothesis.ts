import { AMOUNT_SCALE, type PicoUsd, parseAmount } from '../../core/amount.ts';
import type { Confidence, FaultClass } from '../../core/fault-class.ts';
import type { PriceBook, Rounding } from '../../core/price-book.ts';
import type { Rational } from '../../core/rational.ts';
import type { ChargeContext } from '../../pricebook/charge-context.ts';
import type { ChargeFacts } from '../../pricebook/charge-facts.ts';
import { type AmountSpan, exactlySpan, type Hypothesis, ONE_ROW, RANK } from './hypothesis.ts';
import { type PricedRow, priceOf } from './mismatched-row.ts';
import { roundingOf } from './rounding-of.ts';

const PICO = 10n ** BigInt(AMOUNT_SCALE);

/** The price expression over a changed book, facts or context. */
export function lineHypothesis(parts: {
  readonly name: string;
  readonly class: FaultClass;
  readonly told: string;
  readonly rank?: number;
  readonly confidence?: Confidence;
  readonly needs?: Hypothesis['needs'];
  /** Whether it can make a difference to the row at all. */
  readonly applies?: (row: PricedRow) => boolean;
  readonly book?: PriceBook;
  readonly facts?: (facts: ChargeFacts) => ChargeFacts | null;
  readonly context?: (context: ChargeContext) => ChargeContext;
}): Hypothesis {
  const { applies, book, facts: changed, context: moved } = parts;
  return {
    name: parts.name,
    class: parts.class,
    rank: parts.rank ?? RANK.price_line,
    confidence: parts.confidence ?? 'proved',
    told: parts.told,
    needs: parts.needs ?? ONE_ROW,
    general: false,
    charge(row) {
      if (applies !== undefined && !applies(row)) return null;
      const facts = changed === undefined ? row.facts : changed(row.facts);
      if (facts === null) return null;
      const context = moved === undefined ? row.context : moved(row.context);
      const by = book ?? row.book;
      const price = priceOf(by, facts, context);
      if (price === null) return null;
      return row.rounding_open ? tieSpan(price, roundingOf(by, context.model)) : exactlySpan(price.rounded);
    },
  };
}

/** Where the rounding is not told, a sum in the middle between two amounts may have become either. */
function tieSpan(
  { exact, rounded }: { readonly exact: Rational; readonly rounded: PicoUsd },
  rounding: Rounding,
): AmountSpan {
  const quantum = parseAmount(rounding.quantum);
  if (quantum === null || quantum <= 0n) return exactlySpan(rounded);
  // In halves of the quantum: odd and whole in the middle.
  const num = 2n * exact.num * PICO;
  const den = exact.den * quantum;
  const halves = num / den;
  if (num % den !== 0n || halves % 2n === 0n) return exactlySpan(rounded);
  const lo = ((halves - 1n) / 2n) * quantum;
  return { lo, hi: lo + quantum };
}

/** A count of the facts as a figure; 0 where it is not one. */
export function countOf(quantity: ChargeFacts['input']): bigint {
  return typeof quantity === 'bigint' ? quantity : 0n;
}
