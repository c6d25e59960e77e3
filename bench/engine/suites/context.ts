import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Tools } from '../build-tools.ts';
import type { Bench } from '../watched-run.ts';

/** What every suite gets. */
export interface Context {
  readonly bench: Bench;
  readonly tools: Tools;
  readonly quick: boolean;
  readonly reps: number;
  readonly levels: readonly number[];
  /** Whether a client is measured. */
  includes(client: { readonly name: string }): boolean;
  /** Runs with an empty folder that is gone afterwards: a ledger of a million calls weighs gigabytes. */
  inFolder<R>(run: (folder: string) => Promise<R>): Promise<R>;
  /** Says what is going on. */
  progress(line: string): void;
}

/** Folders one after the other under `base`. */
export function foldersUnder(base: string): Context['inFolder'] {
  let made = 0;
  return async (run) => {
    made += 1;
    const folder = join(base, String(made));
    mkdirSync(folder, { recursive: true });
    try {
      return await run(folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
}
