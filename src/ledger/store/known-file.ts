import { createHash } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { z } from 'zod';

/** A file of which the first lines were read before. */
export const knownFileSchema = z.object({
  name: z.string(),
  /** What was read of it; ends with a line. */
  bytes: z.number(),
  lines: z.number(),
  /** Lines that are not empty. */
  rows: z.number(),
  /** Of the whole file as it was then. */
  size: z.number(),
  changed_ms: z.number(),
  /** SHA-256 over samples of the bytes that were read. */
  sample: z.string(),
});
export type KnownFile = z.infer<typeof knownFileSchema>;

export async function knowFile(
  file: string,
  read: Pick<KnownFile, 'bytes' | 'lines' | 'rows'>,
): Promise<KnownFile> {
  const { size, mtimeMs } = await stat(file);
  const sample = await sampleOf(file, read.bytes);
  return { ...read, name: basename(file), size, changed_ms: mtimeMs, sample };
}

/**
 * Whether a file still begins with the bytes that were read of it. Files of a folder are only appended to: one that was
 * touched since is compared at 64 places over its length, not byte by byte.
 */
export async function beginsAsKnown(file: string, known: KnownFile): Promise<boolean> {
  if (basename(file) !== known.name) return false;
  const { size, mtimeMs } = await stat(file);
  if (size === known.size && mtimeMs === known.changed_ms) return true;
  return size >= known.bytes && (await sampleOf(file, known.bytes)) === known.sample;
}

const SAMPLES = 64;
const SAMPLE_BYTES = 65_536;

/** Of the first `bytes` of a file: samples spread evenly, its beginning and its end among them. */
async function sampleOf(file: string, bytes: number): Promise<string> {
  const hash = createHash('sha256').update(String(bytes));
  const handle = await open(file);
  try {
    const last = Math.max(bytes - SAMPLE_BYTES, 0);
    const buffer = Buffer.alloc(Math.min(SAMPLE_BYTES, bytes));
    for (let index = 0; index < SAMPLES; index += 1) {
      const at = Math.floor((last * index) / (SAMPLES - 1));
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, at);
      hash.update(buffer.subarray(0, bytesRead));
      if (last === 0) break;
    }
    return hash.digest('hex');
  } finally {
    await handle.close();
  }
}
