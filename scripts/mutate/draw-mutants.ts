import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from '@stryker-mutator/api/core';
import type { Logger } from '@stryker-mutator/api/logging';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { compareText } from '../../src/core/compare-text.ts';
import { seededRandom } from '../../src/core/seeded-random.ts';

/** One change of one place, as StrykerJS makes it. Lines and columns count from 1. */
export interface DrawnMutant {
  /** By its path in the tree. */
  readonly file: string;
  readonly mutator: string;
  readonly from: Place;
  readonly to: Place;
  readonly replacement: string;
}

interface Place {
  readonly line: number;
  readonly column: number;
}

/** Leaves out what only tests use, and SQL whose tests take minutes. */
const LEFT_OUT = /\.(?:test|test-support)\.ts$|^src\/reconcile\/clean-rows\//;

const SILENT: Logger = {
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
  trace: () => {},
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  fatal: () => {},
};

/** Lists all mutants of a folder in the order of its files, as StrykerJS would make them. */
export async function mutantsUnder(root: string, folder: string): Promise<DrawnMutant[]> {
  const files = globSync(`${folder}/**/*.ts`, { cwd: root })
    .filter((file) => !LEFT_OUT.test(file))
    .sort(compareText)
    .map((name) => ({ name, mutate: true, content: readFileSync(join(root, name), 'utf8') }));
  const options = { plugins: null, ignorers: [], excludedMutations: [], noHeader: false };
  const { mutants } = await new Instrumenter(SILENT).instrument(files, options);
  return mutants.map(placed);
}

/** The parser counts lines and columns from 0, as the checker is told them; reports count from 1. */
export function placed({ fileName, mutatorName, location, replacement }: Mutant): DrawnMutant {
  const place = ({ line, column }: Place): Place => ({ line: line + 1, column: column + 1 });
  return {
    file: fileName,
    mutator: mutatorName,
    from: place(location.start),
    to: place(location.end),
    replacement,
  };
}

/** Draws as many mutants as are wanted, or all; the same seed draws the same ones from the same sources. */
export function drawn<M>(mutants: readonly M[], count: number, ...seed: readonly (string | number)[]): M[] {
  const random = seededRandom('mutate', ...seed);
  const left = [...mutants];
  const taken: M[] = [];
  while (taken.length < count && left.length > 0) taken.push(...left.splice(random.below(left.length), 1));
  return taken;
}

/** Tells one mutant from all others of the tree. */
export function keyOf({ file, from, to, replacement }: DrawnMutant): string {
  return `${file}:${from.line}:${from.column}-${to.line}:${to.column} ${replacement}`;
}

/** Names the place of a mutant as StrykerJS reads it: lines from 1, columns from 0. */
export function rangeOf({ file, from, to }: DrawnMutant): string {
  return `${file}:${from.line}:${from.column - 1}-${to.line}:${to.column - 1}`;
}
