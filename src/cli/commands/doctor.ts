import type { Command } from 'commander';
import {
  allExaminations,
  type Examined,
  type ExaminedPlace,
  runExaminations,
} from '../../app/doctor/run-examinations.ts';
import { DEFAULT_OUT } from '../../app/folder/run-folder.ts';
import { VERSION, versionText } from '../../app/version/version.ts';
import { DEFAULT_STATE } from '../../contracts/target-folder-name.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface DoctorFlags extends ExaminedPlace {
  readonly fix?: boolean;
  readonly json?: boolean;
}

/** `weighbridge doctor`. */
export function doctorCommand(program: Command, terminal: Terminal, finish: (code: number) => void): void {
  program
    .command('doctor')
    .description(
      'Find what is missing or wrong on this machine and at the target, and show how to fix it. Sends no paid call.',
    )
    .option('--config <file>', 'configuration file (default: ./weighbridge.yaml, else the default plan)')
    .option(
      '--target <url>',
      'gateway to test; its address may end in /v1 or /api (default: that of the configuration)',
    )
    .option('--out <dir>', 'folder that contains the run folders', DEFAULT_OUT)
    .option(
      '--state <dir>',
      'folder for data that is kept between runs, one subfolder for each target',
      DEFAULT_STATE,
    )
    .option('--fix', 'fix what can be fixed: build k6, create folders')
    .option('--json', 'print the result as one JSON line')
    .action(async (flags: DoctorFlags) => finish(await doctor(flags, terminal)));
}

async function doctor(flags: DoctorFlags, terminal: Terminal): Promise<number> {
  const json = flags.json === true;
  if (!json) terminal.out(`weighbridge ${versionText()}`);
  const { examined, exitCode } = await runExaminations(
    allExaminations(flags, terminal.env),
    flags.fix === true,
    (one) => {
      if (!json) for (const line of linesOf(one)) terminal.out(line);
    },
  );
  if (json) terminal.out(JSON.stringify({ version: VERSION, examined, exit_codes: [exitCode] }));
  else
    terminal.out(
      exitCode === 0 ? 'nothing stands in the way' : `exit ${exitCode}: see what is marked "problem"`,
    );
  return exitCode;
}

const WIDTH = { name: 14, state: 9 };

function linesOf({ name, state, found, fix }: Examined): readonly string[] {
  const head = `${name.padEnd(WIDTH.name)}${state.padEnd(WIDTH.state)}`;
  const [first = '', ...more] = found.split('\n');
  const indent = ' '.repeat(head.length);
  return [
    `${head}  ${first}`,
    ...[...more, ...(fix === null ? [] : [`fix: ${fix}`])].map((line) => `${indent}  ${line}`),
  ];
}
