/**
 * Applies each patch of test/mutations/ to a copy of the tree, runs the test it names, and expects it red.
 *
 * A patch starts with two lines before the diff:
 *   breaks: <what it breaks>
 *   red: <runner> <arguments>     runner: vitest (arguments as for `vitest run`) or go (arguments as for `go test` in xk6/)
 *
 * Prints `N killed, N survived` and exits 1 when one survives. `--only TEXT` runs those whose name holds TEXT.
 * The named tests are first run on the unbroken copy, since a test that is red already proves nothing;
 * `--no-baseline` leaves that out where they have just been seen green.
 *
 * Each lane works on a copy of its own; there is one for each processor.
 */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const folder = join(root, 'test/mutations');
const only = process.argv.includes('--only') ? (process.argv[process.argv.indexOf('--only') + 1] ?? '') : '';

interface Mutant {
  readonly name: string;
  readonly breaks: string;
  readonly runner: 'vitest' | 'go';
  readonly args: readonly string[];
}

function readMutant(name: string): Mutant {
  const text = readFileSync(join(folder, name), 'utf8');
  const breaks = /^breaks: (.+)$/m.exec(text)?.[1];
  const red = /^red: (vitest|go) (.+)$/m.exec(text);
  if (breaks === undefined || red === null)
    throw new Error(`${name}: expected "breaks:" and "red:" lines before the diff`);
  const args = (red[2] ?? '').match(/"[^"]*"|\S+/g)?.map((part) => part.replaceAll('"', '')) ?? [];
  return { name, breaks, runner: red[1] === 'go' ? 'go' : 'vitest', args };
}

function copyTree(): string {
  const copy = mkdtempSync(join(tmpdir(), 'weighbridge-mutant-'));
  const tracked = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  for (const file of tracked.stdout
    .split('\0')
    .filter((entry) => entry !== '' && existsSync(join(root, entry)))) {
    cpSync(join(root, file), join(copy, file), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** The named test files and Go packages as they are must be green. */
async function isGreen(mutants: readonly Mutant[], cwd: string): Promise<boolean> {
  const first = (runner: Mutant['runner']): string[] => [
    ...new Set(mutants.filter((mutant) => mutant.runner === runner).flatMap(({ args }) => args[0] ?? [])),
  ];
  const [vitest, go] = [first('vitest'), first('go')];
  const runs = [
    ...(vitest.length === 0 ? [] : [execute(join(cwd, 'node_modules/.bin/vitest'), ['run', ...vitest], cwd)]),
    ...(go.length === 0 ? [] : [execute('go', ['test', ...go], join(cwd, 'xk6'))]),
  ];
  const results = await Promise.all(runs);
  for (const { status, output } of results) {
    if (status !== 0) console.log(`red before anything is broken:\n${output.slice(-4000)}`);
  }
  return results.every(({ status }) => status === 0);
}

interface Ended {
  readonly status: number | null;
  readonly output: string;
}

function execute(command: string, args: readonly string[], cwd: string): Promise<Ended> {
  const env = { ...process.env, CI: 'true', WEIGHBRIDGE_K6: '' };
  return new Promise((done) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.once('error', (error) => done({ status: null, output: `${output}${error.message}` }));
    child.once('close', (status) => done({ status, output }));
  });
}

async function runNamedTest(
  mutant: Mutant,
  cwd: string,
): Promise<{ red: boolean; ran: boolean; output: string }> {
  const { status, output } =
    mutant.runner === 'go'
      ? await execute('go', ['test', '-count=1', '-vet=off', ...mutant.args], join(cwd, 'xk6'))
      : await execute(join(cwd, 'node_modules/.bin/vitest'), ['run', ...mutant.args], cwd);
  // A red run must come from a failing assertion, not from a test that was not found or a file that does not compile.
  const ran = mutant.runner === 'go' ? /--- FAIL|panic:/.test(output) : /Tests\s+.*\d+ failed/.test(output);
  return { red: status !== 0, ran, output };
}

/** True when the named test went red by an assertion. */
async function isKilled(mutant: Mutant, copy: string): Promise<boolean> {
  const patch = join(folder, mutant.name);
  const apply = (...more: string[]) =>
    spawnSync('git', ['apply', ...more, '--whitespace=nowarn', patch], { cwd: copy, encoding: 'utf8' });
  const applied = apply();
  if (applied.status !== 0) {
    console.log(`survived  ${mutant.name}: the patch does not apply: ${applied.stderr.trim()}`);
    return false;
  }
  const { red, ran, output } = await runNamedTest(mutant, copy);
  console.log(`${red && ran ? 'killed  ' : 'survived'}  ${mutant.name}: ${mutant.breaks}`);
  if (red && !ran) console.log(`          no named test failed:\n${output.slice(-2000)}`);
  apply('-R');
  return red && ran;
}

/** Takes mutants from the shared queue until none is left; gives the names of those that survived. */
async function work(queue: Mutant[], copy: string): Promise<string[]> {
  const survivors: string[] = [];
  for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
    if (!(await isKilled(mutant, copy))) survivors.push(mutant.name);
  }
  return survivors;
}

const mutants = readdirSync(folder)
  .filter((name) => name.endsWith('.patch') && name.includes(only))
  .sort()
  .map(readMutant);
const copies = Array.from(
  { length: Math.min(availableParallelism(), Math.max(1, mutants.length)) },
  copyTree,
);
let survivors = mutants.map(({ name }) => name);
try {
  const green = process.argv.includes('--no-baseline') || (await isGreen(mutants, copies[0] ?? root));
  if (green) {
    const queue = [...mutants];
    survivors = (await Promise.all(copies.map((copy) => work(queue, copy)))).flat();
  }
} finally {
  for (const copy of copies) rmSync(copy, { recursive: true, force: true });
}
for (const name of survivors) console.log(`survived: ${name}`);
const killed = mutants.length - survivors.length;
console.log(`${killed} killed, ${survivors.length} survived`);
process.exitCode = survivors.length === 0 && killed > 0 ? 0 : 1;
