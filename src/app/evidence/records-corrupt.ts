import { WeighbridgeError } from '../../contracts/failure.ts';

/** Where a record stands: lines, and rows of a Parquet file, count from 1. */
export interface RecordPlace {
  readonly file: string;
  readonly line: number;
}

/** A record that cannot be read: nothing is skipped, so all of the file is refused. */
export function recordsCorrupt({ file, line }: RecordPlace, what: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'records_corrupt',
    message: `${file}:${line}: ${what}`,
    hint: 'mend that line, or export the records again; docs/reconcile.md shows each form',
  });
}
