import type { JudgedCall } from '../../contracts/reconciliation.ts';
import { chargeOf, chargeText, deltaOf, exactText, isZero, NO_CHARGE, sumOfGroup } from '../expect/charge.ts';
import type { JudgeContext } from '../expect/judge-context.ts';
import type { RequestGroup } from '../match/request-groups.ts';
import type { Whose } from '../match/whose-record.ts';
import type { PaidCall } from '../records/paid-call.ts';
import type { ServedRecord } from '../records/served-record.ts';
import { evidenceOf } from './evidence-of.ts';
import { type Judgement, judgedMoney, surplusMoney } from './judgement.ts';
import { makeFinding } from './make-finding.ts';
import { WARRANTS } from './warrants.ts';

/**
 * Records that no call explains: a phantom where they are nobody's. Entries of one charge come together, and are judged
 * by their sum. `like` is the call that the record looks like.
 */
export function judgeUnmatched(
  context: JudgeContext,
  group: RequestGroup,
  whose: Whose | null,
  like: PaidCall | null = null,
): Judgement {
  const [record] = group;
  const charge =
    group.length === 1 ? chargeOf(record, context.settings) : sumOfGroup(group, context.settings);
  if (whose !== null) {
    return {
      calls: [line(record, whose.match, 'not_checkable', whose.why)],
      findings: [],
      money: [],
    };
  }
  // It may belong to a call before this ledger, or name its task and no key: lowering a charge is nobody's harm.
  if (charge !== null && charge.hi < 0n) {
    const why = 'it is a credit, and nothing tells whose charge it lowers';
    return {
      calls: [line(record, 'none', 'not_checkable', why)],
      findings: [],
      money: [judgedMoney(charge, 'not_checkable', null)],
    };
  }
  const { lo, hi } = record.reserved;
  const reserve = lo === null || hi === null ? null : { lo, hi };
  const held = record.role === 'pending' ? reserve : charge;
  const finding = makeFinding({
    class: 'phantom_record',
    rule: record.role === 'pending' ? 'reserved_without_call' : 'record_without_call',
    warrant: WARRANTS.own_calls,
    confidence: 'proved',
    delta: held === null ? null : deltaOf(held, NO_CHARGE),
    ...(held !== null && isZero(held) ? { severity: 'S3' as const } : {}),
    evidence: [...evidenceOf(record, null), ...(like === null ? [] : [`like:${like.call_id}`])],
    request_id: record.request_id === '' ? null : record.request_id,
    model: record.model,
    explanation: `Only this ledger's calls use the key, and none of them explains record ${record.id} of ${record.model} over ${chargeText(held)}${like === null ? '' : `; it counts the same tokens as the call ${like.call_id}`}.`,
    next_step:
      'Ask the operator for the call behind it; if others use the key after all, set target.key to shared.',
  });
  return {
    calls: [line(record, 'none', 'finding', 'no call explains it')],
    findings: [finding],
    money: [surplusMoney(charge)],
  };

  function line(
    of: ServedRecord,
    match: JudgedCall['match'],
    verdict: JudgedCall['verdict'],
    why: string,
  ): JudgedCall {
    return {
      call_id: null,
      kind: null,
      model: of.model,
      request_id: of.request_id,
      record_ids: group.map(({ id }) => id),
      match,
      score: 0,
      match_why: '',
      basis: 'none',
      grade: null,
      tier: null,
      started_at: null,
      outcome: null,
      expected: null,
      expected_lo: null,
      expected_hi: null,
      charged: exactText(charge),
      verdict,
      lines: [],
      why,
      row: null,
      record: of,
      records: group,
    };
  }
}
