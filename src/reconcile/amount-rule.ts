import type { PicoUsd } from '../core/amount.ts';
import type { PriceBook } from '../core/price-book.ts';
import { ROUNDING_MODES } from '../core/rounding.ts';
import type { ChargeFacts } from '../pricebook/charge-facts.ts';
import { evaluateCharge } from '../pricebook/evaluate-charge.ts';

/** Names the first simple fault that explains a wrong amount to the digit; `amount` where none does. */
export function amountRule(book: PriceBook, model: string, facts: ChargeFacts, charged: PicoUsd): string {
  const right = evaluateCharge(book, model, facts);
  if (!('unpriced' in right) && right.rounded !== null && right.rounded > 0n) {
    if (charged === right.rounded * 2n) return 'charged_twice_in_one_record';
    for (const mode of ROUNDING_MODES) {
      const other = evaluateCharge({ ...book, rounding: { ...book.rounding, mode } }, model, facts);
      if (!('unpriced' in other) && other.rounded === charged) return `rounding:${mode}`;
    }
  }
  for (const [rule, changed] of alternatives(facts)) {
    const other = evaluateCharge(book, model, changed);
    if (!('unpriced' in other) && other.rounded === charged) return rule;
  }
  return 'amount';
}

function alternatives(facts: ChargeFacts): readonly (readonly [string, ChargeFacts])[] {
  const { input, cache_read: read, cache_write: write } = facts;
  if (typeof input !== 'bigint' || typeof read !== 'bigint' || typeof write !== 'bigint') return [];
  if (read + write === 0n) return [];
  return [
    ['cache_counted_twice', { ...facts, input: input + read + write }],
    ['cache_at_input_price', { ...facts, cache_read: 0n, cache_write: 0n }],
  ];
}
