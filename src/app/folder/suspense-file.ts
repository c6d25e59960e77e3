import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { Shape } from '../../contracts/shape.ts';
import { SUSPENSE_SCHEMA, type SuspenseItem, suspenseItem } from '../../contracts/suspense.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { jsonOf } from '../../text/json-of.ts';
import { whileStateLocked } from './locks.ts';

const FILE = 'suspense.ndjson';
/** The list as it stood before a run, in the run's own folder: its judgement rests on this copy alone. */
const OPENING = 'usage/suspense-in.ndjson';

/** An item as it stands in `<state>/<target>/suspense.ndjson`: the keys that it is of are named, never held. */
const storedItem = suspenseItem.extend({
  /** Fingerprints of the keys of its run, with `+` between them. */
  key_fp: z.string(),
});
export type StoredItem = Shape<typeof storedItem>;

/** The open items of earlier runs of these keys. Throws `suspense_corrupt` (exit 2) with file and line. */
export function openingOf(targetDir: string, keys: readonly string[]): readonly StoredItem[] {
  return openItems(targetDir).filter(({ key_fp }) => key_fp.split('+').every((key) => keys.includes(key)));
}

/** The items of the target that are still open, whatever their keys. */
export function openItems(targetDir: string): readonly StoredItem[] {
  return readItems(join(targetDir, FILE)).filter(({ state }) => state !== 'cleared');
}

/** Runs that an open item of the target is of. */
export function openRuns(targetDir: string): readonly string[] {
  const open = openItems(targetDir);
  return [...new Set(open.flatMap(({ first_run, last_run }) => [first_run, last_run]))];
}

/** Copies the opening list into the run's folder, once: a later judgement of the same folder rests on the same list. */
export function keepOpening(runDir: string, opening: readonly StoredItem[]): void {
  const file = join(runDir, OPENING);
  if (existsSync(file)) return;
  mkdirSync(join(runDir, 'usage'), { recursive: true });
  writeItems(file, opening);
}

/** The list that a run began with; null where it keeps no state. */
export function readOpening(runDir: string): readonly SuspenseItem[] | null {
  const file = join(runDir, OPENING);
  return existsSync(file) ? readItems(file) : null;
}

/**
 * Writes the list of a run back. Items of other runs stay as they are, and a cleared one stays cleared. One of this
 * run that is listed no longer was settled before it passed on, and goes.
 */
export async function storeClosing(
  targetDir: string,
  run: { readonly run_id: string; readonly keys: readonly string[] },
  items: readonly SuspenseItem[],
): Promise<void> {
  const key_fp = run.keys.toSorted().join('+');
  const lock = join(targetDir, `${FILE}.lock`);
  await whileStateLocked(lock, () => {
    const held = readItems(join(targetDir, FILE));
    const closing = new Map(items.map((item) => [item.id, item]));
    const kept = held
      .filter(({ id, first_run }) => first_run !== run.run_id || closing.has(id))
      .map((item): StoredItem => {
        const now = closing.get(item.id);
        return now === undefined || item.state === 'cleared' ? item : { ...now, key_fp: item.key_fp };
      });
    const known = new Set(kept.map(({ id }) => id));
    // One of another run that is no longer here was settled by that run, and is not brought back.
    const added = items
      .filter(({ id, first_run }) => !known.has(id) && first_run === run.run_id)
      .map((item): StoredItem => ({ ...item, key_fp }));
    writeItems(join(targetDir, FILE), [...kept, ...added]);
  });
}

function readItems(file: string): readonly StoredItem[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      if (line === '') return [];
      const parsed = storedItem.safeParse(jsonOf(line));
      if (parsed.success) return [parsed.data];
      const issue = parsed.error.issues[0];
      throw new WeighbridgeError({
        code: 'suspense_corrupt',
        message: `${file}:${index + 1} is not a line of ${SUSPENSE_SCHEMA}: ${issue?.path.join('.') || 'the line'}: ${issue?.message ?? ''}.`,
        hint: 'Restore the file as it was written. If you move it away, open items are counted from the next run on.',
      });
    });
}

function writeItems(file: string, items: readonly StoredItem[]): void {
  replaceFile(file, items.map((item) => `${JSON.stringify(item)}\n`).join(''));
}
