import { Buffer } from 'node:buffer';
import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import type { WeighbridgeError } from '../../contracts/failure.ts';
import type { BooksEvent, BooksLog } from '../events/books-event.ts';
import { BooksChain, readLines } from './books-chain.ts';
import { type BooksHeader, booksHeader, booksLine, readBooksLine } from './books-line.ts';
import { dataFailure } from './data-failure.ts';

/** How many lines are written at once by a compaction. */
const BATCH_LINES = 1000;

export interface BooksRead {
  readonly header: BooksHeader;
  readonly events: number;
  /** Bytes of a last line that was cut off in the middle; they were taken away. */
  readonly torn: number;
}

/**
 * The append-only file of everything that happened to the books: one line of JSON for each event, behind a header.
 * A line that has no end was being written when the process died; what it says has not happened.
 */
export class BooksFile implements BooksLog {
  readonly #path: string;
  #file: number;
  #size: number;
  #chain = new BooksChain();

  /** Opens the file of this path, which is made when it is missing. */
  constructor(path: string) {
    this.#path = path;
    rmSync(freshPath(path), { force: true });
    this.#file = openSync(path, 'a+', 0o600);
    this.#size = fstatSync(this.#file).size;
  }

  /**
   * Reads what is there and hands each event on. Null: nothing is there yet.
   * Throws `data_corrupt` or `data_version`; `replay` may throw for an event that does not fit.
   */
  read(replay: (event: BooksEvent) => void): BooksRead | null {
    let header: BooksHeader | null = null;
    let events = 0;
    let end = 0;
    for (const line of readLines(this.#file)) {
      if (header === null) header = this.#header(line.text);
      else {
        this.#replay(line.number, line.text, replay);
        events += 1;
      }
      end = line.end;
    }
    const torn = this.#size - end;
    if (torn > 0) this.#cut(end);
    return header === null ? null : { header, events, torn };
  }

  /** Writes the first line of a new file. */
  start(header: BooksHeader): void {
    this.#write(this.#lineOf(header));
  }

  append(event: BooksEvent): void {
    this.#write(this.#lineOf(event));
  }

  /** Puts these events in the place of all that is there; a crash leaves the one or the other. */
  compact(header: BooksHeader, events: Iterable<BooksEvent>): void {
    const fresh = freshPath(this.#path);
    this.#chain = new BooksChain();
    const file = openSync(fresh, 'w', 0o600);
    try {
      let lines = [this.#lineOf(header)];
      for (const event of events) {
        lines.push(this.#lineOf(event));
        if (lines.length < BATCH_LINES) continue;
        writeWhole(file, lines.join(''));
        lines = [];
      }
      writeWhole(file, lines.join(''));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(fresh, this.#path);
    closeSync(this.#file);
    this.#file = openSync(this.#path, 'a+', 0o600);
    this.#size = fstatSync(this.#file).size;
  }

  close(): void {
    closeSync(this.#file);
  }

  #header(text: string): BooksHeader {
    const schema = schemaOf(text);
    if (schema !== null && schema !== booksHeader.shape.schema.value) {
      throw dataFailure(
        'data_version',
        `expected ${booksHeader.shape.schema.value} in line 1 of ${this.#path}, found ${schema}`,
        'use the version of Weighbridge that wrote it, or give another directory to --data',
      );
    }
    try {
      return booksHeader.parse(JSON.parse(this.#chain.opened(text)));
    } catch (cause) {
      throw this.#corrupt(1, text, cause);
    }
  }

  #replay(number: number, text: string, replay: (event: BooksEvent) => void): void {
    try {
      replay(readBooksLine(this.#chain.opened(text)));
    } catch (cause) {
      throw this.#corrupt(number, text, cause);
    }
  }

  #corrupt(number: number, text: string, cause: unknown): WeighbridgeError {
    const found = cause instanceof RangeError ? cause.message : JSON.stringify(text.slice(0, 60));
    return dataFailure(
      'data_corrupt',
      `expected an event of the books in line ${number} of ${this.#path}, found: ${found}`,
      'restore the file from a copy; nothing was changed',
      cause,
    );
  }

  /** With its link and line end. */
  #lineOf(written: BooksEvent | BooksHeader): string {
    return `${this.#chain.sealed(booksLine(written))}\n`;
  }

  /** Handed to the operating system before it returns: it outlives the process from then on. */
  #write(text: string): void {
    try {
      this.#size += writeWhole(this.#file, text);
    } catch (cause) {
      // Half a line may be there: a later start must not find it in the middle. Where that fails too, it is the last one.
      try {
        this.#cut(this.#size);
      } catch {}
      throw cause;
    }
  }

  #cut(size: number): void {
    ftruncateSync(this.#file, size);
    this.#size = size;
  }
}

function freshPath(path: string): string {
  return `${path}.new`;
}

/** Bytes written. */
function writeWhole(file: number, text: string): number {
  const bytes = Buffer.from(text);
  let written = 0;
  while (written < bytes.length) written += writeSync(file, bytes, written);
  return written;
}

/** What a first line says it is, or null. */
function schemaOf(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'schema' in value ? String(value.schema) : null;
  } catch {
    return null;
  }
}
