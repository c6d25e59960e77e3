import type { KeptRun } from './kept-runs.ts';

/** The newest of the runs (the newest first) that made the same calls on the same target, and that nothing stands against. */
export function lastGood(
  runs: readonly KeptRun[],
  { plan_hash, target }: Pick<KeptRun, 'plan_hash' | 'target'>,
): KeptRun | null {
  const isGood = (run: KeptRun): boolean =>
    run.verdict?.exits.length === 0 && run.plan_hash === plan_hash && isSameTarget(run.target, target);
  return runs.find(isGood) ?? null;
}

/** An embedded gateway has another port each time. */
export function isSameTarget(left: KeptRun['target'], right: KeptRun['target']): boolean {
  return left.embedded || right.embedded ? left.embedded && right.embedded : left.root === right.root;
}
