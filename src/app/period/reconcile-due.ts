import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { EXIT } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { formatInstant, parseInstant } from '../../core/time.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { jsonOf } from '../../text/json-of.ts';
import { plural } from '../../text/plural.ts';
import { holdFolder } from '../folder/locks.ts';
import { readPlan } from '../folder/run-folder.ts';
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
  'bill',
  'assumeReading',
  'upstream',
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
    message: `--due cannot be used together with --${given}.`,
    hint: 'Leave one of them out. --due finds the runs under --out by itself.',
  });
}

const HOUR_MS = 3_600_000;
/**
 * When the bill of a run is looked at again, after its last planned start. Hourly charges and refunds have come by the
 * first look, daily ones by the second.
 */
const LOOKS_AFTER_MS = [HOUR_MS, 25 * HOUR_MS];
/** What could not be read for a week is left to a person: the tool does not ask for ever. */
const GIVEN_UP_AFTER_MS = 25 * HOUR_MS + 7 * 24 * HOUR_MS;

const FILE = 'looks.json';
const looks = z.strictObject({ schema: z.literal('weighbridge.looks/1'), looked_at: z.array(z.string()) });
type Looks = z.infer<typeof looks>;

/** True where a look is due that has not been taken. */
export function isDue(
  { planned_end_ms }: Pick<KeptRun, 'planned_end_ms'>,
  looked_ms: readonly number[],
  now_ms: number,
): boolean {
  const age = now_ms - planned_end_ms;
  const asked = LOOKS_AFTER_MS.filter((after) => age >= after).at(-1);
  if (asked === undefined || age > GIVEN_UP_AFTER_MS) return false;
  return !looked_ms.some((at) => at >= planned_end_ms + asked);
}

/** The runs whose next look is due, the oldest first. An embedded gateway is gone with its run, and not each target has a bill. */
export function dueRuns(runs: readonly KeptRun[], now_ms: number): readonly KeptRun[] {
  return runs
    .filter(({ target }) => !target.embedded && target.bill !== 'none')
    .filter((run) => isDue(run, looksOf(run.dir), now_ms))
    .toReversed();
}

/** Keeps that a run was looked at: the next `--due` passes it over. */
export function keepLook(runDir: string, now_ms: number): void {
  const looked_at = [...readLooks(runDir), formatInstant(now_ms)];
  const kept: Looks = { schema: 'weighbridge.looks/1', looked_at };
  replaceFile(join(runDir, FILE), `${JSON.stringify(kept, null, 2)}\n`);
}

function looksOf(runDir: string): readonly number[] {
  return readLooks(runDir).flatMap((at) => parseInstant(at) ?? []);
}

/** A file that cannot be read says of no look: its run is looked at once more, for free, and holds up no other. */
function readLooks(runDir: string): readonly string[] {
  const file = join(runDir, FILE);
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return looks.safeParse(jsonOf(text)).data?.looked_at ?? [];
}
