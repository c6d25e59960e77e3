import { createHash } from 'node:crypto';
import { type BigIntStats, createReadStream, mkdirSync, readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { Engine } from '../../drive/locate-k6.ts';
import { replaceFile } from '../../files/replace-file.ts';

/** What a file looked like when it was hashed: as long as it looks so, it is not read again. */
const seenFile = z.object({
  path: z.string(),
  device: z.string(),
  inode: z.string(),
  bytes: z.string(),
  modified_ns: z.string(),
  changed_ns: z.string(),
  sha256: z.string(),
});
const memory = z.array(seenFile);
type SeenFile = z.infer<typeof seenFile>;

/** Engines that are remembered; older ones are hashed again. */
const MOST = 20;

/**
 * Throws `k6_altered` where the engine is not the one whose hash is known. `memoryFile` keeps what was hashed; null, or one
 * that cannot be written, costs a hash at each start.
 */
export async function checkEngine(engine: Engine, memoryFile: string | null): Promise<void> {
  if (engine.sha256 === null) return;
  const found = await sha256Of(engine.path, memoryFile);
  if (found === engine.sha256) return;
  throw new WeighbridgeError({
    code: 'k6_altered',
    message: `The load engine ${engine.path} was not started. Its SHA-256 is ${found}, but ${nameOf(engine)} names ${engine.sha256}.`,
    hint:
      engine.from === 'package'
        ? `Install the package ${engine.name} that belongs to this version, or set WEIGHBRIDGE_K6 to a binary that you trust.`
        : 'Give the SHA-256 of the file that you trust, or the file that has this SHA-256.',
  });
}

function nameOf(engine: Engine): string {
  if (engine.from === 'package') return engine.name;
  return engine.from === 'address' ? 'that address' : 'WEIGHBRIDGE_K6';
}

async function sha256Of(path: string, memoryFile: string | null): Promise<string> {
  const now = look(path, await stat(path, { bigint: true }));
  const seen = memoryFile === null ? [] : recall(memoryFile);
  const known = seen.find(({ sha256, ...before }) => JSON.stringify(before) === JSON.stringify(now));
  if (known !== undefined) return known.sha256;
  const sha256 = await hashFile(path);
  if (memoryFile !== null)
    remember(memoryFile, [{ ...now, sha256 }, ...seen.filter((one) => one.path !== path)].slice(0, MOST));
  return sha256;
}

/** The change time cannot be set back, as the time of modification can. */
function look(path: string, { dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): Omit<SeenFile, 'sha256'> {
  return {
    path,
    device: String(dev),
    inode: String(ino),
    bytes: String(size),
    modified_ns: String(mtimeNs),
    changed_ns: String(ctimeNs),
  };
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest('hex');
}

/** What cannot be read is forgotten. */
function recall(file: string): readonly SeenFile[] {
  try {
    return memory.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return [];
  }
}

function remember(file: string, seen: readonly SeenFile[]): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    replaceFile(file, `${JSON.stringify(seen, null, 2)}\n`);
  } catch {
    // A cache that cannot be written costs time and nothing else.
  }
}
