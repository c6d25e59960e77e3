import type { StillNeeded } from './claimed-by-state.ts';
import type { KeptRun } from './kept-runs.ts';
import { isSameTarget, lastGood } from './last-good.ts';

/** Where both are given, a run goes that is beyond the newest ones and older as well. */
export interface PruneTerms {
  /** Newest runs of each target that stay. */
  readonly keep: number | null;
  readonly older_than_ms: number | null;
  readonly now_ms: number;
}

export interface PrunePlan {
  readonly gone: readonly KeptRun[];
  /** Old enough to go, and why each must stay. */
  readonly needed: readonly { readonly run: KeptRun; readonly why: string }[];
}

/** Which of the runs (the newest first) are to go. */
export function prunePlan(runs: readonly KeptRun[], terms: PruneTerms, claimed: StillNeeded): PrunePlan {
  const old = runs.filter((run) => isOld(run, runs, terms));
  const whyNeeded = (run: KeptRun): string | null =>
    claimed.get(run.id) ?? (lastGood(runs, run) === run ? 'it is the last good run of its plan' : null);
  return {
    gone: old.filter((run) => whyNeeded(run) === null),
    needed: old.flatMap((run) => {
      const why = whyNeeded(run);
      return why === null ? [] : [{ run, why }];
    }),
  };
}

function isOld(run: KeptRun, runs: readonly KeptRun[], { keep, older_than_ms, now_ms }: PruneTerms): boolean {
  const rank = runs.filter((other) => isSameTarget(other.target, run.target)).indexOf(run);
  return (
    (keep !== null || older_than_ms !== null) &&
    (keep === null || rank >= keep) &&
    (older_than_ms === null || now_ms - run.began_ms > older_than_ms)
  );
}
