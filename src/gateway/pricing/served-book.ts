import { ROUNDING_RULES, type RoundingRule } from '../prices/rounding-rule.ts';
import type { Readings } from '../readings/readings.ts';
import { perTokenBook } from './per-token-book.ts';
import type { PriceVersion } from './price-history.ts';
import { ratioBook } from './ratio-book.ts';

/** One version of the book in the layout of the readings, with or without the rules by which it is charged. */
export function servedBook(version: PriceVersion, readings: Readings): object {
  const rules = readings.book_declares ? declared(readings) : {};
  switch (readings.book_layout) {
    case 'plain': {
      const { rounding: _, usage_semantics: __, ...book } = version.book;
      return { ...book, ...rules };
    }
    case 'ratio':
      return { ...ratioBook(version), ...rules };
    case 'per_token':
      return { ...perTokenBook(version), ...rules };
  }
}

function declared({ rounding, input_tokens }: Readings): object {
  const { decimals, mode }: RoundingRule = ROUNDING_RULES[rounding];
  return {
    rounding: { scope: 'record', quantum: `0.${'1'.padStart(decimals, '0')}`, mode },
    usage_semantics: {
      input_includes_cache: input_tokens === 'with_cache',
      output_includes_reasoning: true,
    },
  };
}
