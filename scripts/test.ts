/**
 * Runs every check of the project in stages, prints the seconds of each and the names of what was skipped, and ends with
 * `N passed, N failed`, and `, N skipped` where something was. `--only a,b` runs the named stages; the line that is printed
 * then says which were left out.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readGoTests } from './tally/read-go-tests.ts';
import { readVitestReport } from './tally/read-vitest-report.ts';
import { FAILED, NO_TESTS, PASSED, stageLine, sumOf, type Tally, tallyWords } from './tally/tally.ts';

const root = resolve(import.meta.dirname, '..');
const scratch = mkdtempSync(join(tmpdir(), 'weighbridge-test-'));
const bin = (name: string): string => join(root, 'node_modules/.bin', name);

interface Stage {
  readonly name: string;
  run(): Promise<Tally>;
}

/** At a time: two of them leave half of two processors idle, since most of an audit is waiting for the target. */
const E2E_FILES = 3;

/**
 * Turns, one after the other. A turn is rows of stages that run side by side. In the first of them nothing goes by time:
 * what reads sources, asks the gateway odd questions, or installs the package. In the last, the alerts wait for most of
 * theirs, and the mutants take what they leave. All others have the machine to themselves.
 */
const TURNS: readonly (readonly (readonly Stage[])[])[] = [
  [
    [
      check('lint', bin('biome'), ['check', '--error-on-warnings', '.']),
      check('mutants fit', process.execPath, ['scripts/mutants.ts', '--check']),
      check('types', bin('tsc'), ['-p', '.']),
      check('types core', bin('tsc'), ['-p', 'src/core/tsconfig.json']),
      check('types scenarios', bin('tsc'), ['-p', 'scenarios/tsconfig.json']),
      check('generated', process.execPath, ['scripts/generate.ts', '--check']),
      vulnerabilities(),
    ],
    [vitest('schemathesis')],
    [vitest('package')],
  ],
  ...[
    vitest('unit'),
    vitest('gateway'),
    goTests(),
    vitest('sdk'),
    requirements(),
    vitest('e2e', `--maxWorkers=${E2E_FILES}`),
  ].map((stage) => [[stage]]),
  [[vitest('live')], [mutants()]],
];
const STAGES = TURNS.flat(2);

function execute(
  command: string,
  args: readonly string[],
  cwd = root,
): Promise<{ status: number; output: string }> {
  return new Promise((done) => {
    const env = { ...process.env, NO_COLOR: '1' };
    const child = spawn(command, args, { cwd, env, stdio: ['inherit', 'pipe', 'pipe'] });
    const said = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        said[name] += text;
      });
    }
    child.once('error', ({ message }) => done({ status: 1, output: message }));
    child.once('close', (status) => done({ status: status ?? 1, output: said.stdout + said.stderr }));
  });
}

function check(name: string, command: string, args: readonly string[]): Stage {
  return {
    name,
    async run() {
      const { status, output } = await execute(command, args);
      if (status !== 0) console.log(output.slice(-12_000));
      return status === 0 ? PASSED : FAILED;
    },
  };
}

/** Known vulnerabilities of what is installed with the package; not run where the registry does not tell. */
function vulnerabilities(): Stage {
  return {
    name: 'npm audit',
    async run() {
      const { status, output } = await execute(process.execPath, ['scripts/npm-audit.ts']);
      console.log(output.trimEnd());
      if (status !== 0) return FAILED;
      return /^npm audit: not run/m.test(output)
        ? { ...NO_TESTS, skipped: ['known vulnerabilities'] }
        : PASSED;
    },
  };
}

function vitest(project: string, ...more: readonly string[]): Stage {
  return {
    name: project,
    async run() {
      const report = join(scratch, `${project}.json`);
      const { status, output } = await execute(bin('vitest'), [
        'run',
        '--project',
        project,
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${report}`,
        ...more,
      ]);
      if (status !== 0) console.log(output.slice(-20_000));
      return readVitestReport(existsSync(report) ? readFileSync(report, 'utf8') : '', status, root);
    },
  };
}

/** The load engine with its race detector, and the rig of its bench, which the detector would slow down. */
function goTests(): Stage {
  return {
    name: 'go',
    async run() {
      return sumOf([
        await goModule('xk6', ['-race']),
        await goModule('bench/engine/rig', []),
        await goModule('test/deploy', []),
      ]);
    },
  };
}

async function goModule(folder: string, flags: readonly string[]): Promise<Tally> {
  const vet = await execute('go', ['vet', './...'], join(root, folder));
  if (vet.status !== 0) console.log(vet.output.slice(-8_000));
  const { status, output } = await execute('go', ['test', ...flags, '-json', './...'], join(root, folder));
  const { tally, said } = readGoTests(output, status);
  if (status !== 0) console.log(said.slice(-12_000));
  return sumOf([tally, vet.status === 0 ? PASSED : FAILED]);
}

/** Thirty requirements switched off, others for each commit; the seed is printed, so a failure can be repeated. */
function requirements(): Stage {
  return {
    name: 'requirements',
    async run() {
      const head = await execute('git', ['rev-parse', '--short=7', 'HEAD']);
      const seed = head.status === 0 ? Number.parseInt(head.output.trim(), 16) : 1;
      const { output } = await execute(process.execPath, [
        'scripts/requirements.ts',
        '--break',
        '30',
        '--seed',
        String(seed),
      ]);
      const tally = /^(\d+) broken, (\d+) as expected$/m.exec(output);
      const [broken, expected] = [Number(tally?.[1] ?? 0), Number(tally?.[2] ?? 0)];
      if (broken === 0 || broken !== expected) console.log(output.slice(-12_000));
      return { ...NO_TESTS, passed: expected, failed: broken === 0 ? 1 : broken - expected };
    },
  };
}

/** At the lowest priority: the alerts beside it go by time, at 600 times its pace, and have the processors when they want them. */
function mutants(): Stage {
  return {
    name: 'mutants',
    async run() {
      const { output } = await execute('nice', [
        ...['-n', '19', process.execPath],
        ...['scripts/mutants.ts', '--no-baseline'],
      ]);
      const tally = /^(\d+) killed, (\d+) survived$/m.exec(output);
      console.log(output.trimEnd().split('\n').slice(-40).join('\n'));
      return tally === null ? FAILED : { ...NO_TESTS, passed: Number(tally[1]), failed: Number(tally[2]) };
    },
  };
}

const wanted = process.argv.includes('--only')
  ? (process.argv[process.argv.indexOf('--only') + 1] ?? '').split(',')
  : STAGES.map((stage) => stage.name);
const tallies: Tally[] = [];
const times: string[] = [];
for (const rows of TURNS) await Promise.all(rows.map(runRow));

/** The wanted stages of a row, one after the other. */
async function runRow(row: readonly Stage[]): Promise<void> {
  for (const stage of row.filter((entry) => wanted.includes(entry.name))) {
    const started = performance.now();
    const tally = await stage.run();
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    tallies.push(tally);
    times.push(`${stage.name} ${seconds} s`);
    for (const name of tally.skipped) console.log(`skipped  ${stage.name}: ${name}`);
    console.log(`${stageLine(stage.name, tally)}, ${seconds} s`);
  }
}

rmSync(scratch, { recursive: true, force: true });
const left = STAGES.filter((stage) => !wanted.includes(stage.name)).map((stage) => stage.name);
if (left.length > 0) console.log(`left out: ${left.join(', ')}`);
console.log(`stages: ${times.join(', ')}`);
const whole = sumOf(tallies);
console.log(tallyWords(whole));
process.exitCode = whole.failed === 0 && whole.passed > 0 ? 0 : 1;
