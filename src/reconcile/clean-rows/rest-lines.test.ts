import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createJsonMacros } from '../../ledger/store/json-macros.ts';
import { wholeParts } from '../../ledger/store/line-part.test-support.ts';
import { openStore, type Store } from '../../ledger/store/open-store.ts';
import { RestLines, UnlikeRows } from './rest-lines.ts';

const hashed = z.object({ h: z.string().transform(BigInt) });

async function hashOf(store: Store, id: string): Promise<bigint> {
  const [row] = await store.rows(`SELECT hash('${id}') AS h`, hashed);
  if (row === undefined) throw new Error('no hash');
  return row.h;
}

test.each([
  { shown: '"a"', as: '"a"', holds: true },
  { shown: '"a"', as: '"b"', holds: false },
  { shown: '"a"', as: null, holds: false },
  { shown: null, as: '"a"', holds: false },
  { shown: null, as: null, holds: true },
])('a line staged as $as that shows $shown is held to it: $holds', async ({ shown, as, holds }) => {
  const dir = mkdtempSync(join(tmpdir(), 'weighbridge-held-'));
  const file = join(dir, 'calls.ndjson');
  writeFileSync(file, '{}\n');
  const store = await openStore({ memory_bytes: 900_000_000, temp_dir: dir });
  try {
    await createJsonMacros(store);
    const hash = as === null ? null : await hashOf(store, as);
    const wanted = { hashes: new Map([[0, hash]]), rest: new Set([0]) };
    const lines = await RestLines.of(store, 'calls', [file], wholeParts([file]), [], wanted);
    for await (const { place } of lines.read()) lines.note(place, shown);
    const held = lines.holdToHashes();
    if (holds) await held;
    else await expect(held).rejects.toThrow(UnlikeRows);
  } finally {
    await store.close();
  }
});
