import type { Finding } from '../../contracts/finding.ts';
import { chargeOf, chargeText, deltaOf, isCharging, NO_CHARGE } from '../expect/charge.ts';
import type { JudgeContext } from '../expect/judge-context.ts';
import type { PaidCall } from '../records/paid-call.ts';
import type { ServedRecord } from '../records/served-record.ts';
import { evidenceOf } from './evidence-of.ts';
import { makeFinding } from './make-finding.ts';
import { WARRANTS } from './warrants.ts';

/** One finding for every charge of a request beyond the first; `call` is null where it is not known which it was. */
export function duplicateFindings(
  context: JudgeContext,
  call: PaidCall | null,
  main: ServedRecord,
  extras: readonly ServedRecord[],
): readonly Finding[] {
  return extras.flatMap((record) => {
    const charge = chargeOf(record, context.settings);
    if (!isCharging(record) || charge === null || charge.hi <= 0n) return [];
    return [
      makeFinding({
        class: 'duplicate_charge',
        rule: 'second_settled_record',
        warrant: WARRANTS.sent_once,
        confidence: 'proved',
        delta: deltaOf(charge, NO_CHARGE),
        evidence: [...evidenceOf(record, call), `record:${main.id}`],
        request_id: record.request_id,
        call_id: call?.call_id ?? null,
        model: record.model,
        explanation:
          `Request ${record.request_id} was sent once and is charged again: record ${main.id} takes ` +
          `${chargeText(chargeOf(main, context.settings))}, record ${record.id} another ${chargeText(charge)}.`,
        next_step: 'Ask the operator what the second charge is for, with the request id and both record ids.',
      }),
    ];
  });
}
