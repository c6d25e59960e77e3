import type { Command } from 'commander';
import { collectBook } from '../../collect/collect-book.ts';
import { loadCredentials } from '../../config/credentials.ts';
import { loadConfig } from '../../config/load-config.ts';
import { EXIT } from '../../core/exit-code.ts';
import { WeighbridgeError } from '../../core/failure.ts';
import type { Plan } from '../../core/plan.ts';
import { parseInstant } from '../../core/time.ts';
import { loadLedger } from '../../ledger/load-ledger.ts';
import { planTarget } from '../../plan/plan-target.ts';
import { auditPeriod } from '../audit-period.ts';
import { auditWindow, type NamedWindow } from '../audit-window.ts';
import { gatherLedger } from '../gather-ledger.ts';
import { listenForInterrupts } from '../interrupts.ts';
import { judgeFolder, reconcileFolder, wasSwept, writeFolderReport } from '../judge-folder.ts';
import { printVerdict } from '../print-verdict.ts';
import { DEFAULT_OUT, findRunFolder, placeOf, readPlan, readTolerances } from '../run-folder.ts';
import { settle } from '../settle.ts';
import type { Terminal } from '../terminal.ts';
import { readsAccount } from '../watch-offer.ts';
import { clientOf, targetFailure } from '../weighed-target.ts';

interface ReconcileFlags {
  readonly run?: string;
  readonly ledger?: string[];
  readonly month?: string;
  readonly from?: string;
  readonly to?: string;
  readonly target?: string;
  readonly keyFile?: string[];
  readonly config?: string;
  readonly out: string;
  readonly json?: boolean;
}

const CLOCK_MARGIN_S = 2;

export function reconcileCommand(program: Command, terminal: Terminal, finish: (code: number) => void): void {
  program
    .command('reconcile')
    .description(
      'compare the calls of a run with the usage records and the price book; reads what is missing, for free',
    )
    .option('--run <id>', 'run id (default: the newest under --out)')
    .option(
      '--ledger <dir...>',
      'run folder, wherever it stands; more folders add the ledger files of further instances to it',
    )
    .option('--month <YYYY-MM>', 'audit a past month (UTC) by its records alone: no ledger, no paid call')
    .option('--from <time>', 'with --to: audit any past period, such as 2026-10-01 or 2026-10-01T12:00Z')
    .option('--to <time>', 'its end, which is not inside')
    .option(
      '--target <url>',
      'gateway whose bill is audited (with --month or --from): root, /v1 or /api form',
    )
    .option('--key-file <file...>', 'file with an API key (with --month or --from); one for each key')
    .option('--config <file>', 'configuration: settle, tolerances, billing')
    .option('--out <dir>', 'parent of the run folders', DEFAULT_OUT)
    .option('--json', 'last line of stdout for programs')
    .action(async (flags: ReconcileFlags) => {
      const window = auditWindow(flags, Math.floor(Date.now() / 1000));
      if (window !== null) {
        finish(await reconcilePeriod(window, flags, terminal));
        return;
      }
      const runDir =
        flags.ledger === undefined ? findRunFolder(flags.out, flags.run) : await gatherLedger(flags.ledger);
      if (await readsMissing(runDir)) {
        try {
          await readTheRest(runDir, flags, terminal);
        } catch (error) {
          // What was read before can still be judged; the verdict names what is open.
          if (!(error instanceof WeighbridgeError) || !wasSwept(runDir)) throw error;
          terminal.err(`judged by what was read before: ${error.message}`);
        }
      }
      const judged = await judgeFolder(runDir);
      const report = writeFolderReport(runDir, judged, placeOf(runDir));
      finish(printVerdict(terminal, { runDir, report, json: flags.json === true }));
    });
}

async function reconcilePeriod(
  window: NamedWindow,
  flags: ReconcileFlags,
  terminal: Terminal,
): Promise<number> {
  const { env } = terminal;
  const given = flags.target === undefined ? {} : { target: flags.target };
  const config = loadConfig({ file: flags.config, env, flags: given });
  const target = planTarget(config.target);
  if (target === null) {
    throw new WeighbridgeError({
      code: 'target_missing',
      message: 'expected the gateway whose bill is audited, found none',
      hint: 'give its address with --target, or as target.url in the configuration',
      exitCode: EXIT.usage,
    });
  }
  const keys =
    flags.keyFile === undefined
      ? [loadCredentials(env)]
      : flags.keyFile.map((file) => loadCredentials({ WEIGHBRIDGE_API_KEY_FILE: file }));
  if (keys.some(({ apiKey }) => apiKey === null)) {
    throw new WeighbridgeError({
      code: 'credential_missing',
      message: 'expected an API key of the bill to audit, found none',
      hint: 'set WEIGHBRIDGE_API_KEY, or give --key-file FILE, once for each key',
      exitCode: EXIT.usage,
    });
  }
  const runDir = await auditPeriod({ terminal, config, target, keys, window, out: flags.out });
  const report = writeFolderReport(runDir, await judgeFolder(runDir), placeOf(runDir));
  return printVerdict(terminal, { runDir, report, json: flags.json === true });
}

/** True while reading again could still change the verdict: nothing was read, or something is open. */
async function readsMissing(runDir: string): Promise<boolean> {
  if (!wasSwept(runDir)) return true;
  const verdict = await reconcileFolder(runDir, readTolerances(runDir));
  return verdict.wanted.length > 0;
}

async function readTheRest(runDir: string, flags: ReconcileFlags, terminal: Terminal): Promise<void> {
  const plan = readPlan(runDir);
  const credentials = loadCredentials(terminal.env);
  if (credentials.apiKey === null) {
    throw new WeighbridgeError({
      code: 'credential_missing',
      message: `records of this run are still to be read from ${plan.target.root}; expected an API key, found none`,
      hint: 'set WEIGHBRIDGE_API_KEY, or WEIGHBRIDGE_API_KEY_FILE to the path of a file that holds it',
      exitCode: EXIT.usage,
    });
  }
  const config = loadConfig({ file: flags.config, env: terminal.env, flags: {} });
  const interrupts = listenForInterrupts(process);
  const reads = new AbortController();
  interrupts.onSignal(() => reads.abort());
  const client = clientOf(plan.target, credentials, reads.signal, plan.run_id, plan.workload.http);
  try {
    const book = await collectBook({ client, dir: runDir, sweep: 0 });
    if (!book.ok && book.status === null)
      throw plan.target.embedded ? gatewayGone(plan) : targetFailure('GET /pricing.usd.json', book);
    await settle({
      client,
      runDir,
      startS: (await firstCallS(runDir)) - CLOCK_MARGIN_S,
      waitMs: config.settle.wait_ms,
      pollMs: config.settle.poll_ms,
      account: readsAccount(credentials),
      judge: () => reconcileFolder(runDir, readTolerances(runDir)),
      terminal,
      interrupted: () => interrupts.count() > 0,
    });
  } finally {
    interrupts.release();
    await client.close();
  }
}

/** The embedded gateway lives no longer than the command that started it. */
function gatewayGone(plan: Plan): WeighbridgeError {
  return new WeighbridgeError({
    code: 'embedded_gateway_gone',
    message: `records of this run are still to be read, and the embedded gateway at ${plan.target.root} is gone with its run`,
    hint: 'audit in one go with `weighbridge audit`, or start `weighbridge gateway` by hand and give it as --target',
    exitCode: EXIT.target,
  });
}

/** Unix seconds of the first thing that the ledger says was sent. */
async function firstCallS(runDir: string): Promise<number> {
  const { intents, rows } = await loadLedger(runDir);
  const moments = [...intents.map((intent) => intent.at), ...rows.map((row) => row.started_at)]
    .map(parseInstant)
    .filter((moment) => moment !== null);
  if (moments.length === 0) return Math.floor(Date.now() / 1000);
  return Math.floor(moments.reduce((least, moment) => Math.min(least, moment)) / 1000);
}
