import { EXIT } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { plural } from '../../text/plural.ts';
import { holdFolder } from '../folder/locks.ts';
import { readPlan } from '../folder/run-folder.ts';
import { dueRuns, keepLook } from '../history/due-runs.ts';
import { type KeptRun, keptRuns } from '../history/kept-runs.ts';
import type { FolderReport } from '../judge/judge-folder.ts';
import type { Notices } from '../notices/notices.ts';
import { renderError } from '../notices/render-error.ts';
import { settleReservation } from '../spend/run-budget.ts';
import { flagRoot } from '../target/flag-address.ts';
import { stateHome } from '../target/state-home.ts';
import type { ReconcileFlags } from './reconcile-flags.ts';
import { reconcileRun } from './reconcile-run.ts';

/** A look that was taken, and what its verdict ends with. */
export interface Look {
  readonly run_id: string;
  readonly exit_status: number;
}

type Tell = (report: FolderReport) => number;

/** What a look of its own is taken at; `--due` finds the runs itself. */
const OTHERS = [
  'run',
  'ledger',
  'month',
  'from',
  'to',
  'records',
  'pricebook',
  'statement',
  'upstreamJournal',
] as const;

/**
 * Looks again at every run under `--out` whose look at +1 h or +25 h is due: free, and nothing where none is. One that cannot
 * be read now is due at the next call still. `tell` is given each verdict, and returns its exit status.
 */
export async function reconcileDue(
  flags: ReconcileFlags,
  notices: Notices,
  tell: Tell,
): Promise<readonly Look[]> {
  refuseOthers(flags);
  const root = flags.target === undefined ? null : flagRoot(flags.target);
  const due = dueRuns(keptRuns(flags.out), Date.now()).filter(
    ({ target }) => root === null || target.root === root,
  );
  notices.err(due.length === 0 ? 'no run is due' : `${plural(due.length, 'run')} due`);
  const looks: Look[] = [];
  for (const run of due) {
    const exit_status = await lookAt(run, flags, notices, tell);
    if (exit_status !== null) looks.push({ run_id: run.id, exit_status });
  }
  return looks;
}

/** Null where the run is under way, or another command reads it: it is looked at next time. */
async function lookAt(
  run: KeptRun,
  flags: ReconcileFlags,
  notices: Notices,
  tell: Tell,
): Promise<number | null> {
  notices.err(`run ${run.id}:`);
  try {
    // `run` has no bill that anybody asked for; what it holds of the budget is freed all the same.
    const status =
      run.command === 'run'
        ? EXIT.ok
        : tell(await holdFolder(run.dir, () => reconcileRun(run.dir, flags, notices)));
    const kept = await holdFolder(run.dir, () => settled(run, flags, notices));
    if (kept === null) keepLook(run.dir, Date.now());
    else notices.err(`budget: ${kept}; it is due still`);
    return status;
  } catch (error) {
    if (!(error instanceof WeighbridgeError)) throw error;
    for (const line of renderError(error).lines) notices.err(line);
    return error.code === 'run_locked' ? null : error.exitCode;
  }
}

/** Null once the run holds nothing of the budget; else why it does. */
async function settled(run: KeptRun, flags: ReconcileFlags, notices: Notices): Promise<string | null> {
  const plan = readPlan(run.dir);
  return settleReservation(stateHome(flags.state, plan.target, notices.err), run.dir, plan);
}

function refuseOthers(flags: ReconcileFlags): void {
  const given = OTHERS.find((name) => flags[name] !== undefined);
  if (given === undefined) return;
  throw new WeighbridgeError({
    code: 'due_alone',
    message: `expected --due without a run, a period or files of its own, found --${given === 'upstreamJournal' ? 'upstream-journal' : given}`,
    hint: 'leave one of the two out: --due finds the runs under --out itself',
  });
}
