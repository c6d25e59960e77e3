import type { Confidence, FaultClass } from '../../contracts/fault-class.ts';
import type { PriceBook } from '../../contracts/price-book.ts';
import type { ChargeContext } from '../../pricebook/charge/charge-context.ts';
import type { ChargeFacts } from '../../pricebook/charge/charge-facts.ts';
import { exactlySpan, type Hypothesis, ONE_ROW, RANK } from './hypothesis.ts';
import { type PricedRow, priceOf } from './mismatched-row.ts';
import { roundingOf } from './rounding-of.ts';
import { tieSpan } from './tie-span.ts';

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

/** A count of the facts as a figure; 0 where it is not one. */
export function knownCount(quantity: ChargeFacts['input']): bigint {
  return typeof quantity === 'bigint' ? quantity : 0n;
}
