import { closeSync, openSync, writeSync } from 'node:fs';
import type { JournalLine } from '../../core/journal.ts';

/** What the gateway really did: kept in memory and, with a path, appended line by line. */
export class CallJournal {
  readonly #lines: JournalLine[] = [];
  #file: number | null;

  constructor(path: string | null) {
    this.#file = path === null ? null : openSync(path, 'a');
  }

  /** Handed to the operating system before it returns: a reader of the file sees every ended call. */
  append(line: JournalLine): void {
    this.#lines.push(line);
    if (this.#file !== null) writeSync(this.#file, `${JSON.stringify(line)}\n`);
  }

  lines(): readonly JournalLine[] {
    return this.#lines;
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }
}
