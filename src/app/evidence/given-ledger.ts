import { existsSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { replaceFileAfter } from '../../files/replace-file.ts';
import { ledgerFiles, standsIn } from '../../ledger/ledger-files.ts';
import { loadLedger } from '../../ledger/load-ledger.ts';

/**
 * Copies the ledger files of a run that was driven from several places into the first path that is a run folder, and
 * returns it. The folder then holds the whole run, and its report needs nothing else. Throws `run_not_found`,
 * `ledger_missing`, `ledger_clash`, and what `loadLedger` throws; then nothing was copied.
 */
export async function gatherLedger(paths: readonly string[]): Promise<string> {
  const runDir = runFolderOf(paths);
  const calls = join(runDir, 'calls');
  const others = paths.map((path) => resolve(path)).filter((path) => path !== runDir && path !== calls);
  // Its own first: of two copies the other is left out.
  const files = await ledgerFiles([...(existsSync(calls) ? [calls] : []), ...others]);
  if (files.length === 0) throw noFiles(paths);
  const further = files.filter((file) => !standsIn(calls, file));
  if (further.length === 0) return runDir;
  const { text_files } = await loadLedger(files);
  const texts = text_files.filter((file) => existsSync(file) && !standsIn(calls, file));
  const taken = new Map<string, string>();
  // A ledger file that is there has its texts.
  for (const file of [...texts, ...further]) {
    const target = join(calls, basename(file));
    const other = taken.get(target) ?? (existsSync(target) ? target : undefined);
    if (other !== undefined) throw clash(file, other);
    taken.set(target, file);
  }
  await mkdir(calls, { recursive: true });
  for (const [target, file] of taken) {
    await replaceFileAfter(target, (part) => copyFile(file, part));
  }
  return runDir;
}

/** The first of the paths that is a run folder, or its `calls/`. */
function runFolderOf(paths: readonly string[]): string {
  const folder = paths
    .map((path) => resolve(path))
    .flatMap((path) => [path, dirname(path)])
    .find((path) => existsSync(join(path, 'plan.json')));
  if (folder !== undefined) return folder;
  throw new WeighbridgeError({
    code: 'run_not_found',
    message: `There is no run folder with a plan.json at ${paths.map((path) => resolve(path)).join(', ')}.`,
    hint: 'Give the folder that `weighbridge audit` or `run` printed. For a ledger of another program, also give --target or --records.',
  });
}

function noFiles(paths: readonly string[]): WeighbridgeError {
  return new WeighbridgeError({
    code: 'ledger_missing',
    message: `There are no ledger files (*.ndjson) under calls/ at ${paths.map((path) => resolve(path)).join(', ')}.`,
    hint: 'After the run folder, give the folder that k6 wrote to (--out weighbridge=FOLDER).',
  });
}

function clash(file: string, other: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'ledger_clash',
    message: `Two ledger files have the same name and different content: ${file} and ${other}.`,
    hint: 'Give each k6 its own WEIGHBRIDGE_INSTANCE. If a file was copied while k6 wrote it, remove the shorter copy.',
  });
}
