import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** What an import names, with names or for its effects alone. */
const SPECIFIER = /^(?:import|export)\s(?:[^;']*?\sfrom\s+)?'([^']+)'/gm;
/** Files that are there for tests. What is shipped may start a process and be called by a test that does not let it. */
const FOR_TESTS = /\.test-support\.ts$|\/test\/support\//;

/** Tells test files that start a process, themselves or through support that they import. */
export class ProcessStarters {
  readonly #known = new Map<string, boolean>();

  has(file: string): boolean {
    const known = this.#known.get(file);
    if (known !== undefined) return known;
    // Imports go round no circle, but a file that is being read is asked about by none.
    this.#known.set(file, false);
    const starts = [...readFileSync(file, 'utf8').matchAll(SPECIFIER)].some(([, specifier = '']) => {
      if (specifier === 'node:child_process') return true;
      const path = resolve(dirname(file), specifier);
      return specifier.startsWith('.') && FOR_TESTS.test(path) && this.has(path);
    });
    this.#known.set(file, starts);
    return starts;
  }
}
