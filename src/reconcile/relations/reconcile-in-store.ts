import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Reconciliation } from '../../core/reconciliation.ts';
import type { LoadedLedger } from '../../ledger/load-ledger.ts';
import { openStore, type Store } from '../../ledger/store/open-store.ts';
import type { ReconcileTerms } from '../load-reconcile-input.ts';
import { reconcile } from '../reconcile.ts';
import { type AcceptanceInput, acceptCleanCalls } from './accept-clean-calls.ts';
import { acceptanceTerms } from './acceptance-terms.ts';
import { OtherReadings } from './stand-for-accepted.ts';

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
}

/** The judgement, and the calls that were judged one by one. */
export interface StoredJudgement {
  readonly reconciliation: Reconciliation;
  readonly ledger: LoadedLedger;
}

/**
 * As `reconcile`, with the calls that are clean for certain accepted in SQL before. `declined` says why nothing can be
 * accepted here; then every row is to be judged by itself. Throws as `loadReconcileInput`.
 */
export async function reconcileInStore(
  terms: ReconcileTerms,
  files: StoredFiles,
  { memory_bytes, dir }: StoreLimits,
): Promise<StoredJudgement | { readonly declined: string }> {
  const prepared = acceptanceTerms(terms);
  if ('declined' in prepared) return prepared;
  const temp_dir = await mkdtemp(join(dir, 'store-'));
  const store = await openStore({ memory_bytes, temp_dir });
  const input = { ...prepared, temp_dir, ledger_files: files.ledger, record_files: files.records };
  try {
    return await judged(store, terms, input).catch((error: unknown) => {
      // The rows that are left may be read otherwise than the accepted ones were: under that reading, once more.
      if (error instanceof OtherReadings) return judged(store, terms, { ...input, readings: error.readings });
      throw error;
    });
  } finally {
    await store.close();
    await rm(temp_dir, { recursive: true, force: true });
  }
}

async function judged(
  store: Store,
  terms: ReconcileTerms,
  input: AcceptanceInput,
): Promise<StoredJudgement | { readonly declined: string }> {
  const done = await acceptCleanCalls(store, input);
  if ('declined' in done) return done;
  const { accepted, ledger, records } = done;
  return { reconciliation: reconcile({ ...terms, ledger, records, upstream: new Map(), accepted }), ledger };
}
