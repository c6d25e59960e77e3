import { join } from 'node:path';
import { EXIT } from '../../core/exit-code.ts';
import { WeighbridgeError } from '../../core/failure.ts';
import { FileLock } from '../../state/file-lock.ts';
import { heldBy } from '../../state/lock-owner.ts';

const FILE = 'lock';

/**
 * Keeps every other `run` and `audit` from the target until it is released: two loads at once measure each other. The daemon
 * goes on. Null for the embedded gateway. Throws `target_in_use` (exit 2) at once, since a run may take hours.
 */
export function holdTarget(home: string | null): FileLock | null {
  if (home === null) return null;
  const path = join(home, FILE);
  const taken = FileLock.take(path);
  if ('lock' in taken) return taken.lock;
  throw new WeighbridgeError({
    code: 'target_in_use',
    message: `expected a target that no other run puts load on, found ${heldBy(taken.owner, Date.now())}; nothing was sent`,
    hint: `wait until it has ended; after a crash on another host remove ${path}`,
    exitCode: EXIT.usage,
  });
}
