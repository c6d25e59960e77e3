import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import type { LoadedLedger } from '../../ledger/load-ledger.ts';
import { dropKept } from '../../ledger/store/kept-database.ts';
import { openStore } from '../../ledger/store/open-store.ts';
import { OtherReadings } from '../expect/assumed-readings.ts';
import type { ReconcileTerms } from '../input/load-reconcile-input.ts';
import { reconcile } from '../reconcile.ts';
import { acceptCleanCalls } from './accept-clean-calls.ts';
import type { AcceptanceInput } from './acceptance-input.ts';
import { acceptanceTerms } from './acceptance-terms.ts';
import { openKept } from './kept-acceptance.ts';

export interface StoredFiles {
  /** Of a ledger of ours. */
  readonly ledger: readonly string[];
  /** Of usage lines. */
  readonly records: readonly string[];
}

export interface StoreLimits {
  readonly memory_bytes: number;
  /** What does not fit is kept beneath it as long as it is needed. */
  readonly dir: string;
  /** Where what was accepted is kept from judgement to judgement, by which version; absent: nowhere. */
  readonly keep?: { readonly file: string; readonly version: string };
  /** Told why what was kept is not used. */
  readonly say?: (line: string) => void;
}

/** The judgement, and the calls that were judged one by one. */
export interface StoredJudgement {
  readonly reconciliation: Reconciliation;
  readonly ledger: LoadedLedger;
}

type Judged = StoredJudgement | { readonly declined: string };
type Input = Omit<AcceptanceInput, 'temp_dir'>;

/**
 * As `reconcile`, with the calls that are clean for certain accepted in SQL before. `declined` says why nothing can be
 * accepted here; then every row is to be judged by itself. Throws as `loadReconcileInput`.
 */
export async function reconcileInStore(
  terms: ReconcileTerms,
  files: StoredFiles,
  limits: StoreLimits,
): Promise<Judged> {
  const prepared = acceptanceTerms(terms);
  if ('declined' in prepared) return prepared;
  const { keep, say = () => undefined } = limits;
  let input: Input = {
    ...prepared,
    version: keep?.version ?? '',
    ledger_files: files.ledger,
    record_files: files.records,
  };
  const tried = { before: false };
  try {
    return await judged(terms, input, limits, tried);
  } catch (error) {
    // The rows that are left may be read otherwise than the accepted ones were: under that reading, once more.
    if (error instanceof OtherReadings) input = { ...input, readings: error.readings };
    // Whatever went wrong with what was kept: without it the judgement is right, or fails for a reason of its own.
    else if (tried.before)
      say(
        `what was judged before is judged again: ${error instanceof Error ? error.message : String(error)}`,
      );
    else throw error;
  }
  return judged(terms, input, limits, tried);
}

async function judged(
  terms: ReconcileTerms,
  input: Input,
  { memory_bytes, dir, keep, say = () => undefined }: StoreLimits,
  tried: { before: boolean },
): Promise<Judged> {
  const temp_dir = await mkdtemp(join(dir, 'store-'));
  const store = await openStore({ memory_bytes, temp_dir });
  let [own, whole] = [false, false];
  try {
    const placed = { ...input, temp_dir };
    const kept = await openKept(store, keep?.file ?? null, placed, say);
    own = kept.outlasts;
    tried.before = kept.state !== null;
    const done = await acceptCleanCalls(store, placed, kept);
    if ('declined' in done) return done;
    const { accepted, ledger, records } = done;
    const reconciliation = reconcile({ ...terms, ledger, records, upstream: new Map(), accepted });
    whole = done.kept;
    return { reconciliation, ledger };
  } finally {
    await store.close();
    await rm(temp_dir, { recursive: true, force: true });
    if (own && !whole && keep !== undefined) dropKept(keep.file);
  }
}
