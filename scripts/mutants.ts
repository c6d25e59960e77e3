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
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
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
function isGreen(mutants: readonly Mutant[], cwd: string): boolean {
  const first = (runner: Mutant['runner']): string[] => [
    ...new Set(mutants.filter((mutant) => mutant.runner === runner).flatMap(({ args }) => args[0] ?? [])),
  ];
  const runs = [
    {
      files: first('vitest'),
      run: (files: string[]) => execute(join(cwd, 'node_modules/.bin/vitest'), ['run', ...files], cwd),
    },
    { files: first('go'), run: (files: string[]) => execute('go', ['test', ...files], join(cwd, 'xk6')) },
  ];
  return runs.every(({ files, run }) => {
    if (files.length === 0) return true;
    const { status, output } = run(files);
    if (status !== 0) console.log(`red before anything is broken:\n${output.slice(-4000)}`);
    return status === 0;
  });
}

function execute(
  command: string,
  args: readonly string[],
  cwd: string,
): { status: number | null; output: string } {
  const env = { ...process.env, CI: 'true', WEIGHBRIDGE_K6: '' };
  const done = spawnSync(command, args, { cwd, encoding: 'utf8', env, maxBuffer: 64 * 1024 * 1024 });
  return { status: done.status, output: `${done.stdout}\n${done.stderr}` };
}

function runNamedTest(mutant: Mutant, cwd: string): { red: boolean; ran: boolean; output: string } {
  const { status, output } =
    mutant.runner === 'go'
      ? execute('go', ['test', '-count=1', ...mutant.args], join(cwd, 'xk6'))
      : execute(join(cwd, 'node_modules/.bin/vitest'), ['run', ...mutant.args], cwd);
  // A red run must come from a failing assertion, not from a test that was not found or a file that does not compile.
  const ran = mutant.runner === 'go' ? /--- FAIL|panic:/.test(output) : /Tests\s+.*\d+ failed/.test(output);
  return { red: status !== 0, ran, output };
}

const names = readdirSync(folder)
  .filter((name) => name.endsWith('.patch') && name.includes(only))
  .sort();
const copy = copyTree();
let killed = 0;
let survived = 0;
try {
  const mutants = names.map(readMutant);
  if (!process.argv.includes('--no-baseline') && !isGreen(mutants, copy)) survived = mutants.length;
  for (const mutant of survived > 0 ? [] : mutants) {
    const patch = join(folder, mutant.name);
    const applied = spawnSync('git', ['apply', '--whitespace=nowarn', patch], {
      cwd: copy,
      encoding: 'utf8',
    });
    if (applied.status !== 0) {
      survived += 1;
      console.log(`survived  ${mutant.name}: the patch does not apply: ${applied.stderr.trim()}`);
      continue;
    }
    const { red, ran, output } = runNamedTest(mutant, copy);
    if (red && ran) killed += 1;
    else survived += 1;
    console.log(`${red && ran ? 'killed  ' : 'survived'}  ${mutant.name}: ${mutant.breaks}`);
    if (red && !ran) console.log(`          no named test failed:\n${output.slice(-2000)}`);
    spawnSync('git', ['apply', '-R', '--whitespace=nowarn', patch], { cwd: copy });
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(`${killed} killed, ${survived} survived`);
process.exitCode = survived === 0 && killed > 0 ? 0 : 1;
