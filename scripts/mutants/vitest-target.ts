import type { Mutant } from './mutant.ts';

/** What one run of vitest is asked for: a file, by its path in the tree, and where given a project and a name. */
export interface VitestTarget {
  readonly file: string;
  readonly project: string | null;
  /** Source of the regular expression that the full name of a test must match, as for `-t`. */
  readonly pattern: string | null;
}

/**
 * What a long-lived vitest loads through its own module graph, or what tests read as a file in each run; all else may be
 * read in a way that it cannot know.
 */
const KNOWN_ANEW =
  /^(?:src|test|bench|scenarios|scripts\/[^/]+)\/.+\.(?:ts|js)$|^(?:docs|examples|deploy)\/.+/;

/** Null where the arguments of the mutant say more than a target can. */
export function vitestTarget({ runner, args }: Mutant): VitestTarget | null {
  if (runner !== 'vitest') return null;
  let file: string | null = null;
  let project: string | null = null;
  let pattern: string | null = null;
  for (let index = 0; index < args.length; index += 1) {
    const value = args[index] ?? '';
    if (value === '--project') project = args[++index] ?? null;
    else if (value === '-t') pattern = args[++index] ?? null;
    else if (value.startsWith('-') || file !== null) return null;
    else file = value;
  }
  return file === null ? null : { file, project, pattern };
}

/** The target of a mutant that a long-lived vitest may run, or null where it needs a vitest of its own. */
export function quickTarget(mutant: Mutant): VitestTarget | null {
  const quick = mutant.changed.length > 0 && mutant.changed.every((path) => KNOWN_ANEW.test(path));
  return quick ? vitestTarget(mutant) : null;
}
