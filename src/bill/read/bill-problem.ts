import { WeighbridgeError } from '../../contracts/failure.ts';

/** Where a row of a bill stands. */
export interface BillPlace {
  readonly file: string;
  /** `17` for a line of a table; `data[2].results[0]` in a document. */
  readonly at: string;
}

export function placeText({ file, at }: BillPlace): string {
  return /^\d+$/.test(at) ? `${file}:${at}` : `${file}: ${at}`;
}

/** What a row of a bill lacks or contradicts (exit 2). */
export function billCorrupt(place: BillPlace, found: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'bill_corrupt',
    message: `${placeText(place)}: ${found}`,
    hint: 'export the bill again, or say with --bill-mapping how its rows are read (docs/bills.md)',
  });
}
