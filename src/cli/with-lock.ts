import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { EXIT } from '../core/exit-code.ts';
import { WeighbridgeError } from '../core/failure.ts';

const MOST_WAIT_MS = 10_000;
const EACH_WAIT_MS = 20;

/**
 * Does its work while no other process does work under the same lock file, which holds the id of the process. The lock of
 * a process that is gone is taken over. Throws `state_locked` (exit 2) after ten seconds.
 */
export async function withLock(file: string, work: () => void): Promise<void> {
  const until = performance.now() + MOST_WAIT_MS;
  while (!takeLock(file)) {
    if (performance.now() >= until) throw locked(file);
    await new Promise((resolve) => setTimeout(resolve, EACH_WAIT_MS));
  }
  try {
    work();
  } finally {
    rmSync(file, { force: true });
  }
}

/** True where the lock is ours now. The lock of a process that is gone is removed, and taken by the next try. */
export function takeLock(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    if (isLeft(file)) rmSync(file, { force: true });
    return false;
  }
}

/** True where the process that made the lock is gone. An empty file is being written. */
function isLeft(file: string): boolean {
  let holder = '';
  try {
    holder = readFileSync(file, 'utf8');
  } catch {
    return false;
  }
  if (!/^\d+$/.test(holder)) return false;
  try {
    process.kill(Number(holder), 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

function locked(file: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'state_locked',
    message: `expected to write the state of the target, found ${file} held by another command for ten seconds`,
    hint: 'wait until that command has ended; where none runs, remove the file',
    exitCode: EXIT.usage,
  });
}
