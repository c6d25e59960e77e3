import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { LedgerHeader } from '../../contracts/ledger-lines.ts';
import { LEDGER_SCHEMA } from '../../contracts/schema-names.ts';
import { openStore, type Store } from '../../ledger/store/open-store.ts';
import type { PriceCell } from '../../pricebook/cells/price-cell.ts';
import { jsonOf } from '../../text/json-of.ts';
import type { ReconcileInput } from '../input/reconcile-input.ts';
import { TEXT_MODEL } from '../rows.test-support.ts';
import { type Acceptance, acceptCleanCalls } from './accept-clean-calls.ts';
import type { AcceptanceInput } from './acceptance-input.ts';

/** The text model of `bookDocument()`: $2 and $8 a million, cache reads $0.5, half up at 8 decimals. */
export const TEXT_CELL: PriceCell = {
  cell: 0,
  pricebook_id: 'pb',
  pricing_version: 'v1',
  model: TEXT_MODEL,
  endpoint: null,
  when: '{}',
  len_from: 0n,
  len_to: null,
  valid_from_s: null,
  valid_to_s: null,
  size: null,
  quality: null,
  resolution: null,
  scale: 12,
  p_in: 2_000_000n,
  p_out: 8_000_000n,
  p_read: 500_000n,
  p_write: null,
  p_unit: null,
  p_request: 0n,
  d: 10_000n,
  quantum_pico: 10_000n,
  mode: 0,
  min_pico: null,
  min_at_zero: false,
  reasoning: 'in',
  grade: 'published',
};

export const HEADER: LedgerHeader = {
  schema: LEDGER_SCHEMA,
  run_id: 'run',
  instance: 'one',
  file: 0,
  segment: null,
  seed: 1,
  clock: { wall: '2026-11-20T12:00:00.000Z', mono_ms: 0 },
  plan_hash: null,
  key_fp: null,
  cores: 2,
  versions: { weighbridge: '0', k6: '0', go: '0' },
};

export const textOf = (lines: readonly unknown[]): string =>
  lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');

export interface Accepted {
  readonly store: Store;
  readonly result: Acceptance | { readonly declined: string };
  /** Call ids that were accepted. */
  readonly ids: readonly string[];
}

/** The acceptance of a world that is written to files; close the store. */
export async function acceptanceOf(
  { ledger, records, reads }: Pick<ReconcileInput, 'ledger' | 'records' | 'reads'>,
  changes: Partial<AcceptanceInput> & { readonly ledger_text?: string; readonly records_text?: string } = {},
): Promise<Accepted> {
  const dir = mkdtempSync(join(tmpdir(), 'weighbridge-accept-'));
  const calls = join(dir, 'calls.ndjson');
  const usage = join(dir, 'records.ndjson');
  const text = changes.ledger_text ?? textOf([HEADER, ...ledger.intents, ...ledger.rows, ...ledger.states]);
  writeFileSync(calls, text);
  writeFileSync(usage, changes.records_text ?? textOf(records));
  const store = await openStore({ memory_bytes: 900_000_000, temp_dir: dir });
  const ends = reads.filter(({ read }) => read === 'sweep_end');
  const result = await acceptCleanCalls(store, {
    ledger_files: [calls],
    record_files: [usage],
    judged: { sweep: Math.max(...ends.map(({ sweep }) => sweep)), passes: null, key_fp: null },
    windows: ends.slice(-1).flatMap(({ window }) => window ?? []),
    cells: () => [TEXT_CELL],
    any_version: false,
    apart: { calls: [], requests: [] },
    witnesses_per_price: 0,
    readings: { amount_meaning: null, input_includes_cache: null },
    late_ms: 900_000,
    earlier: ends.slice(0, -1).map(({ sweep, read_at }) => ({ sweep, begun_ms: Date.parse(read_at) })),
    posting_ms: 900_000,
    temp_dir: dir,
    version: '',
    ...changes,
  });
  if ('declined' in result) return { store, result, ids: [] };
  return { store, result, ids: await acceptedIds(store, text) };
}

/** Of the calls that these lines tell of, those that were accepted. */
async function acceptedIds(store: Store, text: string): Promise<readonly string[]> {
  const named = z.looseObject({ call_id: z.string() });
  const ids = text.split('\n').flatMap((line) => named.safeParse(jsonOf(line)).data?.call_id ?? []);
  await store.run('CREATE OR REPLACE TABLE named (id VARCHAR)');
  await store.append(
    'named',
    ids.map((id) => [JSON.stringify(id)]),
  );
  const rows = await store.rows(
    'SELECT DISTINCT id FROM named WHERE hash(id) IN (SELECT call_h FROM kept.accepted) ORDER BY id',
    z.object({ id: z.string() }),
  );
  return rows.map(({ id }) => z.string().parse(JSON.parse(id)));
}

/** What was not declined. */
export function accepted({ result }: Accepted): Acceptance {
  if ('declined' in result) throw new Error(`declined: ${result.declined}`);
  return result;
}

/** What was not accepted: the rest without the witnesses, which stay although they were. */
export function refused(done: Accepted): Pick<Acceptance, 'records'> & Pick<Acceptance['ledger'], 'rows'> {
  const { accepted: sums, ledger, records } = accepted(done);
  const [kept, rows] = [true, false].map((witness) =>
    ledger.rows.filter(({ call_id }) => sums.witnesses.includes(call_id) === witness),
  );
  const requests = new Set(kept?.map(({ request_id }) => request_id));
  const named = z.looseObject({ request_id: z.string() });
  return {
    rows: rows ?? [],
    records: records.filter(({ record }) => !requests.has(named.safeParse(record).data?.request_id ?? '')),
  };
}
