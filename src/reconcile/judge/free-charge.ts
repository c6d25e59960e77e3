import { declaredIn } from '../../contracts/billing-terms.ts';
import type { Finding } from '../../contracts/finding.ts';
import { type AmountBounds, chargeText, deltaOf, isCharging, NO_CHARGE } from '../expect/charge.ts';
import type { Expected } from '../expect/expected-charge.ts';
import { lacksUsage } from '../expect/flagged-estimates.ts';
import type { JudgeContext } from '../expect/judge-context.ts';
import { type FreeReason, sawOutput } from '../expect/policy.ts';
import type { PaidCall } from '../records/paid-call.ts';
import { isRejected } from '../records/record-due.ts';
import type { ServedRecord } from '../records/served-record.ts';
import { isDeadlineDeclared, type Wait, waitOfRecord } from './deadline.ts';
import { evidenceOf } from './evidence-of.ts';
import { type FindingParts, makeFinding } from './make-finding.ts';
import { declaration, WARRANTS } from './warrants.ts';
import { WORDING, type Words } from './wording.ts';

type About = Pick<FindingParts, 'evidence' | 'request_id' | 'call_id' | 'model'>;

/** The charge of a call for which nothing is due. `free`: why, where the call by itself does not tell. */
export function freeCharge(
  context: JudgeContext,
  call: PaidCall,
  record: ServedRecord,
  charge: AmountBounds,
  about: About,
  free: FreeReason | null,
): { readonly findings: readonly Finding[]; readonly why: string } {
  const reason = free === null ? reasonOf(call) : REASONS[free];
  // What one refunded record gives back too much is told of that record.
  if (charge.hi < 0n && record.role !== 'refunded') {
    const finding = makeFinding({
      ...about,
      class: 'double_refund',
      rule: 'records_of_call',
      confidence: 'proved',
      warrant: WARRANTS.credits_failed,
      delta: deltaOf(charge, NO_CHARGE),
      explanation: `${reason}: nothing is due, and its records give back ${chargeText(deltaBack(charge))} more than they charge.`,
      next_step: 'Nothing to claim; tell the operator that a refund was given twice.',
    });
    return { findings: [finding], why: `${reason}: more came back than was charged` };
  }
  if (charge.lo <= 0n) return { findings: [], why: `${reason}: nothing is due and nothing was charged` };
  if (record.role === 'refunded') {
    return { findings: [], why: `${reason}: nothing is due, and the record says refunded` };
  }
  const accused =
    free === null ? byOutcome(context, call, record, charge) : byReason(context, call, charge, free);
  const finding = makeFinding({ ...about, delta: deltaOf(charge, NO_CHARGE), ...accused });
  return { findings: [finding], why: `${reason}: nothing is due` };
}

function deltaBack({ lo, hi }: AmountBounds): AmountBounds {
  return { lo: -hi, hi: -lo };
}

type Accused = Pick<FindingParts, 'class' | 'rule' | 'confidence' | 'warrant'> & Words & Partial<Wait>;

function byOutcome(
  context: JudgeContext,
  call: PaidCall,
  record: ServedRecord,
  charge: AmountBounds,
): Accused {
  const words = {
    explanation: `${reasonOf(call)}, so nothing is due, but record ${record.id} charges ${chargeText(charge)}.`,
    next_step: 'Ask the operator what is charged, with the request id.',
  };
  const status = call.row?.status ?? 0;
  if (isRejected(call)) {
    return {
      class: 'charged_on_rejected',
      rule: `status_${status}`,
      confidence: 'proved',
      warrant: WARRANTS.charges_completed,
      ...words,
    };
  }
  if (call.outcome !== 'task_failed') {
    return {
      class: 'phantom_record',
      rule: 'call_never_sent',
      confidence: 'proved',
      warrant: WARRANTS.never_sent,
      ...words,
    };
  }
  const wait = waitForCredit(context, call, record);
  // Less than was charged, and not nothing: a part came back.
  const isPart = charge.hi < (record.amount.lo ?? 0n);
  return {
    class: isPart ? 'partial_refund_wrong' : 'failed_task_not_refunded',
    rule: isPart ? 'records_of_call' : 'charged',
    confidence: 'proved',
    warrant: WARRANTS.credits_failed,
    ...words,
    ...(wait.provisional ? { next_step: nextRead(wait) } : {}),
    ...wait,
  };
}

/** No sentence tells when a credit comes: only the user can say by when it is late. */
function waitForCredit(context: JudgeContext, call: PaidCall, record: ServedRecord): Wait {
  const wait = waitOfRecord(context, 'failed_task_not_refunded', call, record);
  const isTold = isDeadlineDeclared(context, 'failed_task_not_refunded', call);
  return { ...wait, provisional: wait.provisional || !isTold };
}

function nextRead({ deadline_at }: Wait): string {
  return deadline_at === null
    ? 'Ask the operator by when a failed task is credited, and set billing.deadlines.refund to it.'
    : 'Read again once its time to be refunded has passed.';
}

function byReason({ terms }: JudgeContext, call: PaidCall, charge: AmountBounds, free: FreeReason): Accused {
  const status = call.row?.status ?? 0;
  const text = chargeText(charge);
  switch (free) {
    case 'server_error':
      return {
        class: 'charged_on_server_error',
        rule: 'declared_free',
        confidence: 'strong',
        warrant: declaration(declaredIn(terms, 'policy', 'server_error')),
        ...WORDING.charged_on_server_error({ status, charge: text }),
      };
    case 'empty_output':
      return {
        class: 'charged_empty_output',
        rule: 'declared_free',
        confidence: 'proved',
        warrant: declaration(declaredIn(terms, 'policy', 'empty_output')),
        ...WORDING.charged_empty_output({ charge: text, said: true }),
      };
    case 'aborted':
      return {
        class: 'disconnect_overcharge',
        rule: 'declared_free',
        confidence: 'strong',
        warrant: declaration(declaredIn(terms, 'policy', 'aborted')),
        ...WORDING.aborted_but_free({ outcome: call.outcome, charge: text }),
      };
  }
}

const REASONS: { readonly [R in FreeReason]: string } = {
  server_error: 'The call failed with a server error, which is free by the declared terms',
  empty_output: 'The answer was empty, which is free by the declared terms',
  aborted: 'The call was cut, which is free by the declared terms',
};

function reasonOf(call: PaidCall): string {
  if (isRejected(call)) return `The call was refused with status ${call.row?.status ?? 0}`;
  return call.outcome === 'task_failed' ? 'The task failed' : 'The call never reached the target';
}

/** So many records must say that they estimate before one that does not stands out. */
const LEAST_FLAGGED = 3;

/**
 * A record of a cut call whose counts nobody can have told, on a gateway that flags the others as estimates. A cut
 * reaches the client and not always the upstream, so that on a gateway that never flags nothing follows.
 */
export function estimatedUsage(
  context: JudgeContext,
  call: PaidCall,
  record: ServedRecord,
  charge: AmountBounds,
  expected: Expected,
): readonly Finding[] {
  if (!lacksUsage(call) || !sawOutput(call) || record.usage_estimated) return [];
  if (context.flagged_estimates < LEAST_FLAGGED || record.output === null || record.output <= 0n) return [];
  if (!isCharging(record) || charge.lo <= 0n || record.result === 'completed') return [];
  return [
    makeFinding({
      class: 'estimated_usage_not_flagged',
      rule: 'no_final_usage',
      confidence: 'bounded',
      warrant: WARRANTS.records,
      direction: 'over',
      severity: 'S4',
      delta: { min: charge.lo - expected.hi, max: charge.hi - expected.lo },
      evidence: evidenceOf(record, call),
      request_id: record.request_id === '' ? null : record.request_id,
      call_id: call.call_id,
      model: call.model,
      ...WORDING.estimated_usage_not_flagged({
        tokens: `${record.output} output`,
        flagged: context.flagged_estimates,
      }),
    }),
  ];
}

/**
 * True where a record took more than it had reserved, by its own figures. A trusted account reserves nothing, and an
 * amount that is meant before refunds is the reserve itself.
 */
export function isAboveReserve(context: JudgeContext, { role, amount, reserved }: ServedRecord): boolean {
  if (role !== 'settled' || context.settings.amount_meaning === 'gross') return false;
  return amount.lo !== null && reserved.hi !== null && reserved.hi > 0n && amount.lo > reserved.hi;
}
