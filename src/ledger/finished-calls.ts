import { basename } from 'node:path';
import type { CallRow, StateLine } from '../contracts/ledger-lines.ts';
import { isPaidKind } from '../core/call-kind.ts';
import { plural } from '../text/plural.ts';
import type { LedgerProblem } from './ledger-problem.ts';

interface FileTally {
  readonly rows: Map<string, number>;
  /** The last one: its counters are those of the whole file. */
  state: { readonly line: number; readonly scenarios: StateLine['scenarios'] } | null;
}

/** Holds the rows of each file against the finished calls that its last state line counts. */
export class FinishedCalls {
  readonly #files = new Map<string, FileTally>();

  row(file: string, { kind, outcome, scenario }: CallRow): void {
    // Free reads, and calls that were kept back, are not among the finished ones.
    if (!isPaidKind(kind) || outcome === 'not_sent') return;
    const { rows } = this.#of(file);
    rows.set(scenario, (rows.get(scenario) ?? 0) + 1);
  }

  state(file: string, line: number, { scenarios }: StateLine): void {
    this.#of(file).state = { line, scenarios };
  }

  /**
   * Files that hold fewer rows than calls finished: the engine writes a row before it counts its call, so that a whole file
   * never does. `elsewhere`: rows by file that were read by another way, of which the scenario is not known.
   */
  missing(elsewhere: ReadonlyMap<string, number>): readonly LedgerProblem[] {
    return [...this.#files].flatMap(([file, { rows, state }]) => {
      if (state === null) return [];
      const known = elsewhere.get(file) ?? 0;
      const parts = state.scenarios.map(({ scenario, finished }) => ({
        of: `scenario ${scenario}`,
        finished,
        rows: rows.get(scenario) ?? 0,
      }));
      const counted = known === 0 ? parts : [whole(parts, known)];
      return counted
        .filter((part) => part.rows < part.finished)
        .map((part) => ({
          file,
          line: state.line,
          what: `${basename(file)} lacks ${part.finished - part.rows} of ${plural(part.finished, 'row')} of ${part.of}, by its last state line`,
          gap: true,
        }));
    });
  }

  #of(file: string): FileTally {
    const tally = this.#files.get(file) ?? { rows: new Map<string, number>(), state: null };
    this.#files.set(file, tally);
    return tally;
  }
}

interface Counted {
  readonly of: string;
  readonly finished: number;
  readonly rows: number;
}

function whole(parts: readonly Counted[], known: number): Counted {
  return {
    of: 'all scenarios',
    finished: parts.reduce((sum, { finished }) => sum + finished, 0),
    rows: parts.reduce((sum, { rows }) => sum + rows, known),
  };
}
