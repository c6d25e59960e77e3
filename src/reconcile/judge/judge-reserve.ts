import type { Finding } from '../../contracts/finding.ts';
import type { CallRow } from '../../contracts/ledger-lines.ts';
import type { PriceBound } from '../../contracts/plan.ts';
import { type PicoUsd, parseAmount } from '../../core/amount.ts';
import { type AmountBounds, chargeText } from '../expect/charge.ts';
import type { JudgeContext } from '../expect/judge-context.ts';
import type { PaidCall } from '../records/paid-call.ts';
import type { ServedRecord } from '../records/served-record.ts';
import { signedUsdText } from '../records/sum-amounts.ts';
import { evidenceOf } from './evidence-of.ts';
import { makeFinding } from './make-finding.ts';
import { WARRANTS } from './warrants.ts';

/** A call that by the target's own answer used more than what the spend cap held for it: a cap cannot hold here. */
export function judgeReserve(
  context: JudgeContext,
  call: PaidCall,
  record: ServedRecord | null,
  charge: AmountBounds | null,
): readonly Finding[] {
  const bound = context.plan?.cap.bounds.find(
    ({ model, kind }) => model === call.model && kind === call.kind,
  );
  const worst = parseAmount(call.row?.worst_case_usd ?? '');
  if (call.row === null || bound === undefined || worst === null) return [];
  const excess = excessOf(call.row, bound, worst);
  if (excess === null) return [];
  const { rule, most, what } = excess;
  const min = charge !== null && charge.lo > worst ? charge.lo - worst : 0n;
  const evidence =
    record === null
      ? [`call:${call.call_id}`, ...call.request_ids.map((id) => `request:${id}`)]
      : evidenceOf(record, call);
  return [
    makeFinding({
      class: 'settle_above_reserve',
      rule,
      warrant: WARRANTS.request_limit,
      confidence: 'proved',
      direction: 'over',
      delta: { min, max: most > min ? most : min },
      evidence,
      request_id: record?.request_id ?? call.request_ids[0] ?? null,
      call_id: call.call_id,
      model: call.model,
      explanation: `${what}; the spend cap held ${signedUsdText(worst)} for the call${charge === null ? '' : `, its record charges ${chargeText(charge)}`}.`,
      next_step:
        'Ask the operator why the call used more than its request allows; until then count on the largest output of the model.',
    }),
  ];
}

interface Excess {
  readonly rule: 'usage_above_worst_case' | 'output_above_limit';
  /** What the usage costs at most above the reserve. */
  readonly most: PicoUsd;
  readonly what: string;
}

function excessOf({ usage, max_tokens }: CallRow, bound: PriceBound, worst: PicoUsd): Excess | null {
  if (usage === null) return null;
  const perOutput = BigInt(bound.per_output_token);
  const binding = bound.limit_obeyed ? max_tokens : null;
  const counted = Math.min(binding ?? bound.max_output_tokens, bound.max_output_tokens);
  const { input, output } = usage;
  // A count that was not told is what the reserve counted on.
  const inputPrice =
    input === null
      ? worst - BigInt(bound.fixed) - perOutput * BigInt(counted)
      : BigInt(bound.per_input_token) * BigInt(input);
  const used = inputPrice + perOutput * BigInt(output ?? counted) + BigInt(bound.fixed);
  if (used > worst) {
    return {
      rule: 'usage_above_worst_case',
      most: used - worst,
      what: `The answer tells ${input ?? 'no'} input and ${output ?? 'no'} output tokens, which cost up to ${signedUsdText(used)}`,
    };
  }
  if (binding === null || output === null || output <= binding) return null;
  return {
    rule: 'output_above_limit',
    most: perOutput * BigInt(output - binding),
    what: `The answer tells ${output} output tokens, though the request allowed ${binding} and such a limit was obeyed in the trial`,
  };
}
