import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { targetFolderName } from '../core/target-folder-name.ts';
import { adoptOlderFolder, adoptProbeBudget } from './adopt-older-folder.ts';
import { stateUnwritable } from './state-failure.ts';

/** Says whose folder it is, and that no other target may take it for an older one of its own. */
const MARK = 'target.json';

/** What may still be spent at the target, by whichever command. */
export const BUDGET_FILE = 'budget.ndjson';

/** A gateway as a command knows it. */
export interface StateTarget {
  readonly root: string;
  /** Where it is other than the address says: of a further target at the same address. */
  readonly folder?: string;
  /** As a daemon of an earlier version named its folder. */
  readonly name?: string;
}

/** `<state>/<target>`, where all stands that outlives a run, whether it is there or not. */
export function targetFolder(state: string, { root, folder }: StateTarget): string {
  return join(state, folder ?? targetFolderName(root));
}

/**
 * As `targetFolder`, and it is there: what an earlier version kept under another name is moved there, which `say` is told.
 * Throws `state_in_use` (exit 2) while a daemon of that version still writes there, and `state_unwritable`.
 */
export function openTargetFolder(state: string, target: StateTarget, say: (line: string) => void): string {
  const dir = targetFolder(state, target);
  try {
    mkdirSync(dir, { recursive: true });
    for (const name of new Set(olderNames(target))) {
      const older = join(state, name);
      if (older !== dir && !existsSync(join(older, MARK))) adoptOlderFolder(older, dir, say);
    }
    adoptProbeBudget(dir, BUDGET_FILE, say);
    const mark = join(dir, MARK);
    if (!existsSync(mark))
      writeFileSync(mark, `${JSON.stringify({ schema: 'weighbridge.target/1', root: target.root })}\n`);
    return dir;
  } catch (cause) {
    throw stateUnwritable(dir, cause);
  }
}

/** Those of `probe` and `pull`, and of `audit` and `reconcile`, which two addresses could share. */
function olderNames({ root, folder, name }: StateTarget): string[] {
  const address = root.replace(/^[a-z]+:\/\//i, '').replace(/\/+$/, '');
  const byAddress = address.replace(/[^A-Za-z0-9.-]+/g, '_').replace(/^\.+/, '_');
  // A name may hold anything.
  const byName = (name ?? '').replace(/[^0-9a-zA-Z_.-]+/g, '_').replace(/^[^0-9a-zA-Z]+/, '');
  const first = folder === undefined || folder === targetFolderName(root);
  return [byName, ...(first ? [byAddress] : [])].filter((older) => older !== '');
}
