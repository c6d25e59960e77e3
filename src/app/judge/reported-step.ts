import type { CapacityResult } from '../../contracts/capacity-result.ts';

/** The plan file of a step, and what its run id ends with. */
export function stepPlanFile(instance: string): string {
  return `${instance}-plan.json`;
}

/** The step whose load is reported: the one that held at the highest rate, else the last. */
export function reportedStep({ steps, rate_scale }: CapacityResult): string | null {
  const held = steps.find((step) => step.verdict === 'held' && step.rate_scale === rate_scale);
  return (held ?? steps.at(-1))?.instance ?? null;
}

/** Why the reported step could not be judged for want of calls; empty where a rate held, or the target was judged. */
export function unjudgedSteps({ steps, rate_scale }: CapacityResult): readonly string[] {
  const last = steps.at(-1);
  return rate_scale === null && last?.verdict === 'too_few_calls' ? last.reasons : [];
}
