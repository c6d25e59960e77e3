import { basename } from 'node:path';
import type { CallRow, Intent, LedgerHeader, StateLine } from '../contracts/ledger-lines.ts';
import { CALL_SCHEMA, INTENT_SCHEMA, LEDGER_SCHEMA, STATE_SCHEMA } from '../contracts/schema-names.ts';
import { isPaidKind } from '../core/call-kind.ts';
import { plural } from '../text/plural.ts';
import { answerTextFile } from './answer-texts.ts';
import type { LedgerPath } from './ledger-files.ts';
import { ledgerGaps } from './ledger-gaps.ts';
import type { LedgerProblem } from './ledger-problem.ts';
import { type HeaderPlace, refuseAlike, refuseMixedRuns } from './one-run.ts';
import { type LedgerItem, readLedger } from './read-ledger.ts';

/** A whole ledger in memory. */
export interface LoadedLedger {
  readonly headers: readonly LedgerHeader[];
  readonly intents: readonly Intent[];
  /** Every row, one a call id: the first one read. */
  readonly rows: readonly CallRow[];
  /** Every state line, in the order of files and lines; the last of a file is its final one if it was closed in order. */
  readonly states: readonly StateLine[];
  /** Files that rows name as those of their texts, whether they are there or not. */
  readonly text_files: readonly string[];
  readonly problems: readonly LedgerProblem[];
  /** Lines left aside because their schema is of another version or kind. */
  readonly unknown_lines: number;
}

/** Of an audit that has only the bill. */
export const NO_LEDGER: LoadedLedger = {
  headers: [],
  intents: [],
  rows: [],
  states: [],
  text_files: [],
  problems: [],
  unknown_lines: 0,
};

/**
 * Loads one run's ledger, also where its files come from several instances, segments and folders. What is missing
 * between them is a problem. Throws as `readLedger` does, and `ledger_mixed` where files are of different runs.
 */
export async function loadLedger(path: LedgerPath): Promise<LoadedLedger> {
  return collectLedger(readLedger(path));
}

/**
 * What the items of one run's ledger come to, in their order. `elsewhere`: rows of finished calls by file that are not
 * among them. Throws `ledger_mixed`.
 */
export async function collectLedger(
  items: AsyncIterable<LedgerItem>,
  elsewhere: ReadonlyMap<string, number> = new Map(),
): Promise<LoadedLedger> {
  const headers: LedgerHeader[] = [];
  const places: HeaderPlace[] = [];
  const intents = new Map<string, Intent>();
  const rows = new Map<string, CallRow>();
  const states: StateLine[] = [];
  const textFiles = new Set<string>();
  const problems: LedgerProblem[] = [];
  const versions = new Set<string>();
  const finished = new FinishedCalls();
  let unknownLines = 0;
  for await (const item of items) {
    const { file, line } = item;
    if ('problem' in item) {
      problems.push({ file, line, what: item.problem, gap: false });
    } else if ('unknown_schema' in item) {
      unknownLines += 1;
      const what = otherVersion(item.unknown_schema);
      if (what !== null && !versions.has(what)) problems.push({ file, line, what, gap: true });
      if (what !== null) versions.add(what);
    } else if (item.value.schema === LEDGER_SCHEMA) {
      headers.push(item.value);
      places.push({ file, line, header: item.value });
    } else if (item.value.schema === INTENT_SCHEMA) {
      const { call_id } = item.value;
      if (intents.has(call_id))
        problems.push({ file, line, what: `second intent of call ${call_id}`, gap: false });
      else intents.set(call_id, item.value);
    } else if (item.value.schema === CALL_SCHEMA) {
      const { call_id, text_ref } = item.value;
      finished.row(file, item.value);
      if (rows.has(call_id)) problems.push({ file, line, what: `second row of call ${call_id}`, gap: false });
      else rows.set(call_id, item.value);
      const texts = text_ref === null ? null : answerTextFile(file, text_ref);
      if (texts !== null) textFiles.add(texts);
    } else {
      states.push(item.value);
      finished.state(file, line, item.value);
    }
  }
  refuseMixedRuns(places);
  refuseAlike(places);
  problems.push(...ledgerGaps(places), ...finished.missing(elsewhere));
  return {
    headers,
    intents: [...intents.values()],
    rows: [...rows.values()],
    states,
    text_files: [...textFiles],
    problems,
    unknown_lines: unknownLines,
  };
}

const SORTS = [LEDGER_SCHEMA, INTENT_SCHEMA, CALL_SCHEMA, STATE_SCHEMA].map((schema) =>
  schema.slice(0, schema.lastIndexOf('/') + 1),
);

/** Null for what is no line of a ledger: it was left aside. Of the others each may be a call that was paid. */
function otherVersion(schema: string): string | null {
  if (!SORTS.some((sort) => schema.startsWith(sort))) return null;
  return `lines of ${JSON.stringify(schema.slice(0, 60))} stand in it, which this version does not read: use the one that wrote them`;
}

interface FileTally {
  readonly rows: Map<string, number>;
  /** The last one: its counters are those of the whole file. */
  state: { readonly line: number; readonly scenarios: StateLine['scenarios'] } | null;
}

/** Holds the rows of each file against the finished calls that its last state line counts. */
class FinishedCalls {
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
