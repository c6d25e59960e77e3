import type { Mutant } from './mutant.ts';
import { quickTarget } from './vitest-target.ts';

/**
 * Mutants in the order of a queue that lanes empty from both its ends: those of one test file or Go package side by
 * side, so that a lane finds its modules transformed and its packages compiled; files of the gateway at one end, since
 * they share most modules, the other files at the other, and in the middle what remembers nothing from run to run.
 */
export function queueOrder(mutants: readonly Mutant[]): Mutant[] {
  const key = (mutant: Mutant): string => {
    const target = quickTarget(mutant);
    const place = target === null ? 1 : /^src\/gateway\//.test(target.file) ? 2 : 0;
    return `${place} ${mutant.runner} ${target?.file ?? mutant.args.join(' ')} ${mutant.name}`;
  };
  return [...mutants].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}
