/** Writes what the clone of an earlier version says of the kept folders: `node test/kept-folders/write-golden.ts CLONE`. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sayKept } from '../support/kept-folders.ts';

const place = mkdtempSync(join(realpathSync(tmpdir()), 'kept-'));
mkdirSync(join(import.meta.dirname, 'golden'), { recursive: true });
for (const [name, said] of sayKept(place, realpathSync(process.argv[2] ?? ''))) {
  writeFileSync(join(import.meta.dirname, 'golden', `${name}.txt`), said);
}
rmSync(place, { recursive: true });
