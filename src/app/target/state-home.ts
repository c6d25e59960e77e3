import { join } from 'node:path';
import type { PlanTarget } from '../../core/plan.ts';
import { BookArchive } from '../../pricebook/archive/archive-index.ts';
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
