import type { CapacityStep } from '../../contracts/result.ts';
import type { Measurement } from '../../measure/measure.ts';
import { objectiveWords } from '../judge/judge-exit.ts';
import { tooFewCalls } from './step-evidence.ts';

/** More dropped starts than this share, and the asked rate was not put on the target at all. */
const DROPPED_SHARE = 0.01;

/**
 * Whether a step's rate held. Where no call succeeds and no lower rate held before, the rate is not to blame. What calls
 * cost is not known before the bill is read: such objectives have no say. A few calls show neither that a rate held nor
 * that it missed.
 */
export function judgeStep(
  { load, client }: Pick<Measurement, 'load' | 'client'>,
  { halted, heldBefore }: { readonly halted: string | null; readonly heldBefore: boolean },
): Pick<CapacityStep, 'verdict' | 'reasons' | 'only_dropped'> {
  const only_dropped = false;
  if (halted !== null) {
    return { verdict: 'halted', reasons: [`no further call was started: ${halted}`], only_dropped };
  }
  if (load.total.ok === 0 && !heldBefore) {
    return { verdict: 'halted', reasons: ['no call succeeded'], only_dropped };
  }
  if (client.verdict === 'client_limited') {
    return { verdict: 'client_limited', reasons: client.reasons, only_dropped };
  }
  const judged = load.objectives
    .filter(({ measure }) => measure !== 'usd_per_1000_good')
    .map((objective) => ({ objective, tooFew: tooFewCalls(objective, load) }));
  const reasons = judged
    .filter(({ objective, tooFew }) => !objective.met && tooFew === null)
    .map(({ objective }) => objectiveWords(objective));
  const { dropped, planned } = load.total;
  if (dropped > DROPPED_SHARE * planned) {
    const why = `${dropped} of ${planned} starts were dropped: max_in_flight calls were under way`;
    return { verdict: 'missed', reasons: [...reasons, why], only_dropped: reasons.length === 0 };
  }
  if (reasons.length > 0) return { verdict: 'missed', reasons, only_dropped };
  const open = judged.flatMap(({ tooFew }) => tooFew ?? []);
  return { verdict: open.length === 0 ? 'held' : 'too_few_calls', reasons: open, only_dropped };
}
