import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BillingTerms, NO_TERMS } from '../../../src/contracts/billing-terms.ts';
import type { CallRow } from '../../../src/contracts/ledger-lines.ts';
import type { Reconciliation } from '../../../src/contracts/reconciliation.ts';
import { formatInstant, parseInstant } from '../../../src/core/time.ts';
import { readEvidence } from '../../../src/ledger/evidence/read-evidence.ts';
import { type LoadedLedger, loadLedger, NO_LEDGER } from '../../../src/ledger/load-ledger.ts';
import {
  type LoadInputOptions,
  loadReconcileInput,
} from '../../../src/reconcile/input/load-reconcile-input.ts';
import { reconcile } from '../../../src/reconcile/reconcile.ts';

/** What an audit has beside the gateway's own reads: our ledger, nothing, or a ledger that another program kept. */
export const MANNERS = ['run', 'month', 'ledger'] as const;
export type Manner = (typeof MANNERS)[number];

/** Judges one folder in each manner; the key is ours alone. */
export async function judgeManners(
  dir: string,
  terms: BillingTerms = NO_TERMS,
): Promise<Readonly<Record<Manner, Reconciliation>>> {
  const ledger = await loadLedger(dir);
  const judged = async (options: LoadInputOptions): Promise<Reconciliation> =>
    reconcile(await loadReconcileInput(dir, { key: 'exclusive', terms, ...options }));
  return {
    run: await judged({ ledger }),
    month: await judged({ ledger: NO_LEDGER, basis: 'records' }),
    ledger: await judged({ ledger: await foreignLedger(dir, ledger.rows) }),
  };
}

/** What another program notes of the same calls: ids, status and usage; no texts, no intents, no clock of ours. */
async function foreignLedger(dir: string, rows: readonly CallRow[]): Promise<LoadedLedger> {
  const file = join(dir, 'other-program.ndjson');
  writeFileSync(file, rows.map((row) => `${JSON.stringify(evidenceOf(row))}\n`).join(''));
  return (await readEvidence({ files: [file], format: 'evidence' })).ledger;
}

function evidenceOf(row: CallRow): object {
  const { usage, units } = row;
  return {
    schema: 'weighbridge.evidence/1',
    call_id: row.call_id,
    logical_id: row.logical_id,
    attempt: row.attempt,
    kind: row.kind,
    model: row.model ?? undefined,
    started_at: row.started_at,
    ended_at: formatInstant((parseInstant(row.started_at) ?? 0) + row.end_ms),
    status: row.status,
    outcome: row.outcome,
    error_type: row.error_type,
    stream: row.stream,
    request_id: row.request_id,
    response_id: row.response_id,
    job_id: row.job?.id,
    usage: usage && { ...picked(usage, USAGE) },
    units: units && { ...picked(units, UNITS) },
    max_tokens: row.max_tokens,
    finish: row.finish,
    service_tier: row.service_tier,
  };
}

const USAGE = ['input', 'output', 'cache_read', 'cache_write', 'reasoning'] as const;
const UNITS = ['images', 'size', 'quality', 'seconds', 'resolution'] as const;

function picked<K extends string>(from: Readonly<Record<K, unknown>>, keys: readonly K[]): object {
  return Object.fromEntries(keys.map((key) => [key, from[key]]));
}
