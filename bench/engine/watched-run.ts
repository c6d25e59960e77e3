import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { busySeconds } from '../common/busy-cpu.ts';
import { CLIENT_CORE, onCore, SERVER_CORE } from '../common/pinning.ts';
import type { Mock, Truth } from './mock.ts';

const usedSchema = z.object({
  exit: z.number(),
  timed_out: z.boolean(),
  wall_s: z.number(),
  user_s: z.number(),
  system_s: z.number(),
  peak_pss_bytes: z.number(),
  hwm_bytes: z.number(),
  rss: z.array(z.object({ at_ms: z.number(), bytes: z.number() })).nullable(),
});
/** What the whole process tree of a client used, start-up included. */
export type Used = z.infer<typeof usedSchema>;

export interface Command {
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** A folder of this run alone: output and logs go there. */
  readonly folder: string;
  readonly limit_s?: number;
  /** Keep the times of single events. */
  readonly detail?: boolean;
  /** Exit codes that are no failure. */
  readonly exits?: readonly number[];
}

export interface WatchedRun {
  readonly used: Used;
  readonly truth: Truth;
  /** CPU seconds that neither client, mock nor bench used: how noisy the machine was. */
  readonly other_cpu_s: number | null;
  /** What the client wrote to stdout and stderr. */
  readonly log: string;
}

export interface Bench {
  readonly rig: string;
  readonly mock: Mock;
  /** Folder of the bundled scenarios. */
  readonly scenarios: string;
}

/** The mock speaks plain HTTP: a client that reads a machine's own certificate files at its start would pay for nothing. */
const NO_CERTIFICATES = { SSL_CERT_FILE: '', NODE_EXTRA_CA_CERTS: '', WEIGHBRIDGE_CA_FILE: '' };

/** Runs a client on its core and tells what it used; throws where it failed. */
export async function usedBy(
  rig: string,
  run: Command,
): Promise<{ readonly used: Used; readonly log: string }> {
  const report = join(run.folder, 'used.json');
  const logPath = join(run.folder, 'client.log');
  const watch = ['watch', '-out', report, '-limit', `${run.limit_s ?? 300}s`, '--'];
  // The watcher itself is held to the server's core: its samples must not cost the client anything.
  const [program = '', ...args] = onCore(SERVER_CORE, [rig, ...watch, ...onCore(CLIENT_CORE, run.command)]);
  const log = openSync(logPath, 'w');
  const child = spawn(program, args, {
    stdio: ['ignore', log, log],
    env: { ...process.env, ...NO_CERTIFICATES, GOMAXPROCS: '1', ...run.env },
  });
  const [code] = await once(child, 'exit');
  closeSync(log);
  const said = readFileSync(logPath, 'utf8');
  if (code !== 0) throw new Error(`the watcher ended with ${code}: ${said.slice(-400)}`);
  const used = usedSchema.parse(JSON.parse(readFileSync(report, 'utf8')));
  if (!used.timed_out && !(run.exits ?? [0]).includes(used.exit)) {
    throw new Error(`\`${run.command.join(' ')}\` ended with ${used.exit}: ${said.slice(-800)}`);
  }
  return { used, log: said };
}

/** Runs a client on its core against the freshly reset mock. */
export async function watchedRun(bench: Bench, run: Command): Promise<WatchedRun> {
  await bench.mock.reset();
  const own = process.cpuUsage();
  const busy = busySeconds();
  const { used, log } = await usedBy(bench.rig, run);
  const busyAfter = busySeconds();
  const ownAfter = process.cpuUsage(own);
  const truth = await bench.mock.truth(run.detail ?? false);
  const known = used.user_s + used.system_s + truth.cpu_s + (ownAfter.user + ownAfter.system) / 1e6;
  return {
    used,
    truth,
    other_cpu_s: busy === null || busyAfter === null ? null : busyAfter - busy - known,
    log,
  };
}
