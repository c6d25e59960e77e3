import type { Command } from 'commander';
import { checkedLines, missingCredentials, requireCredentials } from '../../app/probe/probe-credentials.ts';
import type { RunProbeDaemon } from '../../app/probe/probe-daemon.ts';
import { embeddedProbing, type ProbedGateway } from '../../app/probe/probe-gateway.ts';
import { forecastPlan, forecastWords, type NotedForecast } from '../../app/probe/pull-targets.ts';
import { buildRevision, VERSION } from '../../app/version/version.ts';
import { loadConfig } from '../../config/load-config.ts';
import { loadProbePlan, type ProbeRequest, watchesEmbedded } from '../../config/load-probe.ts';
import { EXIT } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { ProbePlan } from '../../contracts/probe-plan.ts';
import { printAnswer } from '../terminal/print-answer.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface ProbeFlags {
  readonly config?: string;
  readonly target?: string;
  readonly listen?: string;
  readonly state?: string;
  readonly dryRun?: boolean;
  readonly check?: boolean;
  readonly json?: boolean;
}

/** `weighbridge probe`; `daemon` is what watches. */
export function probeCommand(daemon: RunProbeDaemon) {
  return (program: Command, terminal: Terminal, finish: (code: number) => void): void => {
    program
      .command('probe')
      .description('Monitor gateways continuously, and serve Prometheus metrics and a status page.')
      .option('--config <file>', 'configuration (default: ./weighbridge.yaml)')
      .option(
        '--target <url>',
        'monitor only this gateway (default: those in the configuration, else the embedded one)',
      )
      .option('--listen <address>', 'address for metrics and pages (default: 127.0.0.1:9464)')
      .option('--state <dir>', 'folder for data that is kept between starts (default: .weighbridge)')
      .option('--dry-run', 'print what the probes cost and how the caps limit them, and send no paid call')
      .option('--check', 'check the configuration and exit')
      .option('--json', 'print the forecast or the check as JSON')
      .action(async (flags: ProbeFlags) => finish(await probe(flags, terminal, daemon)));
  };
}

async function probe(flags: ProbeFlags, terminal: Terminal, daemon: RunProbeDaemon): Promise<number> {
  const request = {
    file: flags.config,
    env: terminal.env,
    flags: { target: flags.target, listen: flags.listen, state: flags.state },
  };
  const budget = flags.dryRun === true ? 'optional' : 'needed';
  if (flags.check === true)
    return check({ ...request, embedded: null, budget }, terminal, flags.json === true);
  const config = loadConfig({ file: flags.config, env: terminal.env, flags: {} });
  // The file is read before a process is started for nothing.
  const gateway: ProbedGateway | null = watchesEmbedded(request) ? await embeddedProbing(config) : null;
  try {
    const whole: ProbeRequest = { ...request, embedded: gateway?.embedded ?? null, budget };
    const plan = loadProbePlan(whole);
    const env = { ...terminal.env, ...gateway?.env };
    requireCredentials(plan, env);
    if (flags.dryRun === true)
      return printForecast(await forecastPlan(plan, config, env), flags.json, terminal);
    const interrupts = terminal.interrupts();
    try {
      const { http, billing } = config;
      const { days: archive_days } = config.archive;
      const reload = () => reloaded(whole, env);
      return await daemon(plan, {
        notices: terminal,
        serving: (lines) => {
          for (const line of lines) terminal.out(line);
        },
        env,
        version: VERSION,
        revision: buildRevision(),
        interrupts,
        http,
        billing,
        archive_days,
        reload,
      });
    } finally {
      interrupts.release();
    }
  } finally {
    await gateway?.close();
  }
}

function printForecast(
  targets: readonly NotedForecast[],
  json: boolean | undefined,
  terminal: Terminal,
): number {
  printAnswer(terminal, json, { targets }, () => forecastWords(targets));
  // Without a price the question that was asked has no answer.
  const isOpen = targets.some(({ probes }) => probes.some(({ unpriced }) => unpriced));
  return isOpen ? EXIT.inconclusive : EXIT.ok;
}

/** What the daemon is to take in place of its plan; throws where the one in force must stay. */
function reloaded(request: ProbeRequest, env: Terminal['env']): ProbePlan {
  const plan = loadProbePlan(request);
  if (plan.targets.length === 0) {
    throw new WeighbridgeError({
      code: 'target_missing',
      message: 'The configuration names no gateway any more. probe.targets and target.url are both missing.',
      hint: 'Name a gateway, or start the command again to watch the embedded gateway.',
    });
  }
  requireCredentials(plan, env);
  return plan;
}

/** Credentials may be missing where a configuration is checked: they are named, and no reason to fail. */
function check(request: ProbeRequest, terminal: Terminal, json: boolean): number {
  const plan = loadProbePlan(request);
  const missing = missingCredentials(plan, request.env);
  const targets = plan.targets.map(({ name, probes }) => ({ name, probes: probes.map((each) => each.name) }));
  printAnswer(terminal, json, { targets, missing }, () => checkedLines(plan, missing));
  return EXIT.ok;
}
