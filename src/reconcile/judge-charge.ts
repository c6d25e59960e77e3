import type { PicoUsd } from '../core/amount.ts';
import type { Finding } from '../core/finding.ts';
import { amountRule } from './amount-rule.ts';
import { type Charge, chargeText, deltaOf, exactly, exactOf, isZero, NO_CHARGE, overlaps } from './charge.ts';
import { chargeOfRecordTokens, type Expected } from './expected-charge.ts';
import { bookOf, type JudgeContext } from './judge-context.ts';
import { evidenceOf } from './judge-record.ts';
import { type FindingParts, makeFinding, usd } from './make-finding.ts';
import type { PaidCall } from './paid-call.ts';
import { isRejected, recordDue } from './record-due.ts';
import type { ServedRecord } from './served-record.ts';
import { tokenDifferences } from './token-differences.ts';

/** Compares a final charge with what the call should cost. */
export function judgeCharge(
  context: JudgeContext,
  call: PaidCall,
  record: ServedRecord,
  charge: Charge,
  expected: Expected,
): { readonly findings: readonly Finding[]; readonly why: string } {
  const about: About = {
    evidence: evidenceOf(record, call),
    request_id: record.request_id,
    call_id: call.call_id,
    model: call.model,
  };
  const due = recordDue(call);
  if (due === 'free' || due === 'never') return free(call, record, charge, about);
  if (expected.point !== null) return point(context, call, record, charge, expected, expected.point, about);
  return interval(context, call, record, charge, expected, about);
}

type About = Pick<FindingParts, 'evidence' | 'request_id' | 'call_id' | 'model'>;
type Judged = { readonly findings: readonly Finding[]; readonly why: string };

function free(call: PaidCall, record: ServedRecord, charge: Charge, about: About): Judged {
  if (charge.lo <= 0n)
    return { findings: [], why: `${reasonOf(call)}: nothing is due and nothing was charged` };
  if (record.billing_status === 'refunded') {
    return { findings: [], why: `${reasonOf(call)}: nothing is due, and the record says refunded` };
  }
  const rejected = isRejected(call);
  const failed = call.outcome === 'task_failed';
  return {
    findings: [
      makeFinding({
        ...about,
        class: rejected ? 'charged_on_rejected' : failed ? 'failed_task_not_refunded' : 'phantom_record',
        rule: rejected ? `status_${call.row?.status ?? 0}` : failed ? 'charged' : 'call_never_sent',
        confidence: 'proved',
        delta: deltaOf(charge, NO_CHARGE),
        explanation: `${reasonOf(call)}, so nothing is due, but record ${record.id} charges ${chargeText(charge)}.`,
        next_step: 'Claim the charge with the request id.',
      }),
    ],
    why: `${reasonOf(call)}: nothing is due`,
  };
}

function reasonOf(call: PaidCall): string {
  if (isRejected(call)) return `The call was refused with status ${call.row?.status ?? 0}`;
  return call.outcome === 'task_failed' ? 'The task failed' : 'The call never reached the target';
}

function point(
  context: JudgeContext,
  call: PaidCall,
  record: ServedRecord,
  charge: Charge,
  expected: Expected,
  due: PicoUsd,
  about: About,
): Judged {
  const book = bookOf(context, record);
  const differences = tokenDifferences(context.settings, call, record);
  const byTokens = book === null ? null : chargeOfRecordTokens(context, record, call.model, book);
  const findings: Finding[] = [];
  // The difference in the tokens explains what the record's own tokens cost more; the rest is in the amount.
  const fits = overlaps(charge, exactly(due));
  const explained =
    differences.length === 0 || fits ? exactly(due) : byTokens === null ? charge : exactly(byTokens);
  if (differences.length > 0) {
    const told = differences.map(
      ({ field, client, recorded }) => `${field} ${client} told, ${recorded} recorded`,
    );
    findings.push(
      makeFinding({
        ...about,
        class: 'token_mismatch',
        rule: differences.map(({ field }) => field).join('+'),
        confidence: 'proved',
        delta: deltaOf(explained, exactly(due)),
        explanation: `Record ${record.id} counts other tokens than the answer: ${told.join('; ')}. By the answer ${usd(due)} is due.`,
        next_step: 'Claim the difference with the request id and the usage object of the answer.',
      }),
    );
  }
  if (!overlaps(charge, explained)) {
    const nothing = isZero(charge);
    findings.push(
      makeFinding({
        ...about,
        class: nothing ? 'uncharged_success' : 'amount_mismatch',
        rule: nothing ? record.billing_status : ruleOf(context, call, record, charge, expected),
        confidence: 'proved',
        delta: deltaOf(charge, explained),
        explanation: `${chargeText(explained)} is due by the price book, record ${record.id} charges ${chargeText(charge)}.`,
        next_step: nothing
          ? 'Nothing to claim; tell the operator that a finished call was not charged.'
          : 'Claim the difference with the request id and the price line.',
      }),
    );
  }
  const right = findings.length === 0;
  return {
    findings,
    why: right ? `charged ${chargeText(charge)}, as due` : `due ${usd(due)}, charged ${chargeText(charge)}`,
  };
}

function ruleOf(
  context: JudgeContext,
  call: PaidCall,
  record: ServedRecord,
  charge: Charge,
  expected: Expected,
): string {
  const book = bookOf(context, record);
  const exact = exactOf(charge);
  return book === null || expected.facts === null || exact === null
    ? 'amount'
    : amountRule(book, call.model, expected.facts, exact);
}

function interval(
  context: JudgeContext,
  call: PaidCall,
  record: ServedRecord,
  charge: Charge,
  expected: Expected,
  about: About,
): Judged {
  const bounds = `between ${usd(expected.lo)} and ${usd(expected.hi)}`;
  if (isZero(charge) && expected.zero_allowed)
    return { findings: [], why: `not charged; ${bounds} was possible` };
  if (!overlaps(charge, expected)) {
    const over = charge.lo > expected.hi;
    return {
      findings: [outside(call, record, charge, expected, over, bounds, about)],
      why: `due ${bounds}`,
    };
  }
  const book = bookOf(context, record);
  const byTokens = book === null ? null : chargeOfRecordTokens(context, record, call.model, book);
  if (byTokens === null || overlaps(charge, exactly(byTokens))) {
    const own = byTokens === null ? '' : ', and its own tokens price to that amount';
    return { findings: [], why: `charged ${chargeText(charge)}, ${bounds} is due${own}` };
  }
  return {
    findings: [
      makeFinding({
        ...about,
        class: 'amount_mismatch',
        rule: 'own_tokens',
        confidence: 'proved',
        delta: deltaOf(charge, exactly(byTokens)),
        explanation: `Record ${record.id} charges ${chargeText(charge)}, but its own token counts price to ${usd(byTokens)}.`,
        next_step: 'Claim the difference with the request id and the price line.',
      }),
    ],
    why: `due ${bounds}`,
  };
}

function outside(
  call: PaidCall,
  record: ServedRecord,
  charge: Charge,
  expected: Expected,
  over: boolean,
  bounds: string,
  about: About,
): Finding {
  const serverError = call.outcome === 'http_error' && over;
  const certain = recordDue(call) === 'must';
  return makeFinding({
    ...about,
    class: certain
      ? isZero(charge)
        ? 'uncharged_success'
        : 'amount_mismatch'
      : serverError
        ? 'charged_on_server_error'
        : over
          ? 'disconnect_overcharge'
          : 'disconnect_undercharge',
    rule: over ? 'above_bound' : 'below_bound',
    confidence: 'bounded',
    delta: {
      min: charge.lo - expected.hi,
      max: charge.hi - (expected.zero_allowed && over ? 0n : expected.lo),
    },
    explanation: `The call ended as ${call.outcome}; ${bounds} can be due, record ${record.id} charges ${chargeText(charge)}.`,
    next_step: over
      ? 'Claim what exceeds the upper bound with the request id.'
      : 'Nothing to claim; tell the operator that delivered output was charged too low.',
  });
}
