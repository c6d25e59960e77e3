import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import type { Shape } from '../../contracts/shape.ts';
import { folderFile } from './folder-file.ts';

const FOLDER = 'bill';

const keptBill = z.strictObject({
  /** Names in the folder, in the order in which they are read. */
  files: z.array(z.string()),
  /** Name of a ready mapping, or of the file beside the bill; null: told by the files. */
  mapping: z.string().nullable(),
  /** Null: as the bill tells, or as its sums show. */
  zone: z.string().nullable(),
  most_late_s: z.number().min(0),
  whole: z.boolean(),
  /** There are no usage records: each call counts with what the price book demands. */
  calls_only: z.boolean(),
});
export type KeptBill = Shape<typeof keptBill>;

const BILL_FILE = folderFile({
  name: 'bill.json',
  code: 'kept_bill_unreadable',
  version: 'weighbridge.kept-bill/1',
  content: keptBill,
  hint: 'hold the bill against the folder again with `weighbridge reconcile --bill`',
});

/** Copies a bill into the folder that it is held against, which then needs nothing outside it. */
export function keepBill(runDir: string, { files, mapping, ...terms }: KeptBill): void {
  const folder = join(runDir, FOLDER);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const names = files.map((file, index) => `${index}-${basename(file)}`);
  for (const [index, file] of files.entries()) copyFileSync(file, join(folder, names[index] ?? ''));
  const isFile = mapping !== null && existsSync(mapping);
  if (isFile) copyFileSync(mapping, join(folder, 'mapping.yaml'));
  BILL_FILE.write(runDir, { files: names, mapping: isFile ? 'mapping.yaml' : mapping, ...terms });
}

/** The bill that a folder keeps, its files by their paths; null where it keeps none. */
export function readKeptBill(runDir: string): KeptBill | null {
  const kept = BILL_FILE.read(runDir);
  if (kept === null) return null;
  const path = (name: string): string => join(runDir, FOLDER, name);
  return {
    ...kept,
    files: kept.files.map(path),
    mapping: kept.mapping === 'mapping.yaml' ? path(kept.mapping) : kept.mapping,
  };
}
