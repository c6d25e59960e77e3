import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EXIT } from '../core/exit-code.ts';
import { WeighbridgeError } from '../core/failure.ts';

/**
 * The ledger files of a path, sorted: the file itself, the `*.ndjson` of a folder, or those of the `calls/` of a run
 * folder. Throws `ledger_missing` where the path does not exist; a folder may hold none.
 */
export async function ledgerFiles(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch(() => null);
  if (found === null) {
    throw new WeighbridgeError({
      code: 'ledger_missing',
      message: `expected a run folder, a folder of *.ndjson files or a ledger file, found nothing at ${path}`,
      hint: 'give the folder that holds plan.json and calls/, or the calls folder itself',
      exitCode: EXIT.usage,
    });
  }
  if (!found.isDirectory()) return [path];
  const calls = join(path, 'calls');
  const isRunFolder = (await stat(calls).catch(() => null))?.isDirectory() === true;
  const folder = isRunFolder ? calls : path;
  const names = await readdir(folder);
  return names
    .filter((name) => name.endsWith('.ndjson'))
    .sort()
    .map((name) => join(folder, name));
}
