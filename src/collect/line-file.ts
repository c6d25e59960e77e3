import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { jsonOf } from '../text/json-of.ts';

const LINE_END = 0x0a;
const CHUNK = 1 << 16;

/** One file of lines, kept open while it is written to. Nothing written is ever changed. */
export class LineFile {
  readonly path: string;
  #descriptor: number | null = null;

  constructor(path: string) {
    this.path = path;
  }

  /** `text` ends each of its lines with a newline. */
  append(text: string | Uint8Array): void {
    if (text.length === 0) return;
    this.#descriptor ??= opened(this.path);
    const bytes = typeof text === 'string' ? Buffer.from(text) : text;
    // A full disk may take a part of them.
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#descriptor, bytes, at);
  }

  close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }

  /** Appends all lines of this file to another one, and removes it. */
  moveInto(target: LineFile): void {
    this.close();
    if (!existsSync(this.path)) return;
    const descriptor = openSync(this.path, 'r');
    try {
      const chunk = Buffer.allocUnsafe(1 << 20);
      for (;;) {
        const read = readSync(descriptor, chunk, 0, chunk.length, null);
        if (read === 0) break;
        target.append(chunk.subarray(0, read));
      }
    } finally {
      closeSync(descriptor);
    }
    this.remove();
  }

  remove(): void {
    this.close();
    rmSync(this.path, { force: true });
  }
}

function opened(path: string): number {
  const descriptor = openSync(path, 'a+');
  const tail = lastLine(descriptor);
  if (tail.length === 0) return descriptor;
  // One torn by a crash or a full disk is no part of what was read. Ended it would be a damaged line, which nobody gets past.
  if (jsonOf(tail.toString('utf8')) === undefined)
    ftruncateSync(descriptor, fstatSync(descriptor).size - tail.length);
  else writeSync(descriptor, '\n');
  return descriptor;
}

/** The bytes behind the last line end. */
function lastLine(descriptor: number): Buffer {
  let tail = Buffer.alloc(0);
  for (let end = fstatSync(descriptor).size; end > 0; ) {
    const from = Math.max(0, end - CHUNK);
    const chunk = Buffer.alloc(end - from);
    readSync(descriptor, chunk, 0, chunk.length, from);
    const at = chunk.lastIndexOf(LINE_END);
    tail = Buffer.concat([chunk.subarray(at + 1), tail]);
    if (at >= 0) return tail;
    end = from;
  }
  return tail;
}
