import { join } from 'node:path';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { PlanTarget } from '../../contracts/plan.ts';
import { BookArchive } from '../../pricebook/archive/archive-index.ts';
import { FileLock } from '../../state/file-lock.ts';
import { lockHeldBy } from '../../state/lock-owner.ts';
import { runningEngine } from '../../state/running-mark.ts';
import { openTargetFolder } from '../../state/target-folder.ts';

/** `<state>/<target>`. Null for a gateway that lives no longer than its run, and for files without an address. */
export function stateHome(
  state: string,
  { root, name, embedded }: Pick<PlanTarget, 'root' | 'name' | 'embedded'>,
  say: (line: string) => void,
): string | null {
  if (embedded || !URL.canParse(root)) return null;
  return openTargetFolder(state, { root, name }, say);
}

/** To its `archive/` every book that is read goes, with when it was seen. Must be closed. */
export function openArchive(home: string | null): BookArchive | undefined {
  return home === null ? undefined : new BookArchive(join(home, 'archive'));
}

const FILE = 'lock';

/**
 * Keeps every other `run` and `audit` from the target until it is released: two loads at once measure each other. The daemon
 * goes on. Null for the embedded gateway. Throws `target_in_use` (exit 2) at once, since a run may take hours, also while the
 * load engine of a killed run waits for its last calls.
 */
export function holdTarget(home: string | null): FileLock | null {
  if (home === null) return null;
  const path = join(home, FILE);
  const taken = FileLock.take(path);
  if ('owner' in taken)
    throw inUse(
      lockHeldBy(taken.owner, Date.now()),
      `Wait until it ends. After a crash on another host, remove ${path}.`,
    );
  const engine = runningEngine(home);
  if (engine === null) return taken.lock;
  taken.lock.release();
  throw inUse(
    `the last calls of run ${engine.run_id}, whose command was killed: ${engine.words}`,
    `Wait until they end, then run \`weighbridge reconcile --run ${engine.run_id}\`. After a crash on another host, remove that file.`,
  );
}

function inUse(found: string, hint: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'target_in_use',
    message: `Another run puts load on this target: ${found}. No call was sent.`,
    hint,
  });
}
