import type { Finding } from '../../contracts/finding.ts';
import {
  type AmountBounds,
  chargeOf,
  chargeText,
  deltaOf,
  exactly,
  hasCounts,
  holdsCredit,
  isCharging,
  isCountedOnce,
  isZero,
  overlaps,
  sumCharges,
  sumOfGroup,
  withSum,
} from '../expect/charge.ts';
import { chargeOfRecordTokens } from '../expect/expected-charge.ts';
import { countsReasoning } from '../expect/hidden-tokens.ts';
import { bookOf, type JudgeContext } from '../expect/judge-context.ts';
import { recordDue } from '../records/record-due.ts';
import type { ServedRecord } from '../records/served-record.ts';
import { signedUsdText } from '../records/sum-amounts.ts';
import { amountStep } from './amount-step.ts';
import type { OpenCluster } from './assign/open-clusters.ts';
import { evidenceOf } from './evidence-of.ts';
import { makeFinding } from './make-finding.ts';
import { tellsInput } from './token-differences.ts';
import { WARRANTS } from './warrants.ts';

/** Charges that are not the price of the tokens their own records count. */
export function ownTokenFindings(context: JudgeContext, { calls, groups }: OpenCluster): readonly Finding[] {
  const isWhole = calls.every((call) => recordDue(call) === 'must');
  return groups
    .flatMap((group) => chargesOf(context, group))
    .flatMap(({ record, charge }) => {
      const book = bookOf(context, record);
      if (!isCharging(record) || charge === null || isZero(charge) || book === null) return [];
      if (record.usage_estimated || !tellsInput(book, record)) return [];
      const byTokens = chargeOfRecordTokens(context, record, record.asked_model, book);
      if (byTokens === null || overlaps(charge, exactly(byTokens))) return [];
      if (charge.lo > byTokens && !countsReasoning(book, record.asked_model)) return [];
      // It may be that of a call which did not complete, and may be charged in part.
      if (charge.hi < byTokens && !isWhole) return [];
      return [
        makeFinding({
          class: 'amount_mismatch',
          rule: 'own_tokens',
          warrant: WARRANTS.price_book,
          confidence: 'proved',
          delta: deltaOf(charge, exactly(byTokens)),
          evidence: evidenceOf(record, null),
          request_id: record.request_id,
          model: record.model,
          explanation: `Record ${record.id} charges ${chargeText(charge)}, but its own token counts price to ${signedUsdText(byTokens)}.`,
          next_step: amountStep(charge, exactly(byTokens)),
        }),
      ];
    });
}

/** Of entries of one charge the sum is the price of the tokens that one of them counts; beside a credit nothing is. */
function chargesOf(
  { settings }: JudgeContext,
  group: readonly ServedRecord[],
): readonly { readonly record: ServedRecord; readonly charge: AmountBounds | null }[] {
  const counted = group.filter(hasCounts);
  if (group.length > 1 && isCountedOnce(group))
    return counted.map((record) => ({
      record: withSum(record, group, settings),
      charge: sumOfGroup(group, settings),
    }));
  return holdsCredit(group) ? [] : group.map((record) => ({ record, charge: chargeOf(record, settings) }));
}

/** More recorded requests than calls: some were never made, which ones cannot be told. */
export function tooMany(context: JudgeContext, { calls, groups }: OpenCluster): Finding {
  const surplus = groups.length - calls.length;
  const sums = groups.map((group) => sumCharges(group.map((record) => chargeOf(record, context.settings))));
  const known = sums.filter((sum) => sum !== null);
  const sorted = known.sort((left, right) => (left.lo < right.lo ? -1 : left.lo > right.lo ? 1 : 0));
  const least = sumCharges(sorted.slice(0, surplus));
  const most = sumCharges(sorted.slice(-surplus));
  const delta =
    known.length < groups.length || least === null || most === null ? null : { min: least.lo, max: most.hi };
  return makeFinding({
    class: 'phantom_record',
    rule: 'more_requests_than_calls',
    warrant: WARRANTS.own_calls,
    confidence: 'proved',
    delta,
    evidence: clusterEvidence({ calls, groups }),
    model: calls[0]?.model ?? null,
    explanation: `${groups.length} recorded requests stand against ${calls.length} calls without an id: at least ${surplus} of them were never made.`,
    next_step: 'Ask the operator for the origin of the surplus records.',
  });
}

/** Fewer recorded requests than calls that must each have one: which call has none stays open, and what it owes. */
export function tooFew({ calls, groups }: OpenCluster): Finding {
  const lost = calls.length - groups.length;
  return makeFinding({
    class: 'unrecorded_request',
    rule: 'fewer_requests_than_calls',
    warrant: WARRANTS.records_requests,
    confidence: 'strong',
    delta: null,
    direction: 'under',
    evidence: clusterEvidence({ calls, groups }),
    model: calls[0]?.model ?? null,
    explanation: `${calls.length} calls without an id succeeded and ${groups.length} usage records tell of them: ${lost} have none, and no price tells what they owe.`,
    next_step: 'Nothing to claim; tell the operator at which times calls are missing.',
  });
}

/** The charges of a cluster against the least and the most that its calls can cost. */
export function outsideSum(
  { calls, groups }: OpenCluster,
  charge: AmountBounds,
  bounds: AmountBounds,
): readonly Finding[] {
  if (overlaps(charge, bounds)) return [];
  const over = charge.lo > bounds.hi;
  const point = bounds.lo === bounds.hi;
  // Calls that all succeeded were not cut, however far their sum is known.
  const isWhole = point || calls.every((call) => recordDue(call) === 'must');
  return [
    makeFinding({
      class: isWhole ? 'amount_mismatch' : over ? 'disconnect_overcharge' : 'disconnect_undercharge',
      rule: 'cluster_sum',
      warrant: WARRANTS.price_book,
      confidence: point ? 'proved' : 'bounded',
      delta: deltaOf(charge, bounds),
      evidence: clusterEvidence({ calls, groups }),
      model: calls[0]?.model ?? null,
      explanation: `Together ${calls.length} calls can cost between ${signedUsdText(bounds.lo)} and ${signedUsdText(bounds.hi)}; their records charge ${chargeText(charge)}.`,
      next_step: 'Ask the operator what exceeds the bounds; which call it was cannot be told without ids.',
    }),
  ];
}

function clusterEvidence({ calls, groups }: OpenCluster): readonly string[] {
  return [...calls.map(({ call_id }) => `call:${call_id}`), ...groups.flat().map(({ id }) => `record:${id}`)];
}
