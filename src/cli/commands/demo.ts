import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { DEFAULT_OUT } from '../../app/folder/run-folder.ts';
import type { auditRun } from '../../app/run/audit-run.ts';
import { loadConfig } from '../../config/load-config.ts';
import { DEFAULT_STATE } from '../../contracts/target-folder-name.ts';
import { printVerdict } from '../terminal/print-answer.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface DemoFlags {
  readonly out: string;
  readonly overcharge?: boolean;
  readonly json?: boolean;
}

/** Finds a file that ships beside the command, two levels above src/cli and dist/cli alike. */
const shipped = (name: string): string =>
  fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url));

/**
 * `weighbridge demo`: an audit of the embedded gateway that reads no configuration, target or credential of yours. `start` is
 * `auditRun`; a test looks at what it is given.
 */
export const demoCommand =
  (start: typeof auditRun) =>
  (program: Command, terminal: Terminal, finish: (code: number) => void): void => {
    program
      .command('demo')
      .description('audit the embedded gateway with five seconds of load; it needs no key and costs nothing')
      .option('--overcharge', 'the embedded gateway charges some calls twice, so the audit ends with 5')
      .option('--out <dir>', 'parent of the run folder', DEFAULT_OUT)
      .option('--json', 'last line of stdout for programs')
      .action(async ({ out, overcharge, json }: DemoFlags) => {
        const interrupts = terminal.interrupts();
        try {
          finish(
            await start({
              mode: 'audit',
              config: loadConfig({ file: shipped('plans/demo.yaml'), env: {}, flags: {} }),
              out,
              state: DEFAULT_STATE,
              tell: (report) => printVerdict(terminal, report, json === true),
              ui: null,
              every_ms: null,
              embedded: {
                faults: overcharge === true ? shipped('faults/overcharge.yaml') : null,
                journal: null,
                readings: null,
              },
              keyFiles: [],
              assumed: [],
              capacity: null,
              baseline: null,
              notices: terminal,
              interrupts,
            }),
          );
        } finally {
          interrupts.release();
        }
      });
  };
