import { EXIT } from '../contracts/exit-code.ts';
import { WeighbridgeError } from '../contracts/failure.ts';
import type { LedgerHeader } from '../contracts/ledger-lines.ts';

/** A header and where it was read. */
export interface HeaderPlace {
  readonly file: string;
  readonly line: number;
  readonly header: LedgerHeader;
}

/** Parts of one run have its id with one of these behind it: the trial, and the steps of a search for the capacity. */
const PART = /-(trial|step\d+)$/;

/** The run that a part of it is of. */
export function runOfPart(run_id: string): string {
  return run_id.replace(PART, '');
}

/**
 * Throws `ledger_mixed` where headers name different runs: their call ids may be alike, and a row would be taken for
 * another call's. A run's own parts belong to it.
 */
export function refuseMixedRuns(places: readonly HeaderPlace[]): void {
  const [shortest] = places.toSorted((a, b) => a.header.run_id.length - b.header.run_id.length);
  if (shortest === undefined) return;
  const run = runOfPart(shortest.header.run_id);
  const other = places.find(({ header }) => runOfPart(header.run_id) !== run);
  if (other === undefined) return;
  throw new WeighbridgeError({
    code: 'ledger_mixed',
    message: `expected files of one run, found run ${run} in ${shortest.file} and run ${other.header.run_id} in ${other.file}`,
    hint: 'give the folders of one run at a time',
    exitCode: EXIT.usage,
  });
}
