import { mkdir, open, readFile, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { FileLock } from './file-lock.ts';
import { lockHeldBy } from './lock-owner.ts';
import type { StateDisk, StateFile } from './state-disk.ts';
import { stateFailure } from './state-failure.ts';
import { systemCodeOf } from './system-code.ts';

/** The disk of the machine. Nothing of it blocks the event loop: a probe's time stamps are taken there. */
export const nodeDisk: StateDisk = {
  async lock(path, wait_ms) {
    const taken = await inFolder(path, () => FileLock.wait(path, wait_ms));
    if ('owner' in taken) throw inUse(path, lockHeldBy(taken.owner, Date.now()));
    return { release: async () => taken.lock.release() };
  },
  async read(path) {
    try {
      return await readFile(path);
    } catch (error) {
      if (systemCodeOf(error) === 'ENOENT') return null;
      throw error;
    }
  },
  append: (path) => inFolder(path, () => openFile(path, 'a')),
  create: (path) => openFile(path, 'w'),
  rename,
  async remove(path) {
    try {
      // `rm` would look at the file first, on the event loop.
      await unlink(path);
    } catch (error) {
      if (systemCodeOf(error) !== 'ENOENT') throw error;
    }
  },
  syncFolder: (path) => syncFolder(dirname(path)),
};

async function openFile(path: string, flags: 'a' | 'w'): Promise<StateFile> {
  const handle = await open(path, flags, 0o600);
  return {
    async write(bytes) {
      let left = bytes;
      while (left.length > 0) left = left.subarray((await handle.write(left)).bytesWritten);
    },
    sync: () => handle.sync(),
    truncate: (size) => handle.truncate(size),
    close: () => handle.close(),
  };
}

/** Makes the folder where it is missing, which is once: a journal is written to with each paid run. */
async function inFolder<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (systemCodeOf(error) !== 'ENOENT') throw error;
    await makeFolder(dirname(path));
    return work();
  }
}

async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first !== undefined) await syncFolder(dirname(first));
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function inUse(path: string, owner: string): Error {
  return stateFailure(
    'state_in_use',
    `expected to be the only writer of the state beside ${path}, found ${owner}`,
    'stop it, or give each its own --state; after a crash on another host remove the lock file',
  );
}
