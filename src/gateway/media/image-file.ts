import type { Buffer } from 'node:buffer';
import { stripedPng } from './png.ts';

const FILES = new Map<string, Buffer>();

/** The image of a size such as `1024x1536` (`auto`: 1024x1024), made once. */
export function imageFile(size: string): Buffer {
  const held = FILES.get(size);
  if (held !== undefined) return held;
  const [width, height] = size.split('x').map(Number);
  const made = stripedPng(width || 1024, height || 1024);
  FILES.set(size, made);
  return made;
}
