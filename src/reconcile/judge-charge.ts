import type { PicoUsd } from '../core/amount.ts';
import type { Finding } from '../core/finding.ts';
import { amountRule } from './amount-rule.ts';
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
  charged: PicoUsd,
  expected: Expected,
): { readonly findings: readonly Finding[]; readonly why: string } {
  const about: About = {
    evidence: evidenceOf(record, call),
    request_id: record.request_id,
    call_id: call.call_id,
    model: call.model,
  };
  const due = recordDue(call);
  if (due === 'free' || due === 'never') return free(call, record, charged, about);
  if (expected.point !== null) return point(context, call, record, charged, expected, expected.point, about);
  return interval(context, call, record, charged, expected, about);
}

type About = Pick<FindingParts, 'evidence' | 'request_id' | 'call_id' | 'model'>;
type Judged = { readonly findings: readonly Finding[]; readonly why: string };

function free(call: PaidCall, record: ServedRecord, charged: PicoUsd, about: About): Judged {
  if (charged <= 0n)
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
        delta: charged,
        explanation: `${reasonOf(call)}, so nothing is due, but record ${record.id} charges ${usd(charged)}.`,
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
  charged: PicoUsd,
  expected: Expected,
  due: PicoUsd,
  about: About,
): Judged {
  const book = bookOf(context, record);
  const differences = tokenDifferences(context.settings, call, record);
  const byTokens = book === null ? null : chargeOfRecordTokens(context, record, call.model, book);
  const findings: Finding[] = [];
  // The difference in the tokens explains what the record's own tokens cost more; the rest is in the amount.
  const explained = differences.length === 0 || charged === due ? due : (byTokens ?? charged);
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
        delta: explained - due,
        explanation: `Record ${record.id} counts other tokens than the answer: ${told.join('; ')}. By the answer ${usd(due)} is due.`,
        next_step: 'Claim the difference with the request id and the usage object of the answer.',
      }),
    );
  }
  if (charged !== explained) {
    const nothing = charged === 0n;
    findings.push(
      makeFinding({
        ...about,
        class: nothing ? 'uncharged_success' : 'amount_mismatch',
        rule: nothing ? record.billing_status : ruleOf(context, call, record, charged, expected),
        confidence: 'proved',
        delta: charged - explained,
        explanation: `${usd(explained)} is due by the price book, record ${record.id} charges ${usd(charged)}: a difference of ${usd(charged - explained)}.`,
        next_step: nothing
          ? 'Nothing to claim; tell the operator that a finished call was not charged.'
          : 'Claim the difference with the request id and the price line.',
      }),
    );
  }
  const right = findings.length === 0;
  return {
    findings,
    why: right ? `charged ${usd(charged)}, as due` : `due ${usd(due)}, charged ${usd(charged)}`,
  };
}

function ruleOf(
  context: JudgeContext,
  call: PaidCall,
  record: ServedRecord,
  charged: PicoUsd,
  expected: Expected,
): string {
  const book = bookOf(context, record);
  return book === null || expected.facts === null
    ? 'amount'
    : amountRule(book, call.model, expected.facts, charged);
}

function interval(
  context: JudgeContext,
  call: PaidCall,
  record: ServedRecord,
  charged: PicoUsd,
  expected: Expected,
  about: About,
): Judged {
  const bounds = `between ${usd(expected.lo)} and ${usd(expected.hi)}`;
  if (charged === 0n && expected.zero_allowed)
    return { findings: [], why: `not charged; ${bounds} was possible` };
  if (charged < expected.lo || charged > expected.hi) {
    const over = charged > expected.hi;
    return {
      findings: [outside(call, record, charged, expected, over, bounds, about)],
      why: `due ${bounds}`,
    };
  }
  const book = bookOf(context, record);
  const byTokens = book === null ? null : chargeOfRecordTokens(context, record, call.model, book);
  if (byTokens === null || byTokens === charged) {
    const own = byTokens === null ? '' : ', and its own tokens price to that amount';
    return { findings: [], why: `charged ${usd(charged)}, ${bounds} is due${own}` };
  }
  return {
    findings: [
      makeFinding({
        ...about,
        class: 'amount_mismatch',
        rule: 'own_tokens',
        confidence: 'proved',
        delta: charged - byTokens,
        explanation: `Record ${record.id} charges ${usd(charged)}, but its own token counts price to ${usd(byTokens)}.`,
        next_step: 'Claim the difference with the request id and the price line.',
      }),
    ],
    why: `due ${bounds}`,
  };
}

function outside(
  call: PaidCall,
  record: ServedRecord,
  charged: PicoUsd,
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
      ? charged === 0n
        ? 'uncharged_success'
        : 'amount_mismatch'
      : serverError
        ? 'charged_on_server_error'
        : over
          ? 'disconnect_overcharge'
          : 'disconnect_undercharge',
    rule: over ? 'above_bound' : 'below_bound',
    confidence: 'bounded',
    delta: { min: charged - expected.hi, max: charged - (expected.zero_allowed && over ? 0n : expected.lo) },
    explanation: `The call ended as ${call.outcome}; ${bounds} can be due, record ${record.id} charges ${usd(charged)}.`,
    next_step: over
      ? 'Claim what exceeds the upper bound with the request id.'
      : 'Nothing to claim; tell the operator that delivered output was charged too low.',
  });
}
