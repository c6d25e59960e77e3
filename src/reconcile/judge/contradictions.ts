import type { Finding } from '../../contracts/finding.ts';
import { UNKNOWN_SEMANTICS, type UsageSemantics } from '../../contracts/price-book.ts';
import { formatInstant } from '../../core/time.ts';
import { entriesOf } from '../../pricebook/charge/match-model.ts';
import { type AmountBounds, chargeOf, chargeText, isCharging } from '../expect/charge.ts';
import { bookOf, type JudgeContext } from '../expect/judge-context.ts';
import type { UntoldCharge } from '../expect/untold-charge.ts';
import { covers } from '../input/judged-sweep.ts';
import { isOneModel } from '../records/asked-model.ts';
import type { PaidCall } from '../records/paid-call.ts';
import type { ServedRecord } from '../records/served-record.ts';
import { signedUsdText } from '../records/sum-amounts.ts';
import { evidenceOf } from './evidence-of.ts';
import { makeFinding } from './make-finding.ts';
import { isLawfulCount, type TokenDifference, tokenDifferences, tokenFault } from './token-differences.ts';
import { WARRANTS } from './warrants.ts';

/** Clocks of client and target may differ by minutes, and nobody tells what created_at is the time of. */
const CLOCK_DIFFERENCE_MS = 15 * 60_000;

/**
 * Where a matched record contradicts the call that it stands for: other model, other time, other end.
 * `chargedAsDue`: its amount can be right for the model that was sent; null where nothing tells what is due.
 */
export function contradictions(
  context: JudgeContext,
  call: PaidCall,
  record: ServedRecord,
  chargedAsDue: boolean | null,
): readonly Finding[] {
  return [
    ...otherModel(context, call, record, chargedAsDue),
    ...otherTime(context, call, record),
    ...otherEnd(context, call, record),
  ];
}

/**
 * A target may record a model under names of its own: only that of another model, which its price list has or other
 * calls asked for, is a contradiction.
 */
function otherModel(
  context: JudgeContext,
  call: PaidCall,
  record: ServedRecord,
  chargedAsDue: boolean | null,
): readonly Finding[] {
  const { asked_model: named } = record;
  const unread = record.malformed.includes('model');
  if (unread || call.model === '' || isOneModel(named, call.model)) return [];
  // A route may serve another model, as the answer tells.
  if (isOneModel(named, call.row?.response_model ?? '')) return [];
  const names = context.recorded_as.get(call.model);
  const book = bookOf(context, record);
  if (names === undefined || names.size === 1) return [];
  const isSold = book !== null && entriesOf(book, named).length > 0;
  if (!isSold && context.recorded_as.get(named)?.has(named) !== true) return [];
  return [
    makeFinding({
      ...aboutOf(call, record),
      class: 'wrong_model_price',
      rule: 'record_model_differs',
      warrant: WARRANTS.answer,
      confidence: 'strong',
      ...(chargedAsDue === false ? {} : { severity: 'S3' as const }),
      // What the amount differs by is told by the finding about the amount.
      delta: null,
      explanation: `The call asked for ${call.model}, record ${record.id} names ${record.model}; ${amountText(chargedAsDue)} ${call.model}.`,
      next_step: 'Ask the operator which model answered and which one is charged.',
    }),
  ];
}

function amountText(chargedAsDue: boolean | null): string {
  if (chargedAsDue === null) return 'no price tells whether its amount is due for';
  return chargedAsDue ? 'its amount is right for' : 'its amount is not what is due for';
}

function otherTime(context: JudgeContext, call: PaidCall, record: ServedRecord): readonly Finding[] {
  if (record.created_at === null) return [];
  const created = record.created_at * 1000;
  // Whenever it settles, a record may be dated by that: only before its call it cannot be.
  const early = created < call.started_ms - CLOCK_DIFFERENCE_MS;
  const { sweep } = context;
  const unasked = !record.by_request_id && sweep.windows.length > 0 && !covers(sweep, record.created_at);
  if (!early && !unasked) return [];
  return [
    makeFinding({
      ...aboutOf(call, record),
      class: 'window_semantics',
      rule: 'record_outside_window',
      warrant: WARRANTS.windows,
      confidence: 'proved',
      delta: null,
      explanation:
        `Record ${record.id} has created_at ${record.created_at}, which is outside ${unasked ? 'the window it was read by' : 'the time of its call'}; ` +
        `the call ran from ${call.started_at} to ${formatInstant(call.ended_ms)}.`,
      next_step: 'Ask the operator what created_at tells: reads of a period depend on it.',
    }),
  ];
}

function otherEnd(context: JudgeContext, call: PaidCall, record: ServedRecord): readonly Finding[] {
  if (call.outcome !== 'ok' || record.result !== 'failed' || !isCharging(record)) return [];
  const charge = chargeOf(record, context.settings);
  if (charge === null || charge.hi <= 0n) return [];
  return [
    makeFinding({
      ...aboutOf(call, record),
      class: 'amount_mismatch',
      rule: 'failed_but_charged',
      warrant: WARRANTS.answer,
      confidence: 'strong',
      // The words of a result are the target's own; the amount is judged by itself.
      severity: 'S4',
      delta: null,
      explanation: `Record ${record.id} says that the call failed and charges ${chargeText(charge)}; the client got a complete answer.`,
      next_step: 'Ask the operator which of both holds: a failed call owes nothing.',
    }),
  ];
}

function aboutOf(call: PaidCall, record: ServedRecord) {
  return {
    evidence: evidenceOf(record, call),
    request_id: record.request_id === '' ? null : record.request_id,
    call_id: call.call_id,
    model: call.model,
  };
}

/** Where no price decides: other counts than the answer told, in no lawful way. What that comes to stays open. */
export function judgeCounts(context: JudgeContext, call: PaidCall, record: ServedRecord): readonly Finding[] {
  if (record.usage_estimated !== false) return [];
  const semantics = bookOf(context, record)?.usage_semantics ?? UNKNOWN_SEMANTICS;
  const differences = tokenDifferences(context.settings, call, record).filter(({ field }) =>
    isTold(semantics, call, field),
  );
  if (isLawfulCount(semantics, call, differences)) return [];
  const fault = tokenFault(call, record, differences, null);
  // The answer may leave out what the record counts.
  if (fault.class === 'reasoning_double_count') return [];
  return [
    makeFinding({
      ...aboutOf(call, record),
      ...fault,
      warrant: WARRANTS.answer,
      confidence: 'proved',
      delta: null,
    }),
  ];
}

/** Whether it is told what a count holds: what an answer leaves untold may stand inside, or beside. */
function isTold(
  { output_includes_reasoning }: UsageSemantics,
  { row }: PaidCall,
  field: TokenDifference['field'],
): boolean {
  const { reasoning, cache_read, cache_write } = row?.usage ?? {};
  // A record that leaves reasoning out counts no more than the answer, whatever that holds.
  if (field === 'output') return reasoning != null || output_includes_reasoning === 'no';
  return field !== 'input' || (cache_read != null && cache_write != null);
}

/** A charge that no whole number of units gives at any one price line, however many units the call had. */
export function judgeUntold(
  call: PaidCall,
  record: ServedRecord,
  charge: AmountBounds,
  { lo, hi, isPossible }: UntoldCharge,
): readonly Finding[] {
  // Nothing tells that what was given for nothing is owed.
  if (charge.hi <= 0n || isPossible(charge)) return [];
  const least = `at least ${signedUsdText(lo)} is due${hi === null ? '' : `, and at most ${signedUsdText(hi)}`}`;
  return [
    makeFinding({
      class: 'amount_mismatch',
      rule: 'no_multiple_of_a_price',
      // A factor that nobody told may lower the price of more units: only above all that may be due it is none.
      ...(hi !== null && charge.lo > hi ? {} : { severity: 'S4' as const }),
      warrant: WARRANTS.price_book,
      confidence: 'bounded',
      delta: hi === null ? null : { min: charge.lo - hi, max: charge.hi - lo },
      ...(charge.hi < lo ? { direction: 'under' as const } : {}),
      evidence: evidenceOf(record, call),
      request_id: record.request_id === '' ? null : record.request_id,
      call_id: call.call_id,
      model: record.model,
      explanation: `Record ${record.id} charges ${chargeText(charge)}, which no number of units at any price of ${record.model} makes; ${least}.`,
      next_step: 'Ask the operator how many units were charged at which price.',
    }),
  ];
}
