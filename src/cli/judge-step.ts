import type { CapacityStep } from '../core/result.ts';
import type { Measurement } from '../measure/measure.ts';
import { objectiveWords } from './judge-exit.ts';

/** More dropped starts than this share, and the asked rate was not put on the target at all. */
const DROPPED_SHARE = 0.01;

/**
 * Whether a step's rate held. Where no call succeeds and no lower rate held before, the rate is not to blame. What calls
 * cost is not known before the bill is read: such objectives have no say.
 */
export function judgeStep(
  { load, client }: Pick<Measurement, 'load' | 'client'>,
  { halted, heldBefore }: { readonly halted: string | null; readonly heldBefore: boolean },
): Pick<CapacityStep, 'verdict' | 'reasons'> {
  if (halted !== null) return { verdict: 'halted', reasons: [`no further call was started: ${halted}`] };
  if (load.total.ok === 0 && !heldBefore) return { verdict: 'halted', reasons: ['no call succeeded'] };
  if (client.verdict === 'client_limited') return { verdict: 'client_limited', reasons: client.reasons };
  const reasons = load.objectives
    .filter(({ measure, met }) => !met && measure !== 'usd_per_1000_good')
    .map(objectiveWords);
  const { dropped, planned } = load.total;
  if (dropped > DROPPED_SHARE * planned) {
    reasons.push(`${dropped} of ${planned} starts were dropped: max_in_flight calls were under way`);
  }
  return { verdict: reasons.length === 0 ? 'held' : 'missed', reasons };
}
