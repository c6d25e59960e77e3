import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';
import { WeighbridgeError } from '../contracts/failure.ts';
import type { HaltReason, StateLine } from '../contracts/ledger-lines.ts';
import { LedgerTail } from './ledger-tail.ts';

/** Exit codes of k6 itself that we tell apart. */
const K6_THRESHOLDS = 99;
const K6_EXTERNAL_ABORT = 105;
const K6_SCRIPT_ABORTED = 108;
/** What k6 logs of each push that its remote write could not make. */
const PUSH_FAILED = 'Failed to send the time series data to the endpoint';
/** With these k6 ended as it should: the ledger tells what became of the run. */
const IN_ORDER: readonly (number | null)[] = [0, K6_THRESHOLDS, K6_EXTERNAL_ABORT, K6_SCRIPT_ABORTED];

export interface DriveOptions {
  /** Path of our k6. */
  readonly k6: string;
  /** Path of the scenario script. */
  readonly script: string;
  /** Path of plan.json. */
  readonly planPath: string;
  readonly runDir: string;
  /** Names the ledger files: `<instance>-<n>.ndjson`. */
  readonly instance: string;
  /** Where samples go beside the ledger, as k6's `--out` takes it. */
  readonly outputs: readonly string[];
  /** Tags of every sample; none is secret. */
  readonly tags: Readonly<Record<string, string>>;
  /** The environment k6 gets besides ours; carries the key, which no argument ever does. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly onState: (state: StateLine) => void;
  /** Rows of calls that have ended, as the ledger holds them; before the state line of their second. */
  readonly onCalls: (rows: readonly string[]) => void;
}

export interface DriveEnd {
  /** Why starts were stopped early; null when the plan ran out. */
  readonly halted: HaltReason | null;
  readonly interrupted: boolean;
  readonly thresholdsMissed: boolean;
  /** Pushes of the remote write that did not arrive; their reasons are in the log. */
  readonly failedPushes: number;
}

export interface Drive {
  /** Of the process; null where it could not be started, which `finished` tells. */
  readonly pid: number | null;
  readonly finished: Promise<DriveEnd>;
  /** No further starts; calls in flight finish. The first reason stands in the ledger. */
  halt(reason: HaltReason): void;
  /** Calls in flight are cut; their rows are still written. */
  stop(): void;
}

/** Starts k6 on a plan. k6 gets its own process group, so that Ctrl-C reaches it only through halt and stop. */
export async function startDrive(options: DriveOptions): Promise<Drive> {
  const calls = join(options.runDir, 'calls');
  await mkdir(calls, { recursive: true });
  const logPath = join(options.runDir, 'run.log');
  const log = createWriteStream(logPath, { flags: 'a' });
  // A full disk stops the ledger, which k6 says in its states; the log of it is not worth failing for.
  log.on('error', () => undefined);
  const child = spawn(
    options.k6,
    [
      'run',
      '--quiet',
      '--no-usage-report',
      '--summary-mode=disabled',
      '--out',
      `weighbridge=${calls}`,
      ...options.outputs.flatMap((output) => ['--out', output]),
      ...Object.entries(options.tags).flatMap(([name, value]) => ['--tag', `${name}=${value}`]),
      options.script,
    ],
    {
      detached: true,
      // Lines `halt <reason>` go in here; its end tells k6 that nobody is left to stop the spending.
      stdio: ['pipe', 'pipe', 'pipe'],
      env: {
        ...options.env,
        WEIGHBRIDGE_PLAN: options.planPath,
        WEIGHBRIDGE_INSTANCE: options.instance,
        WEIGHBRIDGE_LIFELINE: 'stdin',
        // Nobody reads percentiles from k6: the ledger has them, and k6 would keep every sample for them.
        WEIGHBRIDGE_FLAT_METRICS: '1',
        K6_NO_USAGE_REPORT: 'true',
        K6_AUTO_EXTENSION_RESOLUTION: 'false',
      },
    },
  );
  // A k6 that has ended reads no more.
  child.stdin.on('error', () => undefined);
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const pushes = { failed: 0 };
  if (options.outputs.length > 0) {
    createInterface(child.stderr).on('line', (line) => {
      if (line.includes(PUSH_FAILED)) pushes.failed += 1;
    });
  }
  let stopped = false;
  // A second SIGINT would end k6 without its last rows.
  const stop = (): void => {
    if (stopped) return;
    stopped = true;
    signal(child, 'SIGINT');
  };
  const tail = new LedgerTail(calls, options.instance);
  return {
    pid: child.pid ?? null,
    finished: follow(child, tail, log, { ...options, logPath, wasStopped: () => stopped }).then((end) => ({
      ...end,
      failedPushes: pushes.failed,
    })),
    halt: (reason) => {
      child.stdin.write(`halt ${reason}\n`);
    },
    stop,
  };
}

interface Followed extends Pick<DriveOptions, 'onState' | 'onCalls'> {
  readonly logPath: string;
  readonly wasStopped: () => boolean;
}

async function follow(
  child: ChildProcess,
  tail: LedgerTail,
  log: ReturnType<typeof createWriteStream>,
  { onState, onCalls, logPath, wasStopped }: Followed,
): Promise<Omit<DriveEnd, 'failedPushes'>> {
  let last: StateLine | null = null;
  const report = async (): Promise<void> => {
    const { states, calls } = await tail.read();
    if (calls.length > 0) onCalls(calls);
    for (const state of states) {
      last = state;
      onState(state);
    }
  };
  let reading: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    reading = reading.then(report);
  }, 500);
  const end = await new Promise<{ code: number | null; killedBy: NodeJS.Signals | null }>(
    (resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, killedBy) => resolve({ code, killedBy }));
    },
  )
    .catch((cause: unknown) => {
      throw new WeighbridgeError({
        code: 'k6_not_started',
        message: `The load engine (k6) did not start: ${cause instanceof Error ? cause.message : String(cause)}.`,
        hint: 'Run weighbridge doctor to see where this k6 comes from. Set WEIGHBRIDGE_K6 to use one that is built for this machine.',
        cause,
      });
    })
    .finally(() => clearInterval(timer));
  await reading;
  await report();
  log.end();
  await finished(log).catch(() => undefined);
  // Our signal can come before k6 listens, or when it has closed its ledger and listens no more.
  const cut = end.killedBy === 'SIGINT' && wasStopped();
  if (cut || IN_ORDER.includes(end.code)) {
    // An engine that was cut before it had begun tells nothing itself.
    const halted = cut && last === null ? 'interrupted' : lastHalted(last);
    return {
      halted,
      interrupted: cut || end.code === K6_EXTERNAL_ABORT || halted === 'interrupted',
      thresholdsMissed: end.code === K6_THRESHOLDS,
    };
  }
  const line = await lastLine(logPath);
  throw new WeighbridgeError({
    code: 'k6_failed',
    message: `The load engine (k6) stopped early with ${end.code ?? end.killedBy}${line === '' ? '' : `: ${line}`}.`,
    hint: `Read ${logPath}. The report of the run covers all calls until then.`,
  });
}

function lastHalted(state: StateLine | null): HaltReason | null {
  return state?.halted ?? null;
}

function signal(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.exitCode === null && child.signalCode === null) child.kill(name);
}

async function lastLine(path: string): Promise<string> {
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  return lines.findLast((line) => line.includes('level=error')) ?? lines.at(-1) ?? 'no output';
}
