import { Buffer } from 'node:buffer';
import { closeSync, openSync, writeSync } from 'node:fs';
import type { WeighbridgeError } from '../../contracts/failure.ts';
import type { JournalLine } from '../../contracts/journal.ts';
import { fileUnwritable } from './file-unwritable.ts';

/** Lines that are kept in memory at least: a line takes some 400 bytes, and a load run may make millions. */
export const KEPT_LINES = 100_000;

export interface JournalPart {
  readonly lines: readonly JournalLine[];
  /** How many lines came before these. Above what was asked for: the ones between are in the file only. */
  readonly first: number;
  /** How many lines there are in all. */
  readonly next: number;
}

/** What the gateway really did: the newest lines in memory and, with a path, all of them appended to a file. */
export class CallJournal {
  readonly #lines: JournalLine[] = [];
  /** Lines that are no longer in memory. */
  #dropped = 0;
  readonly #path: string | null;
  readonly #failed: (error: WeighbridgeError) => void;
  #file: number | null;
  /** Lines of this turn of the event loop: many calls end in one turn, and each write is a system call. */
  #waiting = '';
  #isBroken = false;
  #written: Promise<void> | null = null;

  /** `failed` is told of the write that fails; nothing is written after it. */
  constructor(path: string | null, failed: (error: WeighbridgeError) => void = () => {}) {
    this.#path = path;
    this.#failed = failed;
    this.#file = path === null ? null : openSync(path, 'a');
  }

  append(line: JournalLine): void {
    this.#lines.push(line);
    if (this.#lines.length >= 2 * KEPT_LINES) {
      this.#lines.splice(0, KEPT_LINES);
      this.#dropped += KEPT_LINES;
    }
    if (this.#file === null) return;
    this.#written ??= new Promise((resolve) => {
      setImmediate(() => {
        if (this.#flush()) resolve();
      });
    });
    this.#waiting += `${JSON.stringify(line)}\n`;
  }

  /**
   * Resolves, within this turn of the event loop, when every line so far is with the operating system; null: they are.
   * Where they cannot be written it never resolves: the answer stays without its end, and the gateway stops.
   * An answer ends after it, so that a client that has it whole finds the call in the file, whatever becomes of the gateway.
   */
  written(): Promise<void> | null {
    return this.#written;
  }

  /** What came after the first `after` lines, as far as it is in memory. */
  since(after: number): JournalPart {
    const first = Math.max(after, this.#dropped);
    const next = this.#dropped + this.#lines.length;
    return { lines: this.#lines.slice(first - this.#dropped), first: Math.min(first, next), next };
  }

  /** Empties what is kept in memory, not the file; how many lines it was. */
  forget(): number {
    this.#dropped = 0;
    return this.#lines.splice(0).length;
  }

  close(): void {
    this.#flush();
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  /** False: what waits could not be written. */
  #flush(): boolean {
    if (this.#isBroken) return false;
    let left = Buffer.from(this.#waiting);
    this.#waiting = '';
    try {
      while (this.#file !== null && left.length > 0) left = left.subarray(writeSync(this.#file, left));
    } catch (cause) {
      this.#isBroken = true;
      this.#failed(fileUnwritable('journal_unwritable', this.#path ?? '', cause));
      return false;
    }
    this.#written = null;
    return true;
  }
}
