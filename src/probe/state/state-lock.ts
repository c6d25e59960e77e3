import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { z } from 'zod';
import type { StateHold } from './state-disk.ts';
import { stateFailure, systemCodeOf } from './state-failure.ts';

const MOST_ATTEMPTS = 20;

const lockOwner = z.object({
  host: z.string(),
  pid: z.int().min(1),
  /** When the process started: the number alone may belong to another one by now. Null where the system does not say. */
  started: z.string().nullable(),
  /** Of this lock alone, so that two of one process are told apart. */
  id: z.string(),
});
type LockOwner = z.infer<typeof lockOwner>;

/** A file that names the one process that may write beside it. A lock whose owner is dead is taken over. */
export class StateLock implements StateHold {
  readonly #path: string;
  readonly #id: string;

  private constructor(path: string, id: string) {
    this.#path = path;
    this.#id = id;
  }

  static async take(path: string): Promise<StateLock> {
    const own = { host: hostname(), pid: process.pid, started: await startOf(process.pid), id: randomUUID() };
    // Linked when it is complete, so that nobody ever reads half a lock.
    const made = `${path}.${own.id}`;
    await writeFile(made, JSON.stringify(own), { mode: 0o600 });
    try {
      await linkFirst(made, path);
    } finally {
      await rm(made, { force: true });
    }
    // Of three that start at once on the lock of a dead one, one may take it while the second looks at the first's.
    if ((await ownerOf(path))?.id !== own.id) throw inUse(path, 'others starting on it');
    return new StateLock(path, own.id);
  }

  /** Leaves the lock of another alone. */
  async release(): Promise<void> {
    if ((await ownerOf(this.#path))?.id === this.#id) await rm(this.#path, { force: true });
  }
}

async function linkFirst(made: string, path: string): Promise<void> {
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    if (await linked(made, path)) return;
    const owner = await ownerOf(path);
    if (owner !== null && (await isAlive(owner))) {
      throw inUse(path, `that process ${owner.pid} on ${owner.host} writes there`);
    }
    await removeDead(path);
  }
  throw inUse(path, 'others starting on it');
}

/** By a rename, which one of several starters wins: it must not take the lock that a faster one has just made. */
async function removeDead(path: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return;
    throw error;
  }
  const moved = await ownerOf(aside);
  if (moved !== null && (await isAlive(moved))) await linked(aside, path);
  await rm(aside, { force: true });
}

/** False: there is one already. */
async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (systemCodeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Null for a file that is gone or holds no lock. */
async function ownerOf(path: string): Promise<LockOwner | null> {
  try {
    return lockOwner.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return null;
  }
}

async function isAlive({ host, pid, started }: LockOwner): Promise<boolean> {
  // Nothing can be known of another machine's processes: two that pay are worse than one that does not start.
  if (host !== hostname()) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return systemCodeOf(error) === 'EPERM';
  }
  return started === null || started === (await startOf(pid));
}

/** In a form that no other process of this number has: the boot, and field 22 of its stat, counted behind its name. */
async function startOf(pid: number): Promise<string | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return ticks === undefined ? null : `${boot} ${ticks}`;
  } catch {
    return null;
  }
}

function inUse(path: string, found: string): Error {
  return stateFailure(
    'state_in_use',
    `expected to be the only daemon on the state of ${path}, found ${found}`,
    'stop that daemon, or give each its own state folder; after a crash on another host remove the lock file',
  );
}
