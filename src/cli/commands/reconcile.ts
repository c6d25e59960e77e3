import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { gatherLedger } from '../../app/evidence/gather-ledger.ts';
import { holdFolder } from '../../app/folder/hold-folder.ts';
import { readPeriod } from '../../app/folder/period-folder.ts';
import { findRunFolder } from '../../app/folder/run-folder.ts';
import { auditWindow } from '../../app/period/audit-window.ts';
import { latestSecond } from '../../app/period/latest-second.ts';
import { reconcileDue } from '../../app/period/reconcile-due.ts';
import { type ReconcileFlags, reconcileOptions } from '../../app/period/reconcile-flags.ts';
import { reconcilePeriod, reconcilePeriodFolder } from '../../app/period/reconcile-period.ts';
import { reconcileRun } from '../../app/period/reconcile-run.ts';
import type { Terminal } from '../../app/terminal/terminal.ts';
import { EXIT } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';

const ABOUT =
  'compare the calls of a run, a past month or a ledger of others with the usage records and the price book; reads what is missing, for free';

export function reconcileCommand(program: Command, terminal: Terminal, finish: (code: number) => void): void {
  reconcileOptions(program.command('reconcile').description(ABOUT)).action(async (flags: ReconcileFlags) => {
    if (flags.due === true) return finish(await reconcileDue(flags, terminal));
    const window = auditWindow(flags, Math.floor(Date.now() / 1000), latestSecond(flags));
    const judged =
      window !== null || isEvidence(flags)
        ? reconcilePeriod(window, flags, terminal)
        : reconcileFolderOf(flags, terminal);
    finish(await judged.catch((error) => Promise.reject(blamed(error, flags))));
  });
}

/** A damaged ledger that the command was handed is bad input; that of a run folder is a fault of ours. */
function blamed(error: unknown, { ledger }: ReconcileFlags): unknown {
  if (ledger === undefined || !(error instanceof WeighbridgeError) || error.code !== 'ledger_corrupt')
    return error;
  const { code, message, hint } = error;
  return new WeighbridgeError({ code, message, hint, exitCode: EXIT.usage, cause: error });
}

async function reconcileFolderOf(flags: ReconcileFlags, terminal: Terminal): Promise<number> {
  const runDir =
    flags.ledger === undefined ? findRunFolder(flags.out, flags.run) : await gatherLedger(flags.ledger);
  const period = readPeriod(runDir);
  return holdFolder(runDir, () =>
    period === null
      ? reconcileRun(runDir, flags, terminal)
      : reconcilePeriodFolder(runDir, period, flags, terminal),
  );
}

/** A ledger without a run folder, and something to hold against it. */
function isEvidence({ ledger, target, records, ledgerFormat }: ReconcileFlags): boolean {
  if (ledger === undefined) return false;
  const planned = ledger.some((path) =>
    [path, dirname(resolve(path))].some((folder) => existsSync(join(folder, 'plan.json'))),
  );
  return !planned && (target !== undefined || records !== undefined || ledgerFormat !== undefined);
}
