import type { Command } from 'commander';
import { judgeFolder, writeFolderReport } from '../judge-folder.ts';
import { printVerdict } from '../print-verdict.ts';
import { DEFAULT_OUT, findRunFolder, placeOf } from '../run-folder.ts';
import type { Terminal } from '../terminal.ts';

export function reportCommand(program: Command, terminal: Terminal, finish: (code: number) => void): void {
  program
    .command('report')
    .description('render a finished run again; the same folder gives the same bytes')
    .option('--run <id>', 'run id (default: the newest under --out)')
    .option('--out <dir>', 'parent of the run folders', DEFAULT_OUT)
    .option('--json', 'last line of stdout for programs')
    .action(async (flags: { readonly run?: string; readonly out: string; readonly json?: boolean }) => {
      const runDir = findRunFolder(flags.out, flags.run);
      const report = writeFolderReport(runDir, await judgeFolder(runDir), placeOf(runDir));
      finish(printVerdict(terminal, { runDir, report, json: flags.json === true }));
    });
}
