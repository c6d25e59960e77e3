import { replaceFile } from '../files/replace-file.ts';
import { isAlive, type LockOwner, ownerNow, readOwner } from './lock-owner.ts';

/**
 * Names a process that outlives the command that started it, where that is killed: whoever comes later sees whether it runs,
 * and by `id` what for.
 */
export function markRunning(
  path: string,
  { id, command, pid }: Pick<LockOwner, 'id' | 'command' | 'pid'>,
): void {
  replaceFile(path, JSON.stringify(ownerNow(id, command, pid)), { mode: 0o644 });
}

/** Null where there is no mark, or its process has ended. */
export function stillRunning(path: string): LockOwner | null {
  const owner = readOwner(path);
  return owner === null || !isAlive(owner) ? null : owner;
}
