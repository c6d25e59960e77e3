import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { credentialsOf, requireCredentials } from '../../app/probe/probe-credentials.ts';
import { type PulledDocument, pullTarget } from '../../app/target/pull-target.ts';
import { clientOf } from '../../app/target/weighed-target.ts';
import { loadConfig } from '../../config/load-config.ts';
import { loadProbePlan } from '../../config/load-probe.ts';
import { EXIT } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { ProbePlan, ProbeTarget } from '../../contracts/probe-plan.ts';
import { newRunId } from '../../plan/run-id.ts';
import { pruneArchive } from '../../pricebook/archive/prune-archive.ts';
import { readMapping } from '../../pricebook/read/mapping-file.ts';
import { openTargetFolder } from '../../state/target-folder.ts';
import { plural } from '../../text/plural.ts';
import { printAnswer } from '../terminal/print-answer.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface PullFlags {
  readonly config?: string;
  readonly target?: string;
  readonly state?: string;
  readonly json?: boolean;
}

interface PulledTarget {
  readonly target: string;
  readonly archive: string;
  readonly documents: readonly PulledDocument[];
}

/** `weighbridge pull`. */
export function pullCommand(program: Command, terminal: Terminal, finish: (code: number) => void): void {
  program
    .command('pull')
    .description(
      'archive price book, model lists, usage and account as served, for free, and print what changed',
    )
    .option('--config <file>', 'configuration (default: ./weighbridge.yaml)')
    .option('--target <url>', 'read this gateway alone (default: those configured)')
    .option('--state <dir>', 'the archive stands there, in <target>/archive (default: .weighbridge)')
    .option('--json', 'for programs: what was read, and what changed')
    .action(async (flags: PullFlags) => finish(await pull(flags, terminal)));
}

async function pull(flags: PullFlags, terminal: Terminal): Promise<number> {
  const { env } = terminal;
  const config = loadConfig({ file: flags.config, env, flags: {} });
  const plan = loadProbePlan({
    file: flags.config,
    env,
    flags: { target: flags.target, state: flags.state },
    embedded: null,
    budget: 'optional',
  });
  if (plan.targets.length === 0) throw noTarget();
  requireCredentials(plan, env);
  const interrupts = terminal.interrupts();
  const reads = new AbortController();
  interrupts.onSignal(() => reads.abort());
  const pulled: PulledTarget[] = [];
  try {
    for (const target of plan.targets) {
      if (reads.signal.aborted) break;
      pulled.push(await pullOne(target, plan, config, reads.signal, terminal));
    }
  } finally {
    interrupts.release();
  }
  printAnswer(terminal, flags.json, { targets: pulled }, () => pulled.flatMap(linesOf));
  if (reads.signal.aborted) return EXIT.interrupted;
  const failed = pulled.some(({ documents }) => documents.some(({ problem }) => problem !== null));
  return failed ? EXIT.target : EXIT.ok;
}

async function pullOne(
  target: ProbeTarget,
  { state_dir }: ProbePlan,
  { http, billing, archive: { days } }: ReturnType<typeof loadConfig>,
  signal: AbortSignal,
  { env, err: say }: Terminal,
) {
  const credentials = credentialsOf(target, env);
  const client = clientOf(target.bases, credentials, signal, newRunId(Date.now()), http);
  const { name, folder, bases } = target;
  const archive = join(openTargetFolder(state_dir, { name, folder, root: bases.root }, say), 'archive');
  const { adapter, mapping } = billing.book;
  try {
    const documents = await pullTarget({
      client,
      archive_dir: archive,
      credentials: {
        key_fp: credentials.keyFp,
        account: credentials.accessToken !== null && credentials.userId !== null,
      },
      reader: {
        adapter,
        mapping: mapping === null ? null : readMapping(readFileSync(mapping, 'utf8'), mapping),
      },
      now_ms: Date.now,
    });
    const pruned = pruneArchive(archive, days, Date.now());
    if (pruned > 0) say(`${plural(pruned, 'document')} older than ${plural(days, 'day')} left ${archive}`);
    return { target: target.name, archive, documents };
  } finally {
    await client.close();
  }
}

function linesOf({ target, archive, documents }: PulledTarget): readonly string[] {
  return [
    `${target} -> ${archive}`,
    ...documents.flatMap(({ document, part, problem, lines: [first, ...more] }) => {
      const name = part === null ? document : `${document} (${part})`;
      return [
        ...(first === undefined ? [] : [`  ${name}: ${first}`]),
        ...more.map((line) => `    ${line}`),
        ...(problem === null
          ? []
          : [`  ${name}: not read${first === undefined ? '' : ' to the end'}: ${problem}`]),
      ];
    }),
  ];
}

function noTarget(): WeighbridgeError {
  return new WeighbridgeError({
    code: 'target_missing',
    message: 'expected a gateway to read, found neither --target nor one in the configuration',
    hint: 'give --target URL, or set target.url or probe.targets; the embedded gateway has nothing that outlives it',
  });
}
