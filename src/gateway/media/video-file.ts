import type { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { stillMp4 } from './mp4.ts';

export interface VideoFile {
  readonly bytes: Buffer;
  /** A strong entity tag, quotes included (RFC 9110 §8.8.3). */
  readonly etag: string;
}

const FILES = new Map<string, VideoFile>();

/** The MP4 of a size such as `1280x720` and a length, made once for all tasks. */
export function videoFile(size: string, seconds: number): VideoFile {
  const name = `${size} ${seconds}`;
  const held = FILES.get(name);
  if (held !== undefined) return held;
  const [width = 0, height = 0] = size.split('x').map(Number);
  const bytes = stillMp4(width, height, seconds);
  const made = { bytes, etag: `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"` };
  FILES.set(name, made);
  return made;
}
