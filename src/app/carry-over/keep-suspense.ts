import type { Reconciliation } from '../../contracts/reconciliation.ts';
import { keepOpening, openingOf, readOpening, storeClosing } from '../folder/suspense-file.ts';
import { noteCredits } from './keep-claims.ts';

/** Whose open items a run carries over, and where they are kept. */
export interface SuspenseHome {
  /** `stateHome` of the target: null where it has no later run. */
  readonly dir: string | null;
  /** Fingerprints of its keys. */
  readonly keys: readonly string[];
}

/** Before the first judgement: what earlier runs left open comes into the run's folder. */
export function carryOver(runDir: string, { dir, keys }: SuspenseHome): void {
  if (dir !== null && keys.length > 0) keepOpening(runDir, openingOf(dir, keys));
}

/** After the last judgement: what is open now, and what came back of earlier claims, is written for later runs. */
export async function carryOn(
  runDir: string,
  { dir, keys }: SuspenseHome,
  run_id: string,
  reconciliation: Reconciliation,
): Promise<void> {
  if (dir !== null) await noteCredits(dir, { run_id, reconciliation });
  const { suspense } = reconciliation;
  if (suspense === null || readOpening(runDir) === null || dir === null || keys.length === 0) return;
  await storeClosing(dir, { run_id, keys }, suspense);
}
