import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import type { Examination } from '../../app/doctor/examination.ts';
import {
  examineConfig,
  examineCredentials,
  readConfig,
  readCredentials,
} from '../../app/doctor/examine-config.ts';
import { examineDisk, examineFolder, examineLocks } from '../../app/doctor/examine-folders.ts';
import { examineOpenFiles, examinePorts } from '../../app/doctor/examine-machine.ts';
import { examineTarget } from '../../app/doctor/examine-target.ts';
import { examineGo, examineK6, examineNode, hasK6 } from '../../app/doctor/examine-tools.ts';
import { type Examined, runExaminations } from '../../app/doctor/run-examinations.ts';
import { DEFAULT_OUT } from '../../app/folder/run-folder.ts';
import { VERSION, versionText } from '../../app/version/version.ts';
import { DEFAULT_STATE } from '../../contracts/target-folder-name.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface DoctorFlags {
  readonly config?: string;
  readonly target?: string;
  readonly out: string;
  readonly state: string;
  readonly fix?: boolean;
  readonly json?: boolean;
}

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

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
    examinations(flags, terminal.env),
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

function examinations(flags: DoctorFlags, env: Terminal['env']): readonly Examination[] {
  const config = readConfig(flags.config, flags.target, env);
  const credentials = readCredentials(env);
  const known = 'value' in config ? config.value : null;
  const bases = known?.target.bases ?? null;
  return [
    examineNode(),
    examineGo(env, () => hasK6(ROOT, env)),
    examineK6(ROOT, env),
    examineConfig(config),
    examineCredentials(credentials, env, bases !== null),
    ...(known === null || bases === null
      ? []
      : examineTarget(known, bases, 'value' in credentials ? credentials.value : null, env)),
    examineOpenFiles(() =>
      known === null
        ? null
        : (known.limits.max_in_flight ??
          known.traffic.reduce((sum, { max_in_flight }) => sum + max_in_flight, 0)),
    ),
    examineFolder('run folders', '--out', flags.out),
    examineFolder('state', '--state', flags.state),
    examineLocks(flags.state),
    examineDisk(flags.out),
    examinePorts(),
  ];
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
