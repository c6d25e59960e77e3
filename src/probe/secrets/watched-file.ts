import { type BigIntStats, closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { maskCredentials } from '../../config/problem.ts';

export interface WatchedFileOptions {
  readonly path: string;
  readonly maxBytes: number;
  /** Wall clock, ms. */
  readonly now: () => number;
}

export type FileReading =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'problem'; readonly problem: string };

const POLL_MS = 1_000;
/** A file that was just written may be written again within one tick of its clock: it is not yet known. */
const SETTLED_MS = 2_000n;

/** A small file that is read again when it has changed: looked at when it is used, at most each second. */
export class WatchedFile {
  readonly #options: WatchedFileOptions;
  #looked = Number.NEGATIVE_INFINITY;
  #known: string | null = null;

  constructor(options: WatchedFileOptions) {
    this.#options = options;
  }

  /** Problems name the file and never quote it. One is told each time that the file is looked at. */
  read(): FileReading {
    const now = this.#options.now();
    // A clock that was set back must not keep an old text for long.
    if (Math.abs(now - this.#looked) < POLL_MS) return { kind: 'unchanged' };
    this.#looked = now;
    try {
      if (identity(statSync(this.#options.path, { bigint: true })) === this.#known)
        return { kind: 'unchanged' };
      return this.#load(BigInt(Math.floor(now)));
    } catch (error) {
      this.#known = null;
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
      return this.#problem(`cannot be read (${code})`);
    }
  }

  #load(now: bigint): FileReading {
    const { path, maxBytes } = this.#options;
    this.#known = null;
    const file = openSync(path, 'r');
    try {
      const stats = fstatSync(file, { bigint: true });
      if (!stats.isFile()) return this.#problem('is not a file');
      const bytes = Buffer.alloc(maxBytes + 1);
      let size = 0;
      for (let read = -1; read !== 0 && size < bytes.length; size += read) {
        read = readSync(file, bytes, size, bytes.length - size, null);
      }
      if (size > maxBytes) return this.#problem(`is larger than ${maxBytes} bytes`);
      const age = now - stats.mtimeMs;
      if (age < 0n || age >= SETTLED_MS) this.#known = identity(stats);
      return { kind: 'text', text: bytes.toString('utf8', 0, size) };
    } finally {
      closeSync(file);
    }
  }

  #problem(what: string): FileReading {
    return { kind: 'problem', problem: `the file ${maskCredentials(this.#options.path)} ${what}` };
  }
}

/** Also the change time and the inode: another file of the same size and time may be put in its place. */
function identity({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
}
