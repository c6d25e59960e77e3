import type { Finding } from '../core/finding.ts';
import type { JudgedCall } from '../core/reconciliation.ts';
import { chargedOf } from './billing-settings.ts';
import { chooseRecord } from './choose-record.ts';
import { deadlineOf } from './deadline.ts';
import { duplicateFindings } from './duplicate-findings.ts';
import { expectedCharge } from './expected-charge.ts';
import { judgeCharge } from './judge-charge.ts';
import { bookOf, hasPassed, type JudgeContext } from './judge-context.ts';
import { judgeMissing } from './judge-missing.ts';
import { judgeRecord } from './judge-record.ts';
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
  const extraCharges = extras.map((record) => chargedOf(record, context.settings) ?? 0n);
  const duplicates = duplicateFindings(context, call, main, extras);
  const own = group.flatMap((record) => judgeRecord(context, record, call));
  const charged = chargedOf(main, context.settings);
  const state = stateOf(context, call, main);
  const findings: Finding[] = [...own, ...duplicates];
  let checked: Checked = 'not_checkable';
  let verdict: JudgedCall['verdict'] = 'not_checkable';
  let why: string;
  if (state !== null) {
    why = state.why;
    checked = state.provisional ? 'provisional' : 'not_checkable';
    verdict = state.provisional ? 'provisional' : 'not_checkable';
  } else if (charged === null) {
    why = `the amount ${JSON.stringify(main.amount.text)} cannot be read exactly`;
  } else if ('unknown' in expectation) {
    why = expectation.unknown;
  } else {
    const judged = judgeCharge(context, call, main, charged, expectation);
    findings.push(...judged.findings);
    why = judged.why;
    checked = expectation.point === null ? 'within_bounds' : 'to_the_digit';
    verdict = checked;
  }
  const final = findings.filter(({ provisional, severity }) => !provisional && severity !== 'S4');
  if (final.length > 0) verdict = 'finding';
  const total = extraCharges.reduce((sum, extra) => sum + extra, charged ?? 0n);
  return {
    calls: [
      judgedCall(call, group, match, {
        expectation,
        charged: charged === null ? null : total,
        verdict,
        why: final.length > 0 ? `${why}; ${final.map((finding) => finding.class).join(', ')}` : why,
      }),
    ],
    findings,
    money: [
      judgedMoney(charged ?? 0n, checked, checked === 'provisional' ? null : boundsOf(expectation)),
      ...extraCharges.map(surplusMoney),
    ],
  };
}

/** A record that is not final cannot be compared with a price. */
function stateOf(
  context: JudgeContext,
  call: PaidCall,
  record: ServedRecord,
): { readonly why: string; readonly provisional: boolean } | null {
  if (record.billing_status === 'pending') {
    const late = hasPassed(context, call.ended_ms, deadlineOf(call.kind, call.text));
    return { why: late ? 'pending past its deadline' : 'pending', provisional: !late };
  }
  if (record.billing_status === 'settled' || record.billing_status === 'refunded') return null;
  return { why: `billing status ${JSON.stringify(record.billing_status)}`, provisional: false };
}
