import type { CapacityEnd, CapacityStep } from '../../contracts/capacity-result.ts';

export interface CapacityBounds {
  /** The factor over the planned rates that is tried first. */
  readonly from: number;
  /** The search ends when the highest that held and the lowest that missed are so near, as a share of the latter. */
  readonly resolution: number;
  readonly mostSteps: number;
}

export type NextStep = { readonly scale: number } | { readonly ended: CapacityEnd };

/** Doubles until a step misses (halves, where the first one does), then bisects. */
export function nextStep(
  steps: readonly Pick<CapacityStep, 'rate_scale' | 'verdict'>[],
  bounds: CapacityBounds,
): NextStep {
  const last = steps.at(-1);
  if (last === undefined) return { scale: bounds.from };
  if (last.verdict === 'client_limited') {
    // A moment in which this machine was busy says nothing of the target: the step is made once more.
    const isAgain = steps.at(-2)?.verdict === 'client_limited' || steps.length >= bounds.mostSteps;
    return isAgain ? { ended: 'client_limited' } : { scale: last.rate_scale };
  }
  if (last.verdict === 'halted') return { ended: 'halted' };
  if (last.verdict === 'too_few_calls') return { ended: 'too_few_calls' };
  const held = highestHeld(steps);
  const missed = steps
    .filter(({ verdict }) => verdict === 'missed')
    .reduce((least, { rate_scale }) => Math.min(least, rate_scale), Number.POSITIVE_INFINITY);
  if (held !== null && (missed - held) / missed <= bounds.resolution) return { ended: 'resolved' };
  if (steps.length >= bounds.mostSteps) return { ended: 'most_steps' };
  if (missed === Number.POSITIVE_INFINITY) return { scale: last.rate_scale * 2 };
  return { scale: rounded(((held ?? 0) + missed) / 2) };
}

/** The highest factor that held; null for none. */
export function highestHeld(steps: readonly Pick<CapacityStep, 'rate_scale' | 'verdict'>[]): number | null {
  const held = steps.filter(({ verdict }) => verdict === 'held').map(({ rate_scale }) => rate_scale);
  return held.length === 0 ? null : Math.max(...held);
}

/** Six decimals: what a flag can say, so that any step can be repeated by itself. */
function rounded(scale: number): number {
  return Math.round(scale * 1e6) / 1e6;
}
