import { join } from 'node:path';
import { type Ended, execute } from './execute.ts';
import type { Mutant } from './mutant.ts';
import type { VitestHost } from './vitest-host.ts';
import { quickTarget } from './vitest-target.ts';

export interface Verdict {
  /** True when a test failed: not when none was found, and not when a file does not compile or load. */
  readonly red: boolean;
  /** What was said instead, where it is not red. */
  readonly output: string;
}

/**
 * Copies of the tree, whose folders differ, share what the Go build cache holds of them; what only a debugger reads of a
 * package under test is a fifth of its compilation.
 */
const GO_BUILD = ['-trimpath', '-gcflags=-dwarf=false'];

/** A named test takes seconds; one that waits for what the mutant no longer does would hold its lane for ten minutes. */
const GO_LIMIT = ['-timeout=2m'];

/** Runs Go tests as the load engine is built: without cgo, which also spares its packages a second compilation. */
export function goTest(args: readonly string[], copy: string): Promise<Ended> {
  return execute('go', ['test', ...GO_BUILD, ...GO_LIMIT, ...args], join(copy, 'xk6'), { CGO_ENABLED: '0' });
}

/** Runs vitest in a process of its own. */
export function ownVitest(args: readonly string[], copy: string): Promise<Ended> {
  return execute(join(copy, 'node_modules/.bin/vitest'), ['run', '--fsModuleCache=false', ...args], copy);
}

/**
 * Runs the test that a mutant names on the broken copy. Where the long-lived vitest sees no test fail, one of its own
 * decides, so that nothing that the first remembers can let a mutant pass for a survivor.
 */
export async function runNamedTest(mutant: Mutant, copy: string, host: VitestHost): Promise<Verdict> {
  if (mutant.runner === 'go') {
    const { status, output } = await goTest(['-count=1', '-vet=off', ...mutant.args], copy);
    return { red: status !== 0 && /--- FAIL|panic:/.test(output), output };
  }
  const target = quickTarget(mutant);
  const answer = target === null ? null : await host.run(target);
  if (answer !== null && answer.failed.length > 0) return { red: true, output: '' };
  const { status, output } = await ownVitest(mutant.args, copy);
  return { red: status !== 0 && /Tests\s+.*\d+ failed/.test(output), output };
}
