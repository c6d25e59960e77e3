import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT } from '../core/exit-code.ts';
import { WeighbridgeError } from '../core/failure.ts';
import { makeFolder } from './run-folder.ts';
import { takeLock } from './with-lock.ts';

const FILE = '.lock';

/**
 * Does its work while no other command reads into this folder of a run: two that read at once would number their sweeps
 * alike, and each record would stand there twice, as if it had been charged twice. The lock of a process that is gone is
 * taken over. Throws `run_locked` (exit 2) at once, since a read may take hours.
 */
export async function holdFolder<T>(dir: string, work: () => Promise<T>): Promise<T> {
  makeFolder(dir);
  const file = join(dir, FILE);
  // The second try is for a lock that the first one found left behind.
  if (!takeLock(file) && !takeLock(file)) throw runLocked(file);
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function runLocked(file: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'run_locked',
    message: `expected a run folder that no other command reads into, found ${file} held by one`,
    hint: 'wait until that command has ended, then ask again; where none runs, remove the file',
    exitCode: EXIT.usage,
  });
}
