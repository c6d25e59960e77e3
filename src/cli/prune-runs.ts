import type { StillNeeded } from './claimed-by-state.ts';
import type { KeptRun } from './kept-runs.ts';

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
  const lastGood = lastGoodRuns(runs);
  const whyNeeded = (run: KeptRun): string | null =>
    claimed.get(run.id) ?? (lastGood.has(run.id) ? 'it is the last good run of its plan' : null);
  return {
    gone: old.filter((run) => whyNeeded(run) === null),
    needed: old.flatMap((run) => {
      const why = whyNeeded(run);
      return why === null ? [] : [{ run, why }];
    }),
  };
}

function isOld(run: KeptRun, runs: readonly KeptRun[], { keep, older_than_ms, now_ms }: PruneTerms): boolean {
  const rank = runs.filter((other) => targetKey(other) === targetKey(run)).indexOf(run);
  return (
    (keep !== null || older_than_ms !== null) &&
    (keep === null || rank >= keep) &&
    (older_than_ms === null || now_ms - run.began_ms > older_than_ms)
  );
}

/** The newest of each plan and target that nothing stands against: `--baseline last-good` compares with it. */
function lastGoodRuns(runs: readonly KeptRun[]): ReadonlySet<string> {
  const newest = new Map<string, string>();
  for (const run of runs) {
    const key = `${run.plan_hash} ${targetKey(run)}`;
    if (run.verdict?.exits.length === 0 && !newest.has(key)) newest.set(key, run.id);
  }
  return new Set(newest.values());
}

/** An embedded gateway has another port each time. */
function targetKey({ target }: KeptRun): string {
  return target.embedded ? '' : target.root;
}
