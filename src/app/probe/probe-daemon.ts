import * as z from 'zod';
import type { ResolvedConfig } from '../../config/resolved-config.ts';
import type { ProbePlan } from '../../contracts/probe-plan.ts';
import { runDaemon as watchGateways } from '../../probe/daemon.ts';
import { openTargetWatch } from '../../probe/target/open-target-watch.ts';
import { visibleControls } from '../../text/visible-controls.ts';
import type { Interrupts, Notices } from '../notices/notices.ts';
import { watchedProbes } from './watched-lines.ts';

const line = z.looseObject({ level: z.string(), time: z.string(), msg: z.string() });

const run = z.looseObject({
  target: z.string(),
  probe: z.string(),
  outcome: z.string().nullable(),
  error_type: z.string(),
  why: z.string().nullable(),
  duration_ms: z.number(),
  cost: z.object({ priced_usd: z.string().nullable() }).nullable(),
});

/** A line of the daemon's log for a reader at a terminal; the line itself where it is none of ours. */
export function logWords(json: string): string {
  const read = line.safeParse(parsed(json));
  if (!read.success) return json;
  const { level, time, msg, ...fields } = read.data;
  const head = `${time.slice(11, 19)}  ${level.padEnd(5)}`;
  const told = msg === 'run' ? run.safeParse(fields) : null;
  return visibleControls(
    `${head}  ${told?.success === true ? runWords(told.data) : eventWords(msg, fields)}`,
  );
}

/** `main chat-stream  ok  1240 ms  $0.0000123`. */
function runWords({
  target,
  probe,
  outcome,
  error_type,
  why,
  duration_ms,
  cost,
}: z.infer<typeof run>): string {
  const result = error_type === 'none' ? (outcome ?? 'ok') : `failed: ${error_type}`;
  return [
    `${target} ${probe}`,
    result,
    `${Math.round(duration_ms)} ms`,
    ...(typeof cost?.priced_usd === 'string' ? [`$${cost.priced_usd}`] : []),
    ...(why === null ? [] : [why]),
  ].join('  ');
}

/** What was logged beside the message, each by its name; of an error its message, the rest is for programs. */
function eventWords(msg: string, { err, ...fields }: Readonly<Record<string, unknown>>): string {
  const message = z.looseObject({ message: z.string() }).safeParse(err);
  const told = Object.entries(fields).map(
    ([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return [msg, ...told, ...(message.success ? [message.data.message] : [])].join('  ');
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

/** What the daemon needs of the command that runs it. */
export interface ProbeDaemonDeps {
  readonly notices: Notices;
  /** Tells where it serves and what it watches, once it does. */
  readonly serving: (lines: readonly string[]) => void;
  /** Where `env:NAME` references are read; holds the throw-away credentials of the embedded gateway, too. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  readonly revision: string | null;
  readonly interrupts: Interrupts;
  /** `http:` of the configuration: addresses, versions of TLS, HTTP/2. */
  readonly http: ResolvedConfig['http'];
  /** `billing:`: a book of one's own, its adapter, agreed prices. */
  readonly billing: ResolvedConfig['billing'];
  readonly archive_days: number;
  /** Reads the configuration again. Throws `config_invalid` and `config_missing`: the plan in force stays. */
  readonly reload: () => ProbePlan;
}

/** Watches until it is interrupted and returns the exit status. */
export type RunProbeDaemon = (plan: ProbePlan, deps: ProbeDaemonDeps) => Promise<number>;

/** The daemon of src/probe, with the terminal and the signals of this process. */
export const runProbeDaemon: RunProbeDaemon = (plan, deps) => {
  const { notices, interrupts, env, version, revision, http, billing, archive_days, reload } = deps;
  return watchGateways(plan, {
    env,
    version,
    revision,
    http,
    billing,
    archive_days,
    reload,
    openWatch: openTargetWatch,
    // A person reads words; whatever collects logs reads JSON.
    log: { write: (line) => notices.err(notices.shows === 'frames' ? logWords(line) : line.trimEnd()) },
    onEnd: (listener) => interrupts.onSignal(listener),
    onReload: (listener) => {
      process.on('SIGHUP', listener);
      return () => process.off('SIGHUP', listener);
    },
    serving: (url) => {
      deps.serving([`metrics at ${url}/metrics, status page at ${url}/`, ...watchedProbes(plan)]);
    },
  });
};
