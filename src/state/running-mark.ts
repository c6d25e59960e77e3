import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../files/replace-file.ts';
import { isAlive, type LockOwner, lockHeldBy, ownerNow, readOwner } from './lock-owner.ts';

/**
 * Names a process that outlives the command that started it, where that is killed: whoever comes later sees whether it runs,
 * and by `id` what for.
 */
function markRunning(path: string, { id, command, pid }: Pick<LockOwner, 'id' | 'command' | 'pid'>): void {
  replaceFile(path, JSON.stringify(ownerNow(id, command, pid)), { mode: 0o644 });
}

/** Null where there is no mark, or its process has ended. */
function stillRunning(path: string): LockOwner | null {
  const owner = readOwner(path);
  return owner === null || !isAlive(owner) ? null : owner;
}

const FILE = 'k6.running';

/** A load engine that has not ended: that of a killed run goes on until its calls have ended. */
interface RunningEngine {
  readonly run_id: string;
  /** Process, host, since when, and where that is noted. */
  readonly words: string;
}

/** Names the load engine on a target while it runs: one at a time, whose run holds the target. */
export function markEngine(home: string, run_id: string, pid: number): void {
  markRunning(join(home, FILE), { id: run_id, command: 'k6', pid });
}

export function unmarkEngine(home: string): void {
  rmSync(join(home, FILE), { force: true });
}

/** Null where none runs on the target. */
export function runningEngine(home: string): RunningEngine | null {
  const path = join(home, FILE);
  const owner = stillRunning(path);
  if (owner === null) return null;
  const held = lockHeldBy(owner, Date.now()).replace(' holding it since ', ' running since ');
  return { run_id: owner.id, words: `${held} (${path})` };
}
