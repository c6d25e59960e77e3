import { join } from 'node:path';
import type { PlanTarget } from '../core/plan.ts';
import { BookArchive } from '../pricebook/archive-index.ts';
import { targetFolder } from './target-folder.ts';

/**
 * `<state>/<target>/archive/`, to which every book that is read goes with when it was seen. Undefined for a gateway that
 * lives no longer than its run. Must be closed.
 */
export function openArchive(
  state: string,
  { root, embedded }: Pick<PlanTarget, 'root' | 'embedded'>,
): BookArchive | undefined {
  if (embedded || !URL.canParse(root)) return undefined;
  return new BookArchive(join(targetFolder(state, root), 'archive'));
}
