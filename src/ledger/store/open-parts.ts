import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { KnownFile } from './known-file.ts';
import { FILE_PLACES, type LinePart } from './line-part.ts';
import { type TornFile, withoutTornTails } from './torn-tail.ts';

/** What is to be read of files of which `known` (the first ones, in their order) were read before. */
export interface OpenParts {
  /** Without those that have nothing new. */
  readonly parts: readonly LinePart[];
  readonly torn: readonly TornFile[];
  /** As `WholeFiles`. */
  readonly ended: boolean;
}

/** `name` tells copies in `tempDir` apart. */
export async function openParts(
  files: readonly string[],
  known: readonly KnownFile[],
  tempDir: string,
  name: string,
): Promise<OpenParts> {
  const parts: LinePart[] = [];
  for (const [index, file] of files.entries()) {
    const { bytes = 0, lines = 0, rows = 0 } = known[index] ?? {};
    const place = index * FILE_PLACES + rows;
    if (bytes === 0) parts.push({ path: file, file, place, lines, at: 0 });
    else if ((await stat(file)).size > bytes) {
      const path = join(tempDir, `${name}-${index}.ndjson`);
      await pipeline(createReadStream(file, { start: bytes }), createWriteStream(path));
      parts.push({ path, file, place, lines, at: bytes });
    }
  }
  const whole = await withoutTornTails(
    parts.map(({ path }) => path),
    tempDir,
    name,
  );
  return {
    parts: parts.map((part, index) => ({ ...part, path: whole.files[index] ?? part.path })),
    torn: whole.torn.map((torn) => ({
      ...torn,
      file: parts.find(({ path }) => path === torn.file)?.file ?? torn.file,
    })),
    ended: whole.ended,
  };
}
