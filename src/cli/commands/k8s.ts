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
      'write manifests for Kubernetes: a load by k6-operator with its audit, the daemon, schedules',
    )
    .option('--instances <n>', 'load: so many k6 drive one plan, and an audit follows', wholeNumber)
    .option('--probe', 'the daemon, its scrape, alerts and dashboards')
    .addOption(new Option('--month <which>', 'an audit of the month before, each 3rd').choices(['last']))
    .addOption(
      new Option('--nightly <command>', 'an audit each night; run: where there is no bill').choices([
        'audit',
        'run',
      ]),
    )
    .option('--out <dir>', 'new folder for the manifests', 'k8s')
    .option('--image <name>', 'image of Weighbridge that the cluster can pull (needed)')
    .option('--secret <name>', 'Secret that holds the keys', 'weighbridge-credentials')
    .option('--one-node', 'all engines of a load on one node, where no volume can be shared by all')
    .option(
      '--operator-namespace <name>',
      'where k6-operator runs, which alone may reach the engines',
      'k6-operator-system',
    )
    .option(
      '--state <dir>',
      'where the budget of the target stands here: a load takes its whole cap of it',
      DEFAULT_STATE,
    )
    .action(async (url: string | undefined, given: K8sFlags) =>
      finish(await write(withUrl(url, given), terminal)),
    );
  k8s
    .command('await')
    .description('inside the cluster: wait until the ledgers of all engines are closed, or the time is up')
    .argument('<folder>', 'run folder')
    .requiredOption('--engines <n>', 'how many', wholeNumber)
    .requiredOption('--within <time>', 'at most so long, such as 45m', timeOf)
    .option('--json', 'one line for programs')
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
    message: 'expected what the cluster is to do, found none of --instances, --probe, --month, --nightly',
    hint: 'for a load give --instances 3, for the daemon --probe',
  });
}

function imageMissing(): WeighbridgeError {
  return new WeighbridgeError({
    code: 'bad_flag',
    message: 'expected the image that pods run, found no --image',
    hint: 'build it with deploy/Dockerfile, push it where the cluster pulls from, and give its name',
  });
}
