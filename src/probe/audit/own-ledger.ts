import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { formatInstant, parseInstant } from '../../core/time.ts';
import { type LoadedLedger, loadLedger, NO_LEDGER } from '../../ledger/load-ledger.ts';

const DAY_MS = 86_400_000;

/** Own calls, and how many of them are still under way. */
export interface OwnLedger {
  readonly ledger: LoadedLedger;
  readonly under_way: number;
}

/**
 * The calls of a daemon's ledger that started at a moment or later. Files are named by the UTC day of their first line, and
 * the row of a task may stand days after its intent. Of a call that was begun and has no row nothing can be judged while
 * it may still be running.
 */
export async function ownLedger(
  dir: string,
  { since_ms, running_since_ms }: { readonly since_ms: number; readonly running_since_ms: number },
): Promise<OwnLedger> {
  if (!existsSync(dir)) return { ledger: NO_LEDGER, under_way: 0 };
  const first = formatInstant(since_ms - DAY_MS).slice(0, 10);
  const names = (await readdir(dir)).filter((name) => name.endsWith('.ndjson') && name >= first).sort();
  if (names.length === 0) return { ledger: NO_LEDGER, under_way: 0 };
  const whole = await loadLedger(names.map((name) => join(dir, name)));
  const rows = whole.rows.filter((row) => momentOf(row.started_at) >= since_ms);
  const ended = new Set(whole.rows.map(({ call_id }) => call_id));
  const begun = whole.intents.filter(({ at }) => momentOf(at) >= since_ms);
  const running = begun.filter(({ call_id, at }) => !ended.has(call_id) && momentOf(at) >= running_since_ms);
  const left = new Set(running.map(({ call_id }) => call_id));
  const intents = begun.filter(({ call_id }) => !left.has(call_id));
  return { ledger: { ...whole, rows, intents }, under_way: running.length };
}

function momentOf(text: string): number {
  return parseInstant(text) ?? 0;
}
