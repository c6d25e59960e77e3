import type { Finding } from '../../contracts/finding.ts';
import { type AmountBounds, chargeText } from '../expect/charge.ts';
import type { UntoldCharge } from '../expect/untold-charge.ts';
import type { PaidCall } from '../records/paid-call.ts';
import type { ServedRecord } from '../records/served-record.ts';
import { signedUsdText } from '../records/sum-amounts.ts';
import { evidenceOf } from './evidence-of.ts';
import { makeFinding } from './make-finding.ts';

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
