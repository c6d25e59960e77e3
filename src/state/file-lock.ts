import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, rmSync, writeFileSync } from 'node:fs';
import { commandOf, isAlive, type LockOwner, ownerNow, readOwner } from './lock-owner.ts';
import { systemCodeOf } from './system-code.ts';

/** Each waits for another process that takes a dead lock away, which is a matter of microseconds. */
const MOST_ATTEMPTS = 200;
const ATTEMPT_WAIT_MS = 5;
const EACH_WAIT_MS = 10;

/** Ours now, or whose it is. */
export type Taken = { readonly lock: FileLock } | { readonly owner: LockOwner };

/**
 * A file that names the one process that may do what it guards. A lock whose owner is dead is taken over by one of those
 * who want it. Nothing of it is synced: a power cut ends its owner as well.
 */
export class FileLock {
  readonly #path: string;
  readonly #id: string;

  private constructor(path: string, id: string) {
    this.#path = path;
    this.#id = id;
  }

  /** Its folder must be there. */
  static take(path: string, command = commandOf()): Taken {
    const id = randomUUID();
    // Linked when it is complete, so that nobody ever reads half a lock.
    const made = `${path}.${id}`;
    try {
      // Other users read it: who cannot tell whose it is has to leave it.
      writeFileSync(made, JSON.stringify(ownerNow(id, command)), { mode: 0o644 });
      const owner = linkFirst(made, path, command);
      return owner === null ? { lock: new FileLock(path, id) } : { owner };
    } finally {
      rmSync(made, { force: true });
    }
  }

  /** As `take`, where the owner has a moment to end. */
  static async wait(path: string, most_ms: number): Promise<Taken> {
    const until = performance.now() + most_ms;
    for (;;) {
      const taken = FileLock.take(path);
      if ('lock' in taken || performance.now() >= until) return taken;
      await new Promise((resolve) => setTimeout(resolve, EACH_WAIT_MS));
    }
  }

  /** Leaves the lock of another alone. */
  release(): void {
    if (readOwner(this.#path)?.id === this.#id) rmSync(this.#path, { force: true });
  }
}

/** Null where the lock is ours now; else the living owner. */
function linkFirst(made: string, path: string, command: string): LockOwner | null {
  for (let attempt = 0; ; attempt += 1) {
    if (linked(made, path)) return null;
    const owner = readOwner(path);
    if (owner !== null && isAlive(owner)) return owner;
    // Gone meanwhile; a link to nothing looks like that for ever.
    if (owner === null && !existsSync(path) && attempt < MOST_ATTEMPTS) continue;
    const remover = removeDead(path, owner?.id ?? null, command);
    if (remover === null) continue;
    if (attempt >= MOST_ATTEMPTS) return remover;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ATTEMPT_WAIT_MS);
  }
}

/**
 * Takes a dead lock away, which one process at a time may do: whoever saw the dead one long ago must not take the lock that a
 * faster one has made since. What is no lock (a file of an older version, or half a write) counts as a dead one. Gives the
 * one who is doing it now, null where it is done.
 */
function removeDead(path: string, id: string | null, command: string): LockOwner | null {
  const removing = FileLock.take(`${path}.${id ?? 'unreadable'}.gone`, command);
  if ('owner' in removing) return removing.owner;
  try {
    if ((readOwner(path)?.id ?? null) === id) rmSync(path, { force: true });
  } finally {
    removing.lock.release();
  }
  return null;
}

/** False: there is one already. */
function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (systemCodeOf(error) === 'EEXIST') return false;
    throw error;
  }
}
