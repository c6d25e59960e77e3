import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { FileLock } from '../../state/file-lock.ts';
import { lockHeldBy } from '../../state/lock-owner.ts';
import { makeFolder } from './run-folder.ts';

const FILE = '.lock';

/**
 * Works while no other command reads into this run folder. Two at once would number their sweeps alike, and each
 * record would look as if it were charged twice. Throws `run_locked` (exit 2) at once, since a read may take hours.
 */
export function holdFolder<T>(dir: string, work: () => Promise<T>): Promise<T> {
  makeFolder(dir);
  const file = join(dir, FILE);
  return whileLocked(file, { refused: (owner) => runLocked(file, owner) }, work);
}

function runLocked(file: string, owner: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'run_locked',
    message: `Another command works in the folder of this run: ${owner}.`,
    hint: `Wait until it ends, then try again. After a crash on another host, remove ${file}.`,
  });
}

/** Writing a file of the state takes less than this. */
const MOST_WAIT_MS = 10_000;

/** Does a short piece of work on a file of a target's state. Throws `state_locked` (exit 2) where another command holds it. */
export async function whileStateLocked(lock: string, work: () => void | Promise<void>): Promise<void> {
  await whileLocked(lock, { wait_ms: MOST_WAIT_MS, refused: (owner) => stateLocked(lock, owner) }, work);
}

function stateLocked(lock: string, owner: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'state_locked',
    message: `Another command writes the state of this target: ${owner}.`,
    hint: `Wait until it ends, then try again. After a crash on another host, remove ${lock}.`,
  });
}

interface LockTerms {
  /** How long the owner may take to end. Default: the lock is refused at once. */
  readonly wait_ms?: number;
  /** The error where it does not, by the words for the owner. */
  readonly refused: (owner: string) => Error;
}

/** Does its work while no other process does work under the same lock file. The lock of one that is gone is taken over. */
async function whileLocked<T>(
  file: string,
  { wait_ms, refused }: LockTerms,
  work: () => T | Promise<T>,
): Promise<T> {
  mkdirSync(dirname(file), { recursive: true });
  const taken = await FileLock.wait(file, wait_ms ?? 0);
  if ('owner' in taken) throw refused(lockHeldBy(taken.owner, Date.now()));
  try {
    return await work();
  } finally {
    taken.lock.release();
  }
}
