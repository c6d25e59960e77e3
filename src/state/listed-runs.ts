import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { WeighbridgeError } from '../contracts/failure.ts';
import type { Shape } from '../contracts/shape.ts';
import { compareText } from '../core/compare-text.ts';
import { parseInstant } from '../core/time.ts';
import { readJournal } from './read-journal.ts';
import { SharedJournal } from './shared-journal.ts';

const FILE = 'runs.ndjson';
const RUNS_SCHEMA = 'weighbridge.runs/1';

const instant = z.string().refine((text) => parseInstant(text) !== null, 'expected a moment');
/** A run that has used a key of the target, so that its calls are nobody's phantoms. */
const runLine = z.looseObject({
  run_id: z.string(),
  /** That of the run, with its ledger. */
  folder: z.string(),
  /** Fingerprint of its key; null without one. */
  key_fp: z.string().nullable(),
  /** From when on it sends. */
  first_sent: instant,
  /** The last read of its settlement; null until then, and of a run that was killed. */
  last_end: instant.nullable(),
});
export type ListedRun = Shape<typeof runLine>;

/**
 * On the disk when it resolves. A later line of a run stands for the earlier one, and adds when it ended: that is noted once,
 * since a look a day later is no part of its time. Throws `state_unwritable`, `state_corrupt` and `state_version`.
 */
export async function listRun(targetDir: string, run: ListedRun): Promise<void> {
  const failures: WeighbridgeError[] = [];
  const runs = new Map<string, ListedRun>();
  const journal = new SharedJournal(
    join(targetDir, FILE),
    { writeFailed: (error) => failures.push(error) },
    { schema: RUNS_SCHEMA, begin: () => runs.clear(), replay: (line) => take(runs, line) },
  );
  await journal.change(() => {
    const before = runs.get(run.run_id);
    if (before !== undefined && (before.last_end !== null || run.last_end === null)) return null;
    return { lines: [{ ...run, ...before, last_end: run.last_end }], written: () => {} };
  });
  if (failures[0] !== undefined) throw failures[0];
}

/** By when they began. It is only ever appended to, so that nobody has to wait. Throws `state_corrupt` and `state_version`. */
export function listedRuns(targetDir: string): readonly ListedRun[] {
  const file = join(targetDir, FILE);
  const runs = new Map<string, ListedRun>();
  if (existsSync(file)) readJournal(file, readFileSync(file), RUNS_SCHEMA, (line) => take(runs, line));
  return [...runs.values()].sort((left, right) => compareText(left.first_sent, right.first_sent));
}

function take(runs: Map<string, ListedRun>, line: unknown): void {
  const run = runLine.parse(line);
  runs.set(run.run_id, run);
}
