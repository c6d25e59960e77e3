import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { gatherLedger } from '../../app/evidence/given-ledger.ts';
import { holdFolder } from '../../app/folder/locks.ts';
import { readPeriod } from '../../app/folder/period-folder.ts';
import { findRunFolder } from '../../app/folder/run-folder.ts';
import type { FolderReport } from '../../app/judge/judge-folder.ts';
import { auditWindow } from '../../app/period/audit-window.ts';
import { type Look, reconcileDue } from '../../app/period/reconcile-due.ts';
import { latestSecond, type ReconcileFlags } from '../../app/period/reconcile-flags.ts';
import { reconcilePeriod, reconcilePeriodFolder } from '../../app/period/reconcile-period.ts';
import { reconcileRun } from '../../app/period/reconcile-run.ts';
import { EXIT, exitStatus } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { reconcileOptions } from '../flags/reconcile-flags.ts';
import { printVerdict } from '../terminal/print-answer.ts';
import type { Terminal } from '../terminal/terminal.ts';

const ABOUT =
  'compare the calls of a run, a past month or a ledger of others with the usage records and the price book; reads what is missing, for free';

interface JsonFlag {
  readonly json?: boolean;
}

export function reconcileCommand(program: Command, terminal: Terminal, finish: (code: number) => void): void {
  reconcileOptions(program.command('reconcile').description(ABOUT)).action(
    async (flags: ReconcileFlags & JsonFlag) => {
      const tell = (report: FolderReport) => printVerdict(terminal, report, flags.json === true);
      if (flags.due === true)
        return finish(dueStatus(await reconcileDue(flags, terminal, tell), flags, terminal));
      const window = auditWindow(flags, Math.floor(Date.now() / 1000), latestSecond(flags));
      const judged =
        window !== null || isEvidence(flags)
          ? reconcilePeriod(window, flags, terminal)
          : reconcileFolderOf(flags, terminal);
      finish(tell(await judged.catch((error) => Promise.reject(blamed(error, flags)))));
    },
  );
}

/** A damaged ledger that the command was handed is bad input; that of a run folder is a fault of ours. */
function blamed(error: unknown, { ledger }: ReconcileFlags): unknown {
  if (ledger === undefined || !(error instanceof WeighbridgeError) || error.code !== 'ledger_corrupt')
    return error;
  const { code, message, hint } = error;
  return new WeighbridgeError({ code, message, hint, exitCode: EXIT.usage, cause: error });
}

/** Of all looks together. */
function dueStatus(due: readonly Look[], { json }: JsonFlag, terminal: Terminal): number {
  const exit_codes = [...new Set(due.map((look) => look.exit_status))].filter((code) => code !== EXIT.ok);
  if (json === true) terminal.out(JSON.stringify({ due, exit_codes }));
  return exitStatus(exit_codes);
}

async function reconcileFolderOf(flags: ReconcileFlags, terminal: Terminal): Promise<FolderReport> {
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
