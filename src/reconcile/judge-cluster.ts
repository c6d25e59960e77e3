import type { PicoUsd } from '../core/amount.ts';
import type { Finding } from '../core/finding.ts';
import { chargedOf } from './billing-settings.ts';
import { chooseRecord } from './choose-record.ts';
import { chargeOfRecordTokens, type Expected, expectedCharge } from './expected-charge.ts';
import { judgeCall } from './judge-call.ts';
import { bookOf, type JudgeContext } from './judge-context.ts';
import { judgeMissing } from './judge-missing.ts';
import { evidenceOf, judgeRecord } from './judge-record.ts';
import { judgeUnmatched } from './judge-unmatched.ts';
import { judgedCall, lowest } from './judged-call.ts';
import { type Judgement, judgedMoney, NO_MONEY } from './judgement.ts';
import { makeFinding, usd } from './make-finding.ts';
import type { OpenCluster } from './open-clusters.ts';
import type { PaidCall } from './paid-call.ts';
import { recordDue } from './record-due.ts';
import type { ServedRecord } from './served-record.ts';

/** Judges calls whose ids were never seen: one call with one record singly, several by their sums alone. */
export function judgeCluster(context: JudgeContext, cluster: OpenCluster): readonly Judgement[] {
  const { calls, groups } = cluster;
  const [call] = calls;
  const [group] = groups;
  if (groups.length === 0) return calls.map((missing) => judgeMissing(context, missing));
  const explained = groups.length <= calls.length;
  if (calls.length === 1 && groups.length === 1 && call !== undefined && group !== undefined) {
    const judged = judgeCall(context, call, group, 'open_intent');
    // On a shared key a record that does not fit is as likely another client's.
    return context.key === 'shared' && hasFinalFinding(judged) ? asForeign(context, cluster) : [judged];
  }
  const judged = judgeSum(context, calls, groups);
  if (context.key === 'shared' && (!explained || hasFinalFinding(judged))) return asForeign(context, cluster);
  return [judged];
}

function hasFinalFinding(judged: Judgement): boolean {
  return judged.findings.some(({ provisional }) => !provisional);
}

function asForeign(context: JudgeContext, cluster: OpenCluster): readonly Judgement[] {
  return [
    ...cluster.calls.map((call) => judgeMissing(context, call)),
    ...cluster.groups.flat().map((record) => judgeUnmatched(context, record, true)),
  ];
}

interface Priced {
  readonly call: PaidCall;
  readonly expected: Expected | null;
}

function judgeSum(
  context: JudgeContext,
  calls: readonly PaidCall[],
  groups: readonly (readonly ServedRecord[])[],
): Judgement {
  const records = groups.flat();
  const first = records[0] ?? null;
  const priced: readonly Priced[] = calls.map((call) => {
    const expected = expectedCharge(context, call, first, first === null ? null : bookOf(context, first));
    return { call, expected: 'unknown' in expected ? null : expected };
  });
  const charged = records.reduce((sum, record) => sum + (chargedOf(record, context.settings) ?? 0n), 0n);
  const pending = records.some(({ billing_status }) => billing_status === 'pending');
  const known = priced.every(({ expected }) => expected !== null);
  const bounds = sumBounds(priced, groups.length);
  const findings: Finding[] = [
    ...records.flatMap((record) => judgeRecord(context, record, null)),
    ...surplusInGroups(context, calls, groups),
    ...ownTokenFindings(context, groups),
    ...(groups.length > calls.length ? [tooMany(context, calls, groups)] : []),
    ...(known && !pending && groups.length <= calls.length
      ? outsideSum(calls, groups, mains(context, calls, groups), bounds)
      : []),
  ];
  const point = bounds.lo === bounds.hi && groups.length === calls.length ? bounds.lo : null;
  const final = findings.some(({ provisional, severity }) => !provisional && severity !== 'S4');
  const checked = pending
    ? 'provisional'
    : !known
      ? 'not_checkable'
      : point === null
        ? 'within_bounds'
        : 'to_the_digit';
  const why =
    `${calls.length} calls without an id and ${groups.length} requests of ${calls[0]?.model ?? ''} fit one another; ` +
    `their sum is judged: charged ${usd(charged)}, due between ${usd(bounds.lo)} and ${usd(bounds.hi)}`;
  return {
    calls: priced.map(({ call, expected }) =>
      judgedCall(call, records, 'open_intent', {
        expectation: expected ?? { unknown: 'not priced', unpriced_model: false },
        charged: null,
        verdict: final ? 'finding' : checked,
        why,
      }),
    ),
    findings,
    money:
      checked === 'within_bounds' || checked === 'to_the_digit'
        ? judgedMoney(charged, checked, { ...bounds, point })
        : { ...NO_MONEY, charged, checked },
  };
}

/** Least and most that so many requests of these calls can cost; a call without a record costs nothing. */
function sumBounds(
  priced: readonly Priced[],
  requests: number,
): { readonly lo: PicoUsd; readonly hi: PicoUsd } {
  const highs = priced
    .map(({ expected }) => expected?.hi ?? 0n)
    .sort((left, right) => (left > right ? -1 : left < right ? 1 : 0));
  const certain = priced.filter(({ call }) => recordDue(call) === 'must');
  const lows = certain.flatMap(({ expected }) => (expected === null ? [] : [lowest(expected)]));
  const sum = (amounts: readonly PicoUsd[]): PicoUsd => amounts.reduce((total, amount) => total + amount, 0n);
  const least = [...lows]
    .sort((left, right) => (left < right ? -1 : left > right ? 1 : 0))
    .slice(0, requests);
  return { lo: sum(least), hi: sum(highs.slice(0, requests)) };
}

function mains(
  context: JudgeContext,
  calls: readonly PaidCall[],
  groups: readonly (readonly ServedRecord[])[],
): PicoUsd {
  const [call] = calls;
  if (call === undefined) return 0n;
  return groups.reduce((sum, group) => {
    const main = group.length > 0 ? chooseRecord(context, call, group) : null;
    return sum + (main === null ? 0n : (chargedOf(main, context.settings) ?? 0n));
  }, 0n);
}

/** Two settled records of one request are one too many, whichever call it was. */
function surplusInGroups(
  context: JudgeContext,
  calls: readonly PaidCall[],
  groups: readonly (readonly ServedRecord[])[],
): readonly Finding[] {
  const [call] = calls;
  if (call === undefined) return [];
  return groups.flatMap((group) => {
    const main = chooseRecord(context, call, group);
    return group.flatMap((record) => {
      const charged = chargedOf(record, context.settings);
      if (record === main || record.billing_status !== 'settled' || charged === null || charged <= 0n)
        return [];
      return [
        makeFinding({
          class: 'duplicate_charge',
          rule: 'second_settled_record',
          confidence: 'proved',
          delta: charged,
          evidence: [...evidenceOf(record, null), `record:${main.id}`],
          request_id: record.request_id,
          model: record.model,
          explanation: `Request ${record.request_id} is charged twice: records ${main.id} and ${record.id}, the second for ${usd(charged)}.`,
          next_step: 'Claim the second charge with the request id and both record ids.',
        }),
      ];
    });
  });
}

function ownTokenFindings(
  context: JudgeContext,
  groups: readonly (readonly ServedRecord[])[],
): readonly Finding[] {
  return groups.flat().flatMap((record) => {
    const charged = chargedOf(record, context.settings);
    const book = bookOf(context, record);
    if (record.billing_status !== 'settled' || charged === null || charged === 0n || book === null) return [];
    const byTokens = chargeOfRecordTokens(context, record, record.model, book);
    if (byTokens === null || byTokens === charged) return [];
    return [
      makeFinding({
        class: 'amount_mismatch',
        rule: 'own_tokens',
        confidence: 'proved',
        delta: charged - byTokens,
        evidence: evidenceOf(record, null),
        request_id: record.request_id,
        model: record.model,
        explanation: `Record ${record.id} charges ${usd(charged)}, but its own token counts price to ${usd(byTokens)}.`,
        next_step: 'Claim the difference with the request id and the price line.',
      }),
    ];
  });
}

function clusterEvidence(
  calls: readonly PaidCall[],
  groups: readonly (readonly ServedRecord[])[],
): readonly string[] {
  return [...calls.map(({ call_id }) => `call:${call_id}`), ...groups.flat().map(({ id }) => `record:${id}`)];
}

function tooMany(
  context: JudgeContext,
  calls: readonly PaidCall[],
  groups: readonly (readonly ServedRecord[])[],
): Finding {
  const surplus = groups.length - calls.length;
  const sorted = groups
    .map((group) => group.reduce((sum, record) => sum + (chargedOf(record, context.settings) ?? 0n), 0n))
    .sort((left, right) => (left < right ? -1 : left > right ? 1 : 0));
  const sum = (amounts: readonly PicoUsd[]): PicoUsd => amounts.reduce((total, amount) => total + amount, 0n);
  return makeFinding({
    class: 'phantom_record',
    rule: 'more_requests_than_calls',
    confidence: 'proved',
    delta: { min: sum(sorted.slice(0, surplus)), max: sum(sorted.slice(-surplus)) },
    evidence: clusterEvidence(calls, groups),
    model: calls[0]?.model ?? null,
    explanation: `${groups.length} recorded requests stand against ${calls.length} calls without an id: at least ${surplus} of them were never made.`,
    next_step: 'Ask the operator for the origin of the surplus records.',
  });
}

function outsideSum(
  calls: readonly PaidCall[],
  groups: readonly (readonly ServedRecord[])[],
  charged: PicoUsd,
  bounds: { readonly lo: PicoUsd; readonly hi: PicoUsd },
): readonly Finding[] {
  if (charged >= bounds.lo && charged <= bounds.hi) return [];
  const over = charged > bounds.hi;
  const point = bounds.lo === bounds.hi;
  return [
    makeFinding({
      class: point ? 'amount_mismatch' : over ? 'disconnect_overcharge' : 'disconnect_undercharge',
      rule: 'cluster_sum',
      confidence: point ? 'proved' : 'bounded',
      delta: point ? charged - bounds.hi : { min: charged - bounds.hi, max: charged - bounds.lo },
      evidence: clusterEvidence(calls, groups),
      model: calls[0]?.model ?? null,
      explanation: `Together ${calls.length} calls can cost between ${usd(bounds.lo)} and ${usd(bounds.hi)}; their records charge ${usd(charged)}.`,
      next_step: 'Claim what exceeds the bounds; which call it was cannot be told without ids.',
    }),
  ];
}
