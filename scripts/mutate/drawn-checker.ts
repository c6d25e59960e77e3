/**
 * A plugin of StrykerJS that lets only the drawn mutants be run. StrykerJS takes ranges of a file, and a range that holds
 * a drawn block also holds every mutant inside that block. Those come back as `CompileError`, which counts for no score.
 */
import { relative } from 'node:path';
import { type Checker, type CheckResult, CheckStatus } from '@stryker-mutator/api/check';
import type { Mutant, StrykerOptions } from '@stryker-mutator/api/core';
import { commonTokens, declareFactoryPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';
import { z } from 'zod';
import { keyOf, placed } from './draw-mutants.ts';

const ASKED = z.object({ drawn: z.array(z.string()), root: z.string() });

export class DrawnChecker implements Checker {
  readonly #root: string;
  readonly #drawn: ReadonlySet<string>;

  constructor({ root, drawn }: z.infer<typeof ASKED>) {
    this.#root = root;
    this.#drawn = new Set(drawn);
  }

  async init(): Promise<void> {}

  async group(mutants: Mutant[]): Promise<string[][]> {
    return [mutants.map(({ id }) => id)];
  }

  async check(mutants: Mutant[]): Promise<Record<string, CheckResult>> {
    return Object.fromEntries(mutants.map((mutant) => [mutant.id, this.#checked(mutant)]));
  }

  #checked(mutant: Mutant): CheckResult {
    const fileName = relative(this.#root, mutant.fileName);
    return this.#drawn.has(keyOf(placed({ ...mutant, fileName })))
      ? { status: CheckStatus.Passed }
      : { status: CheckStatus.CompileError, reason: 'not drawn' };
  }
}

function drawnChecker(options: StrykerOptions): Checker {
  return new DrawnChecker(ASKED.parse(options['mutate_sample']));
}
drawnChecker.inject = tokens(commonTokens.options);

export const strykerPlugins = [declareFactoryPlugin(PluginKind.Checker, 'drawn', drawnChecker)];

/** Tells StrykerJS of the option that this plugin reads. */
export const strykerValidationSchema = { properties: { mutate_sample: { type: 'object' } } };
