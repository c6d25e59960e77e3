import { chmodSync, copyFileSync, mkdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { evidenceItems } from '../../ledger/evidence/evidence-items.ts';
import { plural } from '../../text/plural.ts';
import { folderFile } from '../folder/folder-file.ts';
import { parquetRows } from './record-tables.ts';

const FOLDER = 'raw';
const MOST_MEMBERS = 200;
const DEEPEST = 8;

const RAW_FILE = folderFile({
  name: 'raw.json',
  code: 'raw_unreadable',
  version: 'weighbridge.kept-raw/1',
  content: z.strictObject({
    /** Names in raw/. */
    files: z.array(z.string()),
    /** Members of their rows, lists and objects taken apart. */
    members: z.array(z.string()),
  }),
  hint: 'give `weighbridge reconcile … --keep-raw` again',
});

/**
 * Copies files of other programs whole into the folder of their audit, for its owner alone, and says in words which
 * members stand there: prompts, names and addresses too, where the program wrote them.
 */
export async function keepRaw(runDir: string, files: readonly string[]): Promise<string> {
  const folder = join(runDir, FOLDER);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const members = new Set<string>();
  const names = files.map((file, index) => `${index}-${basename(file)}`);
  for (const [index, file] of files.entries()) {
    for await (const member of membersOf(file)) {
      if (members.size < MOST_MEMBERS) members.add(member);
    }
    const copy = join(folder, names[index] ?? '');
    copyFileSync(file, copy);
    chmodSync(copy, 0o600);
  }
  const kept = [...members].sort();
  RAW_FILE.write(runDir, { files: names, members: kept });
  return `raw/ keeps ${plural(names.length, 'file')} whole, as --keep-raw asks, with ${kept.join(', ')}`;
}

async function* membersOf(file: string): AsyncGenerator<string> {
  if (await isParquet(file)) {
    let columns: readonly string[] = [];
    const rows = parquetRows(file, (names) => {
      columns = names;
    });
    await rows.next();
    await rows.return();
    yield* columns;
    return;
  }
  for await (const item of evidenceItems(file)) if ('value' in item) yield* pathsIn(item.value, '', 0);
}

function* pathsIn(value: unknown, at: string, depth: number): Generator<string> {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) {
    if (at !== '') yield at;
    return;
  }
  for (const [name, held] of Object.entries(value))
    yield* pathsIn(held, Array.isArray(value) ? at : at === '' ? name : `${at}.${name}`, depth + 1);
}

async function isParquet(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.toString('utf8') === 'PAR1';
  } finally {
    await handle.close();
  }
}
