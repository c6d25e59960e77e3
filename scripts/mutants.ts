/**
 * Applies each patch of test/mutations/ to a copy of the tree, runs the test it names, and expects it red.
 *
 * A patch starts with two lines before the diff:
 *   breaks: <what it breaks>
 *   red: <runner> <arguments>     runner: vitest (arguments as for `vitest run`) or go (arguments as for `go test` in xk6/)
 *
 * Prints the seconds of each, those that took longest, and `N killed, N survived`; exits 1 when one survives.
 * `--only TEXT` runs those whose name holds TEXT.
 * The named tests are first run on the unbroken copy, since a test that is red already proves nothing; where a vitest
 * stays from run to run once more at the end, since a module that it remembers broken would make the next mutant look
 * killed. `--no-baseline` leaves both out where the tests have just been seen green.
 *
 * Each lane works on a copy of its own, with a vitest that stays; there are three for two processors, since many a named
 * test waits for what its mutant no longer does, or for a process that it started.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { type Lane, redUnbroken } from './mutants/baseline.ts';
import { type Mutant, readMutant } from './mutants/mutant.ts';
import { runNamedTest } from './mutants/named-test.ts';
import { queueOrder } from './mutants/queue-order.ts';
import { type Timed, timeSpent } from './mutants/time-spent.ts';
import { applyPatch, copyTree, removeCopy } from './mutants/tree-copy.ts';
import { VitestHost } from './mutants/vitest-host.ts';
import { quickTarget } from './mutants/vitest-target.ts';

const root = resolve(import.meta.dirname, '..');
const folder = join(root, 'test/mutations');
const only = process.argv.includes('--only') ? (process.argv[process.argv.indexOf('--only') + 1] ?? '') : '';
const baseline = !process.argv.includes('--no-baseline');
const timed: Timed[] = [];

/** True when the named test went red by an assertion. */
async function isKilled(mutant: Mutant, { copy, host }: Lane): Promise<boolean> {
  const restore = applyPatch(copy, join(folder, mutant.name), mutant.changed);
  if (typeof restore === 'string') {
    console.log(`survived  ${mutant.name}: the patch does not apply: ${restore}`);
    return false;
  }
  host.changed(mutant.changed);
  const started = performance.now();
  const { red, output } = await runNamedTest(mutant, copy, host);
  const seconds = (performance.now() - started) / 1000;
  restore();
  host.changed(mutant.changed);
  timed.push({ mutant, seconds });
  console.log(
    `${red ? 'killed  ' : 'survived'} ${seconds.toFixed(1).padStart(5)} s  ${mutant.name}: ${mutant.breaks}`,
  );
  if (!red) console.log(`          no named test failed:\n${output.slice(-2000)}`);
  return red;
}

/** Takes mutants from its end of the shared queue until none is left; gives the names of those that survived. */
async function work(queue: Mutant[], lane: Lane, end: 'first' | 'last'): Promise<string[]> {
  const take = (): Mutant | undefined => (end === 'first' ? queue.shift() : queue.pop());
  const survivors: string[] = [];
  for (let mutant = take(); mutant !== undefined; mutant = take()) {
    if (!(await isKilled(mutant, lane))) survivors.push(mutant.name);
  }
  return survivors;
}

/** The named tests of a tree that nothing has broken, or that all patches have left, must be green. */
async function isGreen(mutants: readonly Mutant[], lanes: readonly Lane[]): Promise<boolean> {
  const faults = await redUnbroken(mutants, lanes);
  for (const fault of faults) console.log(fault);
  return faults.length === 0;
}

const mutants = readdirSync(folder)
  .filter((name) => name.endsWith('.patch') && name.includes(only))
  .sort()
  .map((name) => readMutant(name, readFileSync(join(folder, name), 'utf8')));
const width = Math.min(Math.ceil(1.5 * availableParallelism()), Math.max(1, mutants.length));
const lanes = Array.from({ length: width }, (): Lane => {
  const copy = copyTree(root);
  return { copy, host: new VitestHost(copy) };
});
let survivors = mutants.map(({ name }) => name);
try {
  if (!baseline || (await isGreen(mutants, lanes))) {
    const queue = queueOrder(mutants);
    const ends = lanes.map((lane, index) => work(queue, lane, index % 2 === 0 ? 'first' : 'last'));
    survivors = (await Promise.all(ends)).flat();
    const quick = mutants.filter((mutant) => quickTarget(mutant) !== null);
    if (baseline && !(await isGreen(quick, lanes))) survivors = mutants.map(({ name }) => name);
  }
} finally {
  await Promise.all(lanes.map(({ host }) => host.close()));
  for (const { copy } of lanes) removeCopy(copy);
}
for (const line of timeSpent(timed)) console.log(line);
for (const name of survivors) console.log(`survived: ${name}`);
const killed = mutants.length - survivors.length;
console.log(`${killed} killed, ${survivors.length} survived`);
process.exitCode = survivors.length === 0 && killed > 0 ? 0 : 1;
