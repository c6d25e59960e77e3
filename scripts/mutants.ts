/**
 * Breaks a copy of the tree in one way after the other, runs the test that each mutant names, and expects it red.
 *
 * The mutants are data: test/mutations has a YAML file for each area, which lists under each source file:
 *   find     stands once in the file
 *   replace  takes its place
 *   breaks   what no longer holds
 *   red      the test that must fail: arguments of `vitest run`, or `go` and those of `go test` in xk6/
 * What needs several places at once is a diff, NAME.patch, below two lines `breaks:` and `red:`.
 *
 *   --changed [BASE]  those of files that changed since the branch left BASE (origin/main, or main), of the files that import
 *                     these, and of changed tests
 *   --only TEXT       those whose file or words hold TEXT
 *   --all             all, which is also what happens without any of these
 *   --check           runs none: says which can't be applied
 *   --no-baseline     leaves out the run of the named tests on the unbroken copy, where they have just been seen green
 *
 * The named tests are first run on the unbroken copy, since a test that is red already proves nothing. A vitest that stays
 * runs them once more at the end: a module that it remembers broken would make the next mutant look killed.
 *
 * Each lane works on a copy of its own, with a vitest that stays. There are three for two processors, since many a named
 * test waits for what its mutant no longer does, or for a process that it started.
 *
 * Prints the seconds of each, those that took longest, and `N killed, N survived`; exits 1 when one survives.
 */
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import temporaryRoot from '../test/support/temporary-root.ts';
import { type Lane, redUnbroken } from './mutants/baseline.ts';
import { changedSince, mutantsOf } from './mutants/changed-mutants.ts';
import { faultsOfMutants } from './mutants/check-mutants.ts';
import { type Mutant, readMutants } from './mutants/mutant.ts';
import { runNamedTest } from './mutants/named-test.ts';
import { queueOrder } from './mutants/queue-order.ts';
import { type Timed, timeSpent } from './mutants/time-spent.ts';
import { applyMutant, copyTree, removeCopy } from './mutants/tree-copy.ts';
import { VitestHost } from './mutants/vitest-host.ts';
import { quickTarget } from './mutants/vitest-target.ts';

const root = resolve(import.meta.dirname, '..');
// Of the copies, and of what broken tests and their processes leave.
temporaryRoot();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean' },
    changed: { type: 'boolean' },
    check: { type: 'boolean' },
    only: { type: 'string', default: '' },
    'no-baseline': { type: 'boolean' },
  },
});
const baseline = values['no-baseline'] !== true;
const timed: Timed[] = [];

/** True when the named test went red by an assertion. */
async function isKilled(mutant: Mutant, { copy, host }: Lane): Promise<boolean> {
  const restore = applyMutant(copy, mutant);
  if (typeof restore === 'string') {
    console.log(`survived  ${mutant.name}: it does not apply: ${restore}`);
    return false;
  }
  host.changed(mutant.changed);
  const started = performance.now();
  const { red, output } = await runNamedTest(mutant, copy, host);
  const seconds = (performance.now() - started) / 1000;
  restore();
  host.changed(mutant.changed);
  timed.push({ mutant, seconds });
  console.log(`${red ? 'killed  ' : 'survived'} ${seconds.toFixed(1).padStart(5)} s  ${mutant.name}`);
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

const all = readMutants(root);
const wanted =
  values.changed === true ? mutantsOf(root, all, changedSince(root, positionals[0] ?? null)) : all;
const mutants = wanted.filter(({ name }) => name.includes(values.only));
if (values.check === true) {
  const faults = faultsOfMutants(root, mutants);
  for (const fault of faults) console.log(fault);
  console.log(`${mutants.length} mutants, ${faults.length} faults`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} else {
  process.exitCode = (await survivorsOf(mutants)).length === 0 ? 0 : 1;
}

/** Runs the mutants and prints what became of them; gives the names of those that survived. */
async function survivorsOf(mutants: readonly Mutant[]): Promise<readonly string[]> {
  const width = Math.min(Math.ceil(1.5 * availableParallelism()), mutants.length);
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
  console.log(`${mutants.length - survivors.length} killed, ${survivors.length} survived`);
  return survivors;
}
