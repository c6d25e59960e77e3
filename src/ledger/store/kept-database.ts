import { rmSync } from 'node:fs';
import { z } from 'zod';
import { createKeptLines } from './kept-lines.ts';
import type { Store } from './open-store.ts';
import { sqlText } from './sql-text.ts';

export interface KeptDatabase {
  /** What was written with `markWhole`; null where there is nothing, or only a part of something. */
  readonly content: string | null;
  /** False where it is gone with the store. */
  readonly outlasts: boolean;
  /** Why what was kept cannot be read, if so. */
  readonly problem: string | null;
}

export function dropKept(file: string): void {
  for (const path of [file, `${file}.wal`]) rmSync(path, { force: true });
}

/** Attaches a file as database `kept`; a damaged one is begun anew, one in use by another process left alone. */
export async function attachKept(store: Store, file: string | null): Promise<KeptDatabase> {
  if (file === null) return begun(store, null);
  try {
    await store.run(`ATTACH ${sqlText(file)} AS kept`);
    const tables = z.object({ n: z.number() });
    const [found] = await store.rows(
      `SELECT count(*)::INTEGER AS n FROM duckdb_tables() WHERE database_name = 'kept' AND table_name = 'whole'`,
      tables,
    );
    if (found?.n === 1) {
      const [whole] = await store.rows('SELECT content FROM kept.whole', z.object({ content: z.string() }));
      if (whole !== undefined) return { content: whole.content, outlasts: true, problem: null };
    }
    await detachKept(store);
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause);
    if (/\block\b|permission|read-only/i.test(said))
      return begun(store, null, 'it is in use, or cannot be written');
    dropKept(file);
    return begun(store, file, 'it is damaged');
  }
  dropKept(file);
  return begun(store, file);
}

async function detachKept(store: Store): Promise<void> {
  await store.run('DETACH DATABASE IF EXISTS kept');
}

/** What was kept does not hold any more: begins with nothing. */
export async function resetKept(store: Store, file: string): Promise<KeptDatabase> {
  await detachKept(store);
  dropKept(file);
  return begun(store, file);
}

async function begun(
  store: Store,
  file: string | null,
  problem: string | null = null,
): Promise<KeptDatabase> {
  await store.run(`ATTACH ${sqlText(file ?? ':memory:')} AS kept`);
  await store.run('CREATE TABLE kept.whole (content VARCHAR)');
  await createKeptLines(store);
  return { content: null, outlasts: file !== null, problem };
}

/** From here on the database changes; until `markWhole` a process that ends leaves nothing that counts. */
export async function markOpen(store: Store): Promise<void> {
  await store.run('DELETE FROM kept.whole');
}

export async function markWhole(store: Store, content: string): Promise<void> {
  await store.run(`INSERT INTO kept.whole VALUES (${sqlText(content)})`);
}
