import { WeighbridgeError } from '../../contracts/failure.ts';
import { recordFiles } from './keep-records.ts';
import { recordsOf } from './records-file.ts';

const SHOWN = 10;

export interface RecordsPreview {
  /** The first records, by the names of the interface. */
  readonly shown: readonly Readonly<Record<string, unknown>>[];
  readonly records: number;
  /** Rows that the mapping leaves out, by what they have in place of what it takes. */
  readonly left: ReadonlyMap<string, number>;
  readonly torn: readonly string[];
}

/** Reads record files to their ends, and keeps nothing. Throws as `recordsOf`, and `records_missing` without a file. */
export async function previewRecords(
  files: readonly string[],
  mapping: string | undefined,
): Promise<RecordsPreview> {
  if (files.length === 0)
    throw new WeighbridgeError({
      code: 'records_missing',
      message: '--preview needs files of records, and none is given.',
      hint: 'Give --records FILE.',
    });
  const given = await recordFiles(files, mapping);
  const shown: Readonly<Record<string, unknown>>[] = [];
  const left = new Map<string, number>();
  const torn: string[] = [];
  let records = 0;
  for (const file of given.files)
    for await (const read of recordsOf(file, given.mapping)) {
      if ('torn' in read) torn.push(read.torn);
      else if ('left' in read) left.set(read.left, (left.get(read.left) ?? 0) + 1);
      else {
        records += 1;
        if (shown.length < SHOWN) shown.push(read.record);
      }
    }
  return { shown, records, left, torn };
}
