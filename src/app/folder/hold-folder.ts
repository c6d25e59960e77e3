import { join } from 'node:path';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { whileLocked } from '../../state/while-locked.ts';
import { makeFolder } from './run-folder.ts';

const FILE = '.lock';

/**
 * Does its work while no other command reads into this folder of a run: two that read at once would number their sweeps
 * alike, and each record would stand there twice, as if it had been charged twice. Throws `run_locked` (exit 2) at once,
 * since a read may take hours.
 */
export function holdFolder<T>(dir: string, work: () => Promise<T>): Promise<T> {
  makeFolder(dir);
  const file = join(dir, FILE);
  return whileLocked(file, { refused: (owner) => runLocked(file, owner) }, work);
}

function runLocked(file: string, owner: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'run_locked',
    message: `expected a run folder that no other command reads into, found ${owner}`,
    hint: `wait until it has ended, then ask again; after a crash on another host remove ${file}`,
  });
}
