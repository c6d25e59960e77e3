import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { WeighbridgeError } from '../contracts/failure.ts';

/** One or more places of a ledger: a file, a folder of `*.ndjson`, or a run folder. */
export type LedgerPath = string | readonly string[];

/**
 * The ledger files of the paths, those of each path sorted: the file itself, the `*.ndjson` of a folder, or those of
 * the `calls/` of a run folder and of the folders in it. A file that stands there twice, byte for byte, is given once. Throws `ledger_missing`
 * where a path does not exist; a folder may hold none.
 */
export async function ledgerFiles(path: LedgerPath): Promise<readonly string[]> {
  const paths = typeof path === 'string' ? [path] : path;
  const files = (await Promise.all(paths.map(filesOf))).flat();
  return withoutCopies([...new Set(files)]);
}

async function filesOf(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch(() => null);
  if (found === null) {
    throw new WeighbridgeError({
      code: 'ledger_missing',
      message: `There is no run folder, ledger folder or ledger file at ${path}.`,
      hint: 'Give the folder that contains plan.json and calls/, or give the calls folder.',
    });
  }
  if (!found.isDirectory()) return [path];
  const calls = join(path, 'calls');
  const isRunFolder = (await stat(calls).catch(() => null))?.isDirectory() === true;
  const folder = isRunFolder ? calls : path;
  const files = await ndjsonOf(folder);
  if (!isRunFolder && basename(folder) !== 'calls') return files;
  // Each k6 of a run may have been given a folder of its own there.
  const inside = await readdir(folder, { withFileTypes: true });
  const folders = inside.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
  return [...files, ...(await Promise.all(folders.sort().map(ndjsonOf))).flat()];
}

async function ndjsonOf(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names
    .filter((name) => name.endsWith('.ndjson'))
    .sort()
    .map((name) => join(folder, name));
}

/** True for a file in the folder itself or in a folder directly in it. */
export function standsIn(folder: string, file: string): boolean {
  return dirname(file) === folder || dirname(dirname(file)) === folder;
}

/** Only files of one size can be the same, so that a ledger of distinct files is read no second time. */
async function withoutCopies(files: readonly string[]): Promise<readonly string[]> {
  const bySize = new Map<number, string[]>();
  for (const file of files) {
    const { size } = await stat(file);
    bySize.set(size, [...(bySize.get(size) ?? []), file]);
  }
  const copies = new Set<string>();
  for (const alike of bySize.values()) {
    if (alike.length < 2) continue;
    const seen = new Set<string>();
    for (const file of alike) {
      const digest = await digestOf(file);
      if (seen.has(digest)) copies.add(file);
      seen.add(digest);
    }
  }
  return files.filter((file) => !copies.has(file));
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest('hex');
}
