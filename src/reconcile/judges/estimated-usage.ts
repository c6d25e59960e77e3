import type { Finding } from '../../contracts/finding.ts';
import { type AmountBounds, isCharging } from '../expect/charge.ts';
import type { Expected } from '../expect/expected-charge.ts';
import { lacksUsage } from '../expect/flagged-estimates.ts';
import type { JudgeContext } from '../expect/judge-context.ts';
import { sawOutput } from '../expect/policy.ts';
import type { PaidCall } from '../records/paid-call.ts';
import type { ServedRecord } from '../records/served-record.ts';
import { evidenceOf } from './evidence-of.ts';
import { makeFinding } from './make-finding.ts';
import { WORDING } from './wording.ts';

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
