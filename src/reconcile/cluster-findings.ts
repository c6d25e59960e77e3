import type { PicoUsd } from '../core/amount.ts';
import type { Finding } from '../core/finding.ts';
import { chargedOf } from './billing-settings.ts';
import { chargeOfRecordTokens } from './expected-charge.ts';
import { bookOf, type JudgeContext } from './judge-context.ts';
import { evidenceOf } from './judge-record.ts';
import { makeFinding, usd } from './make-finding.ts';
import type { OpenCluster } from './open-clusters.ts';
import type { ServedRecord } from './served-record.ts';

/** Charges that are not the price of the tokens their own records count. */
export function ownTokenFindings(
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

/** More recorded requests than calls: some were never made, which ones cannot be told. */
export function tooMany(context: JudgeContext, { calls, groups }: OpenCluster): Finding {
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
    evidence: clusterEvidence({ calls, groups }),
    model: calls[0]?.model ?? null,
    explanation: `${groups.length} recorded requests stand against ${calls.length} calls without an id: at least ${surplus} of them were never made.`,
    next_step: 'Ask the operator for the origin of the surplus records.',
  });
}

/** The charges of a cluster against the least and the most that its calls can cost. */
export function outsideSum(
  { calls, groups }: OpenCluster,
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
      evidence: clusterEvidence({ calls, groups }),
      model: calls[0]?.model ?? null,
      explanation: `Together ${calls.length} calls can cost between ${usd(bounds.lo)} and ${usd(bounds.hi)}; their records charge ${usd(charged)}.`,
      next_step: 'Claim what exceeds the bounds; which call it was cannot be told without ids.',
    }),
  ];
}

function clusterEvidence({ calls, groups }: OpenCluster): readonly string[] {
  return [...calls.map(({ call_id }) => `call:${call_id}`), ...groups.flat().map(({ id }) => `record:${id}`)];
}
