import type { ResolvedConfig } from '../../config/resolved-config.ts';
import type { ProbePlan } from '../../contracts/probe-plan.ts';
import { runDaemon as watchGateways } from '../../probe/daemon.ts';
import { openTargetWatch } from '../../probe/target/open-target-watch.ts';
import type { Interrupts } from '../terminal/interrupts.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { logWords } from './log-words.ts';
import { watchedProbes } from './watched-lines.ts';

/** What the daemon needs of the command that runs it. */
export interface ProbeDaemonDeps {
  readonly terminal: Terminal;
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
  const { terminal, interrupts, env, version, revision, http, billing, archive_days, reload } = deps;
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
    log: { write: (line) => terminal.err(terminal.live ? logWords(line) : line.trimEnd()) },
    onEnd: (listener) => interrupts.onSignal(listener),
    onReload: (listener) => {
      process.on('SIGHUP', listener);
      return () => process.off('SIGHUP', listener);
    },
    serving: (url) => {
      terminal.out(`metrics at ${url}/metrics, status page at ${url}/`);
      for (const line of watchedProbes(plan)) terminal.out(line);
    },
  });
};
