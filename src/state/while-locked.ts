import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { FileLock } from './file-lock.ts';
import { lockHeldBy } from './lock-owner.ts';

export interface LockTerms {
  /** How long the owner may take to end. Default: the lock is refused at once. */
  readonly wait_ms?: number;
  /** The error where it does not, by the words for the owner. */
  readonly refused: (owner: string) => Error;
}

/** Does its work while no other process does work under the same lock file. The lock of one that is gone is taken over. */
export async function whileLocked<T>(
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
