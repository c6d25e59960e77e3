import { linkSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { dataFailure, systemCodeOf } from './data-failure.ts';

const MOST_ATTEMPTS = 20;

const lockContent = z.object({ pid: z.int().min(1), started: z.string().nullable() });
type LockContent = z.infer<typeof lockContent>;

/** Keeps every other process from writing to a data directory: two writers would book over one another. */
export class DataLock {
  readonly #path: string;
  readonly #folder: string;

  /** Takes the lock, also one whose owner is dead; throws `data_in_use` while its owner lives. */
  constructor(folder: string) {
    this.#path = join(folder, 'lock');
    this.#folder = folder;
    const own: LockContent = { pid: process.pid, started: startOf(process.pid) };
    const made = `${this.#path}.${process.pid}`;
    // Linked when it is complete, so that nobody ever reads half a lock.
    writeFileSync(made, JSON.stringify(own));
    try {
      this.#take(made, folder);
    } finally {
      rmSync(made, { force: true });
    }
  }

  /**
   * Throws `data_in_use` when another process has the lock by now: of three that start at once on the lock of a dead
   * one, one may take it in the moment in which the second looks at the lock of the first.
   */
  verify(): void {
    const owner = readLock(this.#path);
    if (owner === null || owner.pid !== process.pid) throw startedTogether(this.#folder);
  }

  /** Leaves the lock of another process alone. */
  release(): void {
    if (readLock(this.#path)?.pid !== process.pid) return;
    rmSync(this.#path, { force: true });
  }

  #take(made: string, folder: string): void {
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      try {
        linkSync(made, this.#path);
        return;
      } catch (error) {
        if (systemCodeOf(error) !== 'EEXIST') throw error;
      }
      const owner = readLock(this.#path);
      if (owner !== null && isAlive(owner)) {
        throw dataFailure(
          'data_in_use',
          `expected to be the only gateway on ${folder}, found that process ${owner.pid} writes to it`,
          'stop that gateway first, or give another directory to --data',
        );
      }
      this.#removeDead();
    }
    throw startedTogether(folder);
  }

  /** By a rename, which one of several starters wins: it must not take the lock that a faster one has just made. */
  #removeDead(): void {
    const aside = `${this.#path}.${process.pid}.dead`;
    try {
      renameSync(this.#path, aside);
    } catch (error) {
      if (systemCodeOf(error) === 'ENOENT') return;
      throw error;
    }
    const moved = readLock(aside);
    if (moved !== null && isAlive(moved)) {
      try {
        linkSync(aside, this.#path);
      } catch (error) {
        if (systemCodeOf(error) !== 'EEXIST') throw error;
      }
    }
    unlinkSync(aside);
  }
}

function startedTogether(folder: string): Error {
  return dataFailure(
    'data_in_use',
    `expected to be the only gateway on ${folder}, found others starting on it`,
    'start one gateway for each directory',
  );
}

/** Null for a file that is gone or holds no lock. */
function readLock(path: string): LockContent | null {
  try {
    return lockContent.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}

function isAlive({ pid, started }: LockContent): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return systemCodeOf(error) === 'EPERM';
  }
  // The number may belong to another process by now, in a container often to this very one.
  return started === null || started === startOf(pid);
}

/** When a process started, in a form that no other process of this number has; null where the system does not say. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    // Field 22, counted behind the name, which may hold spaces and brackets.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return ticks === undefined ? null : `${boot} ${ticks}`;
  } catch {
    return null;
  }
}
