import { closeSync, existsSync, fstatSync, openSync, readSync, rmSync, writeSync } from 'node:fs';

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
  // A line torn by a crash must not swallow the first line after it.
  if (endsInsideLine(descriptor)) writeSync(descriptor, '\n');
  return descriptor;
}

function endsInsideLine(descriptor: number): boolean {
  const { size } = fstatSync(descriptor);
  const last = Buffer.alloc(1);
  return size > 0 && readSync(descriptor, last, 0, 1, size - 1) === 1 && last[0] !== 0x0a;
}
