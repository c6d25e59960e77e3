import type { Command } from 'commander';
import { type PulledTarget, type PullOptions, pullTargets } from '../../app/probe/pull-targets.ts';
import { EXIT } from '../../contracts/exit-code.ts';
import { printAnswer } from '../terminal/print-answer.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface PullFlags extends PullOptions {
  readonly json?: boolean;
}

/** `weighbridge pull`. */
export function pullCommand(program: Command, terminal: Terminal, finish: (code: number) => void): void {
  program
    .command('pull')
    .description(
      'Archive the price list, models, usage and account of a gateway, and print what changed. Sends no paid call.',
    )
    .option('--config <file>', 'configuration (default: ./weighbridge.yaml)')
    .option('--target <url>', 'read only this gateway (default: those in the configuration)')
    .option('--state <dir>', 'folder of the archive, which is <target>/archive in it (default: .weighbridge)')
    .option('--json', 'print what was read and what changed as JSON')
    .action(async (flags: PullFlags) => finish(await pull(flags, terminal)));
}

async function pull({ json, ...request }: PullFlags, terminal: Terminal): Promise<number> {
  const { pulled, interrupted } = await pullTargets(request, terminal);
  printAnswer(terminal, json, { targets: pulled }, () => pulled.flatMap(linesOf));
  if (interrupted) return EXIT.interrupted;
  const failed = pulled.some(({ documents }) => documents.some(({ problem }) => problem !== null));
  return failed ? EXIT.target : EXIT.ok;
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
