import type { PicoUsd } from '../../core/amount.ts';
import type { ChargeFacts } from '../../pricebook/charge-facts.ts';
import { evaluateCharge } from '../../pricebook/evaluate-charge.ts';
import { chargeContext } from '../books/expected-charge.ts';
import { bookOf, type JudgeContext } from '../judges/judge-context.ts';
import type { JudgedSubject } from '../judges/judgement.ts';

/**
 * What the call costs with `told` tokens of a kind beyond what it costs with `own`; null where that is not known, or
 * where a part of the input that is priced by itself would be larger than the whole.
 */
export function worthOf(
  context: JudgeContext,
  { call, record, expectation }: JudgedSubject,
  field: 'input' | 'output',
  { told, own }: { readonly told: bigint; readonly own: bigint },
): PicoUsd | null {
  const book = bookOf(context, record);
  if (book === null || 'unknown' in expectation || expectation.facts === null) return null;
  const { facts } = expectation;
  const charge = (tokens: bigint): PicoUsd | null => {
    const of: ChargeFacts = { ...facts, [field]: tokens };
    const result = evaluateCharge(book, of, chargeContext(context, call));
    return 'unpriced' in result ? null : result.rounded;
  };
  const parts = field === 'input' ? [facts.cache_read, facts.cache_write] : [facts.reasoning];
  const known = parts.map((each) => (typeof each === 'bigint' ? each : 0n));
  if (own < known.reduce((total, tokens) => total + tokens, 0n)) return null;
  const [all, due] = [charge(told), charge(own)];
  return all === null || due === null ? null : all - due;
}
