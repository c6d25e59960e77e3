/**
 * Runs checks of the project in stages, prints the seconds of each and the names of what was skipped, and ends with
 * `N passed, N failed`, and `, N skipped` where something was.
 * `--fast` runs what needs no tools beside Node and Go; `--mutants all` every mutant, not only those of what changed;
 * `--only a,b` the named stages. The line that is printed then says which were left out.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readGoTests } from './tally/read-go-tests.ts';
import { readVitestReport } from './tally/read-vitest-report.ts';
import { FAILED, NO_TESTS, PASSED, stageLine, sumOf, type Tally, tallyWords } from './tally/tally.ts';

const { values: flags } = parseArgs({
  options: {
    fast: { type: 'boolean', default: false },
    only: { type: 'string' },
    mutants: { type: 'string', default: 'changed' },
  },
});

const root = resolve(import.meta.dirname, '..');
const scratch = mkdtempSync(join(tmpdir(), 'weighbridge-test-'));
/** What Node compiles is kept here, not in the temporary folder, as npm has it. */
const COMPILED = join(root, '.cache/modules');
const bin = (name: string): string => join(root, 'node_modules/.bin', name);

/** Where a stage runs: what it starts has this temporary folder, and gives way to stages of a lower niceness. */
interface Place {
  readonly temporary: string;
  readonly niceness: number;
}

interface Stage {
  readonly name: string;
  run(place: Place): Promise<Tally>;
}

/** Stages one after the other. */
interface Row {
  readonly niceness: number;
  readonly stages: readonly Stage[];
}

const SOURCES: readonly Stage[] = [
  check('lint', bin('biome'), ['check', '--error-on-warnings', '.']),
  check('prose', process.execPath, ['scripts/prose.ts']),
  check('mutants fit', process.execPath, ['scripts/mutants.ts', '--check']),
  check('types', bin('tsc'), ['-p', '.']),
  check('types core', bin('tsc'), ['-p', 'src/core/tsconfig.json']),
  check('types scenarios', bin('tsc'), ['-p', 'scenarios/tsconfig.json']),
  check('unused', bin('knip'), ['--no-progress']),
  check('unused but by tests', bin('knip'), ['--no-progress', '--production']),
];

const FAST: readonly (readonly Row[])[] = [
  [
    { niceness: 0, stages: [vitest('unit')] },
    { niceness: 0, stages: [...SOURCES, go('go', { race: false, withE2e: false })] },
  ],
];

/** With more, another user of the machine would stop the tests. */
const NICE = 4;

const CHECKS: Row = {
  niceness: NICE,
  stages: [
    ...SOURCES,
    check('generated', process.execPath, ['scripts/generate.ts', '--check']),
    vulnerabilities(),
    vitest('unit'),
    vitest('gateway'),
    vitest('commands', '--maxWorkers=3'),
    go('go', { race: true, withE2e: true }),
    vitest('sdk'),
    requirements(),
    vitest('schemathesis'),
    vitest('package'),
  ],
};

/**
 * Turns of rows, one turn after the other, the rows of a turn side by side. What `e2e` runs waits for its target most of
 * the time, and leaves the processor to the checks. The alerts of `live` go by time, at 600 times its pace: beside them
 * go only the mutants, which take what is left.
 */
const WHOLE: readonly (readonly Row[])[] = [
  [{ niceness: 0, stages: [vitest('e2e', '--maxWorkers=3')] }, CHECKS],
  [
    { niceness: 0, stages: [vitest('live')] },
    { niceness: 19, stages: [mutants()] },
  ],
];

const running = new Set<ChildProcess>();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    for (const child of running) child.kill(signal);
    process.exit(1);
  });
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));

interface Ended {
  readonly status: number;
  readonly output: string;
}

function execute(
  { temporary, niceness }: Place,
  command: string,
  args: readonly string[],
  more: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Ended> {
  return new Promise((done) => {
    const env = {
      ...process.env,
      NO_COLOR: '1',
      TMPDIR: temporary,
      NODE_COMPILE_CACHE: COMPILED,
      ...more.env,
    };
    const child = spawn('nice', ['-n', String(niceness), command, ...args], {
      cwd: more.cwd ?? root,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(child);
    const said = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        said[name] += text;
      });
    }
    child.once('error', ({ message }) => done({ status: 1, output: message }));
    child.once('close', (status) => {
      running.delete(child);
      done({ status: status ?? 1, output: said.stdout + said.stderr });
    });
  });
}

function check(name: string, command: string, args: readonly string[]): Stage {
  return {
    name,
    async run(place) {
      const { status, output } = await execute(place, command, args);
      if (status !== 0) console.log(output.slice(-12_000));
      return status === 0 ? PASSED : FAILED;
    },
  };
}

/** Known vulnerabilities of what is installed with the package; not run where the registry does not tell. */
function vulnerabilities(): Stage {
  return {
    name: 'npm audit',
    async run(place) {
      const { status, output } = await execute(place, process.execPath, ['scripts/npm-audit.ts']);
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
    async run(place) {
      const report = join(scratch, `${project}.json`);
      const { status, output } = await execute(place, bin('vitest'), [
        'run',
        ...['--project', project],
        ...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
        ...more,
      ]);
      if (status !== 0) console.log(output.slice(-20_000));
      return readVitestReport(existsSync(report) ? readFileSync(report, 'utf8') : '', status, root);
    },
  };
}

interface GoTests {
  readonly race: boolean;
  /** Those that run k6, a minute of waiting. */
  readonly withE2e: boolean;
}

/** What set-up has compiled for k6 is compiled for the tests so, too, and needs no C compiler. */
const AS_SET_UP: GoRun = { flags: ['-trimpath'], env: { CGO_ENABLED: '0' } };
/** Of packages with one goroutine, and of a k6 that is built without it, the detector would only cost minutes. */
const NO_RACES = /\/(secret|e2e)$/;
/** Ten times the slowest package on a quiet machine. */
const GO_LIMIT = '-timeout=20m';

interface GoRun {
  readonly flags: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** The load engine, the rig of its bench, and what reads manifests. */
function go(name: string, { race, withE2e }: GoTests): Stage {
  return {
    name,
    async run(place) {
      const listed = await execute(place, 'go', ['list', './...'], { cwd: join(root, 'xk6') });
      const packages = listed.output.match(/^\S+\/\S+$/gm) ?? [];
      const raced = packages.filter((each) => race && !NO_RACES.test(each));
      const others = packages.filter((each) => !raced.includes(each) && (withE2e || !each.endsWith('/e2e')));
      const whole = { flags: ['-race'], env: {} };
      return sumOf([
        raced.length === 0 ? NO_TESTS : await goTests(place, 'xk6', raced, whole),
        await goTests(place, 'xk6', others, AS_SET_UP),
        await goTests(place, 'bench/engine/rig', ['./...'], AS_SET_UP),
        await goTests(place, 'test/deploy', ['./...'], AS_SET_UP),
      ]);
    },
  };
}

async function goTests(
  place: Place,
  folder: string,
  packages: readonly string[],
  { flags: how, env }: GoRun,
): Promise<Tally> {
  const cwd = join(root, folder);
  const vet = await execute(place, 'go', ['vet', ...how, ...packages], { cwd, env });
  if (vet.status !== 0) console.log(vet.output.slice(-8_000));
  const { status, output } = await execute(place, 'go', ['test', ...how, GO_LIMIT, '-json', ...packages], {
    cwd,
    env,
  });
  const { tally, said } = readGoTests(output, status);
  if (status !== 0) console.log(said.slice(-12_000));
  return sumOf([tally, vet.status === 0 ? PASSED : FAILED]);
}

/** Thirty requirements switched off, others for each commit; the seed is printed, so a failure can be repeated. */
function requirements(): Stage {
  return {
    name: 'requirements',
    async run(place) {
      const head = await execute(place, 'git', ['rev-parse', '--short=7', 'HEAD']);
      const seed = head.status === 0 ? Number.parseInt(head.output.trim(), 16) : 1;
      const { output } = await execute(place, process.execPath, [
        'scripts/requirements.ts',
        ...['--break', '30', '--seed', String(seed)],
      ]);
      const tally = /^(\d+) broken, (\d+) as expected$/m.exec(output);
      const [broken, expected] = [Number(tally?.[1] ?? 0), Number(tally?.[2] ?? 0)];
      if (broken === 0 || broken !== expected) console.log(output.slice(-12_000));
      return { ...NO_TESTS, passed: expected, failed: broken === 0 ? 1 : broken - expected };
    },
  };
}

/** Those of the code that changed, of which there may be none, or all. */
function mutants(): Stage {
  return {
    name: 'mutants',
    async run(place) {
      const { status, output } = await execute(place, process.execPath, [
        'scripts/mutants.ts',
        flags.mutants === 'all' ? '--all' : '--changed',
        // Its tests have just been seen green.
        '--no-baseline',
      ]);
      console.log(output.trimEnd().split('\n').slice(-40).join('\n'));
      const tally = /^(\d+) killed, (\d+) survived$/m.exec(output);
      const [killed, survived] = [Number(tally?.[1] ?? 0), Number(tally?.[2] ?? 0)];
      return { ...NO_TESTS, passed: killed, failed: survived === 0 && status !== 0 ? 1 : survived };
    },
  };
}

const turns = flags.fast ? FAST : WHOLE;
const stages = turns.flat().flatMap((row) => row.stages);
const wanted = flags.only?.split(',') ?? stages.map(({ name }) => name);
const tallies: Tally[] = [];
const times: string[] = [];
const started = performance.now();
for (const rows of turns) await Promise.all(rows.map(runRow));

async function runRow({ niceness, stages: row }: Row): Promise<void> {
  for (const stage of row.filter(({ name }) => wanted.includes(name))) {
    const begun = performance.now();
    const temporary = join(scratch, stage.name.replaceAll(' ', '-'));
    mkdirSync(temporary);
    const tally = sumOf([await stage.run({ temporary, niceness }), leftIn(temporary, stage.name)]);
    const seconds = ((performance.now() - begun) / 1000).toFixed(1);
    tallies.push(tally);
    times.push(`${stage.name} ${seconds} s`);
    for (const name of tally.skipped) console.log(`skipped  ${stage.name}: ${name}`);
    console.log(`${stageLine(stage.name, tally)}, ${seconds} s`);
  }
}

/** Who leaves something behind fills the temporary folder of everybody who runs the tests. */
function leftIn(temporary: string, stage: string): Tally {
  const left = readdirSync(temporary);
  if (left.length === 0) return NO_TESTS;
  console.log(`${stage} left in the temporary folder: ${left.join(', ')}`);
  return FAILED;
}

const left = stages.filter((stage) => !wanted.includes(stage.name)).map((stage) => stage.name);
if (left.length > 0) console.log(`left out: ${left.join(', ')}`);
console.log(`stages: ${times.join(', ')}; all ${((performance.now() - started) / 1000).toFixed(1)} s`);
const whole = sumOf(tallies);
console.log(tallyWords(whole));
process.exitCode = whole.failed === 0 && whole.passed > 0 ? 0 : 1;
