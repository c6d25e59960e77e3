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
      'look for what is missing or wrong here and at the target, and say what mends it; sends no paid call',
    )
    .option('--config <file>', 'configuration (default: ./weighbridge.yaml, else the default plan)')
    .option('--target <url>', 'gateway to ask: root, /v1 or /api form (default: that of the configuration)')
    .option('--out <dir>', 'parent of the run folders', DEFAULT_OUT)
    .option('--state <dir>', 'parent of what outlives a run, one folder a target', DEFAULT_STATE)
    .option('--fix', 'mend what can be: build k6, make folders')
    .option('--json', 'last line of stdout for programs')
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
