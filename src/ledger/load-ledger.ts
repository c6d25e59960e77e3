import {
  CALL_SCHEMA,
  type CallRow,
  INTENT_SCHEMA,
  type Intent,
  LEDGER_SCHEMA,
  type LedgerHeader,
  type StateLine,
} from '../core/ledger-lines.ts';
import { readLedger } from './read-ledger.ts';

/** A whole ledger in memory. */
export interface LoadedLedger {
  readonly headers: readonly LedgerHeader[];
  readonly intents: readonly Intent[];
  /** Every row, one a call id: the first one read. */
  readonly rows: readonly CallRow[];
  /** Every state line, in the order of files and lines; the last of a file is its final one if it was closed in order. */
  readonly states: readonly StateLine[];
  readonly problems: readonly LedgerProblem[];
  /** Lines left aside because their schema is of another version or kind. */
  readonly unknown_lines: number;
}

export interface LedgerProblem {
  readonly file: string;
  readonly line: number;
  readonly what: string;
}

/** Loads a ledger file, a folder of them, or a run folder. Throws as `readLedger` does. */
export async function loadLedger(path: string): Promise<LoadedLedger> {
  const headers: LedgerHeader[] = [];
  const intents = new Map<string, Intent>();
  const rows = new Map<string, CallRow>();
  const states: StateLine[] = [];
  const problems: LedgerProblem[] = [];
  let unknownLines = 0;
  for await (const item of readLedger(path)) {
    const { file, line } = item;
    if ('problem' in item) {
      problems.push({ file, line, what: item.problem });
    } else if ('unknown_schema' in item) {
      unknownLines += 1;
    } else if (item.value.schema === LEDGER_SCHEMA) {
      headers.push(item.value);
    } else if (item.value.schema === INTENT_SCHEMA) {
      const { call_id } = item.value;
      if (intents.has(call_id)) problems.push({ file, line, what: `second intent of call ${call_id}` });
      else intents.set(call_id, item.value);
    } else if (item.value.schema === CALL_SCHEMA) {
      const { call_id } = item.value;
      if (rows.has(call_id)) problems.push({ file, line, what: `second row of call ${call_id}` });
      else rows.set(call_id, item.value);
    } else {
      states.push(item.value);
    }
  }
  return {
    headers,
    intents: [...intents.values()],
    rows: [...rows.values()],
    states,
    problems,
    unknown_lines: unknownLines,
  };
}
