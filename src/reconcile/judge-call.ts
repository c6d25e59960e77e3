import type { Finding } from '../core/finding.ts';
import type { JudgedCall } from '../core/reconciliation.ts';
import { type Charge, chargeOf, exactOf, isCharging, isZero, overlaps, sumCharges } from './charge.ts';
import { chooseRecord } from './choose-record.ts';
import { contradictions } from './contradictions.ts';
import { deadlineOf } from './deadline.ts';
import { duplicateFindings } from './duplicate-findings.ts';
import { expectedCharge } from './expected-charge.ts';
import { judgeCharge } from './judge-charge.ts';
import { bookOf, hasPassed, type JudgeContext } from './judge-context.ts';
import { judgeMissing } from './judge-missing.ts';
import { judgeRecord } from './judge-record.ts';
import { judgeReserve } from './judge-reserve.ts';
import { boundsOf, judgedCall } from './judged-call.ts';
import { type Checked, type Judgement, judgedMoney, surplusMoney } from './judgement.ts';
import type { PaidCall } from './paid-call.ts';
import type { ServedRecord } from './served-record.ts';

/** Judges one call with the records of its request id. */
export function judgeCall(
  context: JudgeContext,
  call: PaidCall,
  group: readonly ServedRecord[],
  match: JudgedCall['match'],
): Judgement {
  if (group.length === 0) return judgeMissing(context, call);
  const main = chooseRecord(context, call, group);
  const extras = group.filter((record) => record !== main);
  const expectation = expectedCharge(context, call, main, bookOf(context, main));
  const extraCharges = extras.map((record) => chargeOf(record, context.settings));
  const duplicates = duplicateFindings(context, call, main, extras);
  const own = group.flatMap((record) => judgeRecord(context, record, call));
  const charge = chargeOf(main, context.settings);
  const state = stateOf(context, call, main, charge);
  const asDue = charge !== null && !('unknown' in expectation) && canBe(charge, boundsOf(expectation));
  const contradicted = group.flatMap((record) =>
    contradictions(context, call, record, record === main && asDue),
  );
  const findings: Finding[] = [
    ...own,
    ...contradicted,
    ...duplicates,
    ...judgeReserve(context, call, main, charge),
  ];
  let checked: Checked = 'not_checkable';
  let verdict: JudgedCall['verdict'] = 'not_checkable';
  let why: string;
  if (state !== null) {
    why = state.why;
    checked = state.provisional ? 'provisional' : 'not_checkable';
    verdict = state.provisional ? 'provisional' : 'not_checkable';
  } else if (charge === null) {
    why = `the amount ${JSON.stringify(main.amount.text)} cannot be read`;
  } else if ('unknown' in expectation) {
    why = expectation.unknown;
  } else {
    const judged = judgeCharge(context, call, main, charge, expectation);
    findings.push(...judged.findings);
    why = judged.why;
    checked = expectation.point === null || exactOf(charge) === null ? 'within_bounds' : 'to_the_digit';
    verdict = checked;
  }
  const final = findings.filter(({ provisional, severity }) => !provisional && severity !== 'S4');
  if (final.length > 0) verdict = 'finding';
  return {
    calls: [
      judgedCall(call, group, match, {
        expectation,
        charge: sumCharges([charge, ...extraCharges]),
        verdict,
        why: final.length > 0 ? `${why}; ${final.map((finding) => finding.class).join(', ')}` : why,
      }),
    ],
    findings,
    money: [
      judgedMoney(charge, checked, checked === 'provisional' ? null : boundsOf(expectation)),
      ...extraCharges.map(surplusMoney),
    ],
  };
}

/** A record that is not final cannot be compared with a price. */
function stateOf(
  context: JudgeContext,
  call: PaidCall,
  record: ServedRecord,
  charge: Charge | null,
): { readonly why: string; readonly provisional: boolean } | null {
  if (record.billing_status === 'pending') {
    const late = hasPassed(context, call.ended_ms, deadlineOf(call.kind, call.text));
    return { why: late ? 'pending past its deadline' : 'pending', provisional: !late };
  }
  if (record.billing_status === 'settled' || record.billing_status === 'refunded') return null;
  // Whatever its name: an amount that was taken is judged as a charge.
  if (isCharging(record) && (charge === null || !isZero(charge))) return null;
  return { why: `billing status ${JSON.stringify(record.billing_status)}`, provisional: false };
}

function canBe(charge: Charge, bounds: Charge | null): boolean {
  return bounds !== null && overlaps(charge, bounds);
}
