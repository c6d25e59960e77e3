import type { PlanTarget } from '../core/plan.ts';
import type { Reconciliation } from '../core/reconciliation.ts';
import { keepOpening, openingOf, readOpening, storeClosing } from './suspense-file.ts';
import { targetFolder } from './target-folder.ts';

/** Whose open items a run carries over, and where they are kept. */
export interface SuspenseHome {
  /** `--state`. */
  readonly state: string;
  readonly target: Pick<PlanTarget, 'root' | 'embedded'>;
  /** Fingerprints of its keys. */
  readonly keys: readonly string[];
}

/** A gateway that lives no longer than its run, and files without an address, have no later run. */
function keepsState({ target, keys }: SuspenseHome): boolean {
  return !target.embedded && URL.canParse(target.root) && keys.length > 0;
}

/** Before the first judgement: what earlier runs left open comes into the run's folder. */
export function carryOver(runDir: string, home: SuspenseHome): void {
  if (keepsState(home)) keepOpening(runDir, openingOf(targetFolder(home.state, home.target.root), home.keys));
}

/** After the last judgement: what is open now is written back for later runs. */
export async function carryOn(
  runDir: string,
  home: SuspenseHome,
  run_id: string,
  { suspense }: Pick<Reconciliation, 'suspense'>,
): Promise<void> {
  if (suspense === null || readOpening(runDir) === null || !keepsState(home)) return;
  const { keys } = home;
  await storeClosing(targetFolder(home.state, home.target.root), { run_id, keys }, suspense);
}
