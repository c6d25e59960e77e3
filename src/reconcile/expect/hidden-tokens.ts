import type { PriceBook } from '../../contracts/price-book.ts';
import type { PicoUsd } from '../../core/amount.ts';
import type { ChargeFacts } from '../../pricebook/charge/charge-facts.ts';
import { evaluateCharge } from '../../pricebook/charge/evaluate-charge.ts';
import { entriesOf } from '../../pricebook/charge/match-model.ts';
import { withinUnit } from '../books/book-trust.ts';
import { isRecordCall } from '../match/record-calls.ts';
import type { PaidCall } from '../records/paid-call.ts';
import type { ServedRecord } from '../records/served-record.ts';
import { chargeContext } from './call-facts.ts';
import { chargeOf, overlaps } from './charge.ts';
import type { JudgeContext } from './judge-context.ts';

export const HIDDEN =
  'a record need not count reasoning tokens, and a whole number of them makes up what it charges beyond';

/**
 * True where a record charges more than these facts cost, by a whole number of output tokens, and no document tells that
 * it counts those of reasoning.
 */
export function isMadeOfHidden(
  context: JudgeContext,
  book: PriceBook,
  { call, record, facts, ...due }: HiddenTokens,
): boolean {
  const { lo, hi } = withinUntold(context, book, call, due);
  const charge = record === null ? null : chargeOf(record, context.settings);
  if (charge === null || charge.lo <= hi) return false;
  const { output } = facts;
  if (!call.text || typeof output !== 'bigint' || lo > hi) return false;
  if (countsReasoning(book, call.model)) return false;
  const by = chargeContext(context, call);
  const withMore = (more: bigint): PicoUsd | null => {
    const dearer = evaluateCharge(book, { ...facts, output: output + more }, by);
    return 'unpriced' in dearer ? null : dearer.lo;
  };
  const far = withMore(FAR);
  if (far === null || far <= lo) return false;
  const near = ((charge.lo - lo) * FAR) / (far - lo);
  return [near, near + 1n].some((more) => {
    const dearer = withMore(more);
    return (
      dearer !== null && more > 0n && overlaps(charge, { lo: dearer - (hi - lo), hi: dearer + (hi - lo) })
    );
  });
}

/**
 * By records alone a rounding that no document tells is learnt from those without hidden tokens, which may all stand on
 * a coarser grid by chance.
 */
function withinUntold(
  { shelf }: JudgeContext,
  book: PriceBook,
  { call_id, model, kind }: PaidCall,
  due: Pick<HiddenTokens, 'lo' | 'hi'>,
): Pick<HiddenTokens, 'lo' | 'hi'> {
  const trust = shelf.trustOf(book, model, kind);
  return isRecordCall(call_id) && trust.kind === 'undeclared' ? withinUnit(trust.unit, due) : due;
}

interface HiddenTokens {
  readonly call: PaidCall;
  readonly record: ServedRecord | null;
  readonly facts: ChargeFacts;
  readonly lo: PicoUsd;
  readonly hi: PicoUsd;
}

/** So many tokens tell the price of one, whatever a charge is rounded to. */
const FAR = 1_000_000n;

/** Whether a document tells that output tokens of the model's records hold those of reasoning. */
export function countsReasoning(book: PriceBook, model: string): boolean {
  return entriesOf(book, model).every(
    ({ usage_semantics }) => (usage_semantics ?? book.usage_semantics).output_includes_reasoning === 'yes',
  );
}
