import type { WatchedRun } from '../watched-run.ts';
import type { Context } from './context.ts';

/** A client of a suite that makes one kind of run. */
export interface Contender {
  readonly name: string;
  run(folder: string): Promise<WatchedRun>;
}

export interface Repeated<F> {
  readonly client: string;
  /** One a repetition. */
  readonly runs: readonly F[];
  /** Why runs are missing. */
  readonly failures: readonly string[];
}

/** Repetitions in rounds, so that a noisy minute does not fall on one client alone. */
export async function repeated<F>(
  context: Context,
  what: string,
  contenders: readonly Contender[],
  figuresOf: (run: WatchedRun) => F,
): Promise<Repeated<F>[]> {
  const all = contenders
    .filter(context.includes)
    .map((contender) => ({ contender, runs: [] as F[], failures: [] as string[] }));
  for (let rep = 1; rep <= context.reps; rep += 1) {
    for (const { contender, runs, failures } of all) {
      context.progress(`${what}, ${contender.name}, ${rep} of ${context.reps}`);
      try {
        runs.push(figuresOf(await context.inFolder((folder) => contender.run(folder))));
      } catch (cause) {
        failures.push(cause instanceof Error ? cause.message : String(cause));
      }
    }
  }
  return all.map(({ contender, runs, failures }) => ({ client: contender.name, runs, failures }));
}
