import { z } from 'zod';
import type { UsageWindow } from '../../contracts/usage-lines.ts';
import { attachKept, resetKept } from '../../ledger/store/kept-database.ts';
import { beginsAsKnown, type KnownFile, knownFileSchema } from '../../ledger/store/known-file.ts';
import type { Store } from '../../ledger/store/open-store.ts';
import { jsonOf } from '../../text/json-of.ts';
import type { AcceptanceInput } from './acceptance-input.ts';
import { createAcceptedTables } from './accepted-table.ts';

/** Raised with every change of the tables, of how lines are read and of what is accepted. */
const FORM = 2;

const keptState = z.strictObject({
  stamp: z.string(),
  readings: z.strictObject({
    amount_meaning: z.enum(['net', 'gross']),
    input_includes_cache: z.enum(['yes', 'no']),
  }),
  windows: z.array(z.strictObject({ start: z.number(), end: z.number() })),
  calls: z.array(knownFileSchema),
  records: z.array(knownFileSchema),
});
export type KeptState = z.infer<typeof keptState>;

export interface KeptAcceptance {
  /** Null where nothing was accepted before. */
  readonly state: KeptState | null;
  readonly outlasts: boolean;
}

/**
 * Database `kept` with what an earlier judgement accepted, if that still holds for these files under these terms; else
 * with nothing, and `say` is told why. `file` null: nothing outlasts the store.
 */
export async function openKept(
  store: Store,
  file: string | null,
  input: AcceptanceInput,
  say: (line: string) => void,
): Promise<KeptAcceptance> {
  const found = await attachKept(store, file);
  if (found.problem !== null) say(`what was judged before is not used: ${found.problem}`);
  if (found.content !== null && file !== null) {
    const state = keptState.safeParse(jsonOf(found.content)).data ?? null;
    const stale = state === null ? 'it is of another version' : await staleReason(state, input);
    if (stale === null) return { state, outlasts: true };
    say(`what was judged before is judged again: ${stale}`);
    await resetKept(store, file);
  }
  await createAcceptedTables(store);
  return { state: null, outlasts: found.outlasts };
}

async function staleReason(state: KeptState, input: AcceptanceInput): Promise<string | null> {
  if (state.stamp !== stampOf(input)) return 'version, terms or reads have changed';
  if (!covered(state.windows, input.windows)) return 'other windows were read';
  const same =
    (await grown(state.calls, input.ledger_files)) && (await grown(state.records, input.record_files));
  return same ? null : 'its files have changed';
}

/** All that decides about a call and is the same for all of them, but for windows, prices and readings. */
export function stampOf(input: AcceptanceInput): string {
  const { judged, any_version, late_ms, posting_ms, earlier, witnesses_per_price } = input;
  return JSON.stringify([
    FORM,
    input.version,
    judged,
    any_version,
    late_ms,
    posting_ms,
    earlier,
    witnesses_per_price,
  ]);
}

/** A call whose record lay in one of the windows still lies in one. */
function covered(before: readonly UsageWindow[], now: readonly UsageWindow[]): boolean {
  return (
    (before.length === 0) === (now.length === 0) &&
    before.every(({ start, end }) => now.some((window) => window.start <= start && window.end >= end))
  );
}

async function grown(known: readonly KnownFile[], files: readonly string[]): Promise<boolean> {
  for (const [index, each] of known.entries()) {
    const file = files[index];
    if (file === undefined || !(await beginsAsKnown(file, each))) return false;
  }
  return true;
}
