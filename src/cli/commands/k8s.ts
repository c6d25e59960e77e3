import { join } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { awaitEngines } from '../../app/kubernetes/await-engines.ts';
import { type MadeManifests, makeManifests } from '../../app/kubernetes/make-manifests.ts';
import { parseDuration } from '../../config/duration.ts';
import { loadConfig } from '../../config/load-config.ts';
import type { ResolvedConfig } from '../../config/resolved-config.ts';
import { EXIT } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { DEFAULT_STATE } from '../../contracts/target-folder-name.ts';
import { andList } from '../../text/and-list.ts';
import { plural } from '../../text/plural.ts';
import { type PlanFlags, planOptions, saveConfig, withUrl } from '../flags/plan-flags.ts';
import { printAnswer } from '../terminal/print-answer.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { forecastLines } from './plan-lines.ts';

interface K8sFlags extends PlanFlags {
  readonly instances?: number;
  readonly probe?: boolean;
  readonly month?: 'last';
  readonly nightly?: 'audit' | 'run';
  readonly out: string;
  readonly image?: string;
  readonly secret: string;
  readonly oneNode?: boolean;
  readonly operatorNamespace: string;
  readonly state: string;
}

interface AwaitFlags {
  readonly engines: number;
  readonly within: number;
  readonly json?: boolean;
}

export function k8sCommand(program: Command, terminal: Terminal, finish: (code: number) => void): void {
  const k8s = planOptions(program.command('k8s'))
    .description(
      'Write Kubernetes manifests for a distributed load, for the daemon, or for scheduled audits.',
    )
    .option('--instances <n>', 'load with this number of load engines, followed by an audit', wholeNumber)
    .option('--probe', 'the daemon with its scrape, alerts and dashboards')
    .addOption(
      new Option('--month <which>', 'audit the previous month on the 3rd of each month').choices(['last']),
    )
    .addOption(
      new Option('--nightly <command>', 'audit each night; run measures a target without a bill').choices([
        'audit',
        'run',
      ]),
    )
    .option('--out <dir>', 'new folder for the manifests', 'k8s')
    .option('--image <name>', 'container image of Weighbridge that the cluster can pull (required)')
    .option('--secret <name>', 'Secret with the keys', 'weighbridge-credentials')
    .option('--one-node', 'run all load engines on one node, for clusters without a shared volume')
    .option(
      '--operator-namespace <name>',
      'namespace of k6-operator, which alone may reach the load engines',
      'k6-operator-system',
    )
    .option(
      '--state <dir>',
      'folder with the budget of the target, which reserves the whole cap of a load',
      DEFAULT_STATE,
    )
    .action(async (url: string | undefined, given: K8sFlags) =>
      finish(await write(withUrl(url, given), terminal)),
    );
  k8s
    .command('await')
    .description(
      'Inside the cluster: wait until all load engines have closed their ledgers, or until the time is up.',
    )
    .argument('<folder>', 'run folder')
    .requiredOption('--engines <n>', 'how many', wholeNumber)
    .requiredOption('--within <time>', 'at most so long, such as 45m', timeOf)
    .option('--json', 'print one JSON line')
    .action(async (folder: string, _flags: AwaitFlags, command: Command) =>
      // `--json` stands at the parent as well, which may have taken it.
      finish(await wait(folder, command.optsWithGlobals<AwaitFlags>(), terminal)),
    );
}

async function write(flags: K8sFlags, terminal: Terminal): Promise<number> {
  const { instances, image, month, nightly, probe = false } = flags;
  if (instances === undefined && !probe && month === undefined && nightly === undefined) throw nothingAsked();
  if (image === undefined) throw imageMissing();
  const load = instances === undefined ? null : { instances, ...layoutOf(flags) };
  const times = { month: month !== undefined, nightly: nightly ?? null };
  const config = load === null && !isScheduled(times) ? null : configOf(flags, terminal);
  const made = await makeManifests({
    out: flags.out,
    image,
    secret: flags.secret,
    env: terminal.env,
    say: terminal.err,
    load: config && load && { config, ...load },
    probe: probe ? { file: flags.config } : null,
    schedules: config && isScheduled(times) ? { config, ...times } : null,
  });
  const { dir, files, commands, resolved } = made;
  const answer = { dir, run_id: resolved?.plan.run_id ?? null, files, commands };
  printAnswer(terminal, flags.json, answer, () => writtenLines(made));
  return EXIT.ok;
}

function layoutOf({ oneNode = false, operatorNamespace, state }: K8sFlags) {
  return { oneNode, operatorNamespace, state };
}

function isScheduled({
  month,
  nightly,
}: {
  readonly month: boolean;
  readonly nightly: string | null;
}): boolean {
  return month || nightly !== null;
}

function configOf(flags: K8sFlags, { env, err }: Terminal): ResolvedConfig {
  const config = loadConfig({ file: flags.config, env, flags });
  saveConfig(config, flags, err);
  return config;
}

function writtenLines({ dir, files, commands, resolved }: MadeManifests): readonly string[] {
  return [
    ...(resolved === null ? [] : [...forecastLines(resolved), `run ${resolved.plan.run_id}`]),
    `wrote ${plural(files.length, 'file')} to ${dir}: ${files.join(', ')}`,
    'next:',
    ...commands.map((command) => `  ${command}`),
  ];
}

const POLL_MS = 2_000;

/** Exit 0 either way: the audit behind it says what is missing. */
async function wait(
  folder: string,
  { engines, within, json }: AwaitFlags,
  { out, err }: Terminal,
): Promise<number> {
  const found = await awaitEngines({
    calls: join(folder, 'calls'),
    engines,
    withinMs: within,
    pollMs: POLL_MS,
    say: err,
  });
  printAnswer({ out }, json, found, () => [
    `closed: ${found.closed.length === 0 ? 'none' : andList(found.closed)}`,
    ...(found.open.length === 0 ? [] : [`without an end: ${andList(found.open)}`]),
  ]);
  return EXIT.ok;
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^\d{1,3}$/.test(text) || value < 1)
    throw new InvalidArgumentError('expected a number from 1 to 999.');
  return value;
}

function timeOf(text: string): number {
  const ms = parseDuration(text);
  if (ms === null) throw new InvalidArgumentError('expected a time such as 45m.');
  return ms;
}

function nothingAsked(): WeighbridgeError {
  return new WeighbridgeError({
    code: 'bad_flag',
    message: 'The command needs one of --instances, --probe, --month and --nightly.',
    hint: 'Give --instances 3 for a load, or --probe for the daemon.',
  });
}

function imageMissing(): WeighbridgeError {
  return new WeighbridgeError({
    code: 'bad_flag',
    message: 'The command needs the container image that pods run. --image is missing.',
    hint: 'Build the image with deploy/Dockerfile, push it to your registry, and give its name with --image.',
  });
}
