import type { Mutant } from './mutant.ts';
import { goTest, ownVitest } from './named-test.ts';
import type { VitestHost } from './vitest-host.ts';
import { type VitestTarget, vitestTarget } from './vitest-target.ts';

/** A test file or Go package that mutants name, with those mutants. */
interface Subject {
  readonly runner: Mutant['runner'];
  readonly file: string;
  readonly mutants: readonly Mutant[];
}

export interface Lane {
  readonly copy: string;
  readonly host: VitestHost;
}

/** Files and packages that are red as they are, and names that no green test has; each with what was said. */
export async function redUnbroken(mutants: readonly Mutant[], lanes: readonly Lane[]): Promise<string[]> {
  const bySubject = Map.groupBy(mutants, (mutant) => `${mutant.runner} ${subjectOf(mutant)}`);
  const queue = [...bySubject.values()].flatMap((group): Subject[] => {
    const [first] = group;
    return first === undefined ? [] : [{ runner: first.runner, file: subjectOf(first), mutants: group }];
  });
  const red = lanes.map(async (lane) => {
    const faults: string[] = [];
    for (let subject = queue.shift(); subject !== undefined; subject = queue.shift())
      faults.push(...(await faultsOf(subject, lane)));
    return faults;
  });
  return (await Promise.all(red)).flat();
}

function subjectOf(mutant: Mutant): string {
  return (mutant.runner === 'go' ? mutant.args[0] : vitestTarget(mutant)?.file) ?? mutant.args.join(' ');
}

async function faultsOf({ runner, file, mutants }: Subject, lane: Lane): Promise<string[]> {
  const green = await (runner === 'go' ? greenInGo(file, lane) : greenInVitest(file, mutants, lane));
  if (!Array.isArray(green)) return [`${file} is red before anything is broken:\n${green.slice(-4000)}`];
  return mutants
    .filter((mutant) => !green.some((name) => wantedName(mutant).test(name)))
    .map((mutant) => `${mutant.name}: ${file} has no green test of the name ${wantedName(mutant).source}`);
}

/** The tests of a file that are green, or what was said when one is not. */
async function greenInVitest(
  file: string,
  mutants: readonly Mutant[],
  { copy, host }: Lane,
): Promise<string[] | string> {
  const targets = mutants.map(vitestTarget);
  if (targets.includes(null)) return ownGreen(mutants, copy);
  const projects = new Set(targets.map((target) => target?.project ?? null));
  const green: string[] = [];
  for (const project of projects.has(null) ? [null] : projects) {
    const target: VitestTarget = { file, project, pattern: null };
    const answer = await host.run(target);
    if (answer === null) return 'vitest gave no answer';
    const bad = [...answer.failed, ...answer.said, ...answer.errors];
    if (bad.length > 0) return bad.join('\n');
    green.push(...answer.passed);
  }
  return green;
}

/** For arguments that only vitest itself understands: the run that the mutant names must be green and hold a test. */
async function ownGreen(mutants: readonly Mutant[], copy: string): Promise<string[] | string> {
  for (const { args } of mutants) {
    const { status, output } = await ownVitest(args, copy);
    if (status !== 0 || !/Tests\s+.*\d+ passed/.test(output)) return output;
  }
  return [''];
}

async function greenInGo(folder: string, { copy }: Lane): Promise<string[] | string> {
  const { status, output } = await goTest(['-v', folder], copy);
  return status === 0
    ? [...output.matchAll(/^--- PASS: (\S+)/gm)].flatMap((match) => match[1] ?? [])
    : output;
}

/** What the name of a test must match, of Go's the part before a slash; all names where the mutant names a file. */
function wantedName(mutant: Mutant): RegExp {
  const { args } = mutant;
  if (mutant.runner === 'vitest') return new RegExp(vitestTarget(mutant)?.pattern ?? '');
  const at = args.indexOf('-run');
  return new RegExp(at < 0 ? '' : (args[at + 1]?.split('/')[0] ?? ''));
}
