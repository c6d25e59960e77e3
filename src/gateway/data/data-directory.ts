import { randomInt } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { FileLock } from '../../state/file-lock.ts';
import { lockHeldBy } from '../../state/lock-owner.ts';
import { systemCodeOf } from '../../state/system-code.ts';
import type { BooksEvent, BooksLog } from '../events/books-event.ts';
import { fileUnwritable } from '../journal/file-unwritable.ts';
import { BooksFile } from './books-file.ts';
import type { BooksState } from './books-state.ts';
import { dataFailure } from './data-failure.ts';
import {
  newCredentials,
  readSavedCredentials,
  type SavedCredentials,
  writeCredentials,
} from './saved-credentials.ts';

const BOOKS = 'books.ndjson';
const OWNER_ONLY = 0o700;
/** A log is made anew at a start when it has this many lines more than needed, and half as many more as well. */
const SPARE_LINES = 1000;

export interface Restored {
  readonly quotaPerUsd: number;
  /** What a user should know of the start. */
  readonly notes: readonly string[];
}

/** Where a gateway keeps its books, its accounts and its tasks: one writer, an append-only log. */
export class DataDirectory implements BooksLog {
  readonly #folder: string;
  readonly #lock: FileLock;
  readonly #books: BooksFile;
  #credentials: SavedCredentials;
  readonly #failed: (error: WeighbridgeError) => void;
  #broken: WeighbridgeError | null = null;

  /** Makes the directory when it is missing and takes its lock; throws `data_in_use`, `data_unusable`, `data_corrupt`. `failed` is told of the write that fails. */
  constructor(folder: string, failed: (error: WeighbridgeError) => void = () => {}) {
    this.#folder = resolve(folder);
    this.#failed = failed;
    try {
      mkdirSync(this.#folder, { recursive: true, mode: OWNER_ONLY });
      this.#lock = lockOf(this.#folder);
    } catch (error) {
      throw asDataFailure(error, this.#folder);
    }
    try {
      const credentials = readSavedCredentials(this.#folder);
      this.#credentials = credentials ?? newCredentials();
      if (credentials === null) writeCredentials(this.#folder, this.#credentials);
      this.#books = new BooksFile(join(this.#folder, BOOKS));
    } catch (error) {
      this.#lock.release();
      throw asDataFailure(error, this.#folder);
    }
  }

  get credentials(): SavedCredentials {
    return this.#credentials;
  }

  /** Whether a write has failed: nothing more is taken then. */
  get broken(): boolean {
    return this.#broken !== null;
  }

  /** Replays the log into the state, and makes it anew where much of it is out of date. Throws `data_corrupt`, `data_version`. */
  restore(state: BooksState, now_s: number): Restored {
    const read = this.#books.read((event) => state.replay(event));
    if (read === null) {
      const header = {
        schema: 'weighbridge.gateway-data/2',
        quotaPerUsd: randomInt(100_000, 900_000),
      } as const;
      this.#written(() => this.#books.start(header));
      return { quotaPerUsd: header.quotaPerUsd, notes: [] };
    }
    const { header, events, torn } = read;
    const needed = state.size(now_s);
    if (events > needed * 1.5 + SPARE_LINES)
      this.#written(() => this.#books.compact(header, state.events(now_s)));
    const cut = `${join(this.#folder, BOOKS)}: the last line had no end (${torn} bytes) and was taken away`;
    return { quotaPerUsd: header.quotaPerUsd, notes: torn > 0 ? [cut] : [] };
  }

  append(event: BooksEvent): void {
    if (this.#broken !== null) throw this.#broken;
    this.#written(() => this.#books.append(event));
  }

  /** Throws `data_unwritable`. */
  #written(write: () => void): void {
    try {
      write();
    } catch (cause) {
      const path = join(this.#folder, BOOKS);
      this.#broken =
        cause instanceof WeighbridgeError ? cause : fileUnwritable('data_unwritable', path, cause);
      this.#failed(this.#broken);
      throw this.#broken;
    }
  }

  /** Keeps other texts for the first account. */
  keepCredentials(changed: Partial<SavedCredentials>): void {
    this.#credentials = { ...this.#credentials, ...changed };
    writeCredentials(this.#folder, this.#credentials);
  }

  close(): void {
    this.#books.close();
    this.#lock.release();
  }
}

/** Two writers would book over one another. */
function lockOf(folder: string): FileLock {
  const taken = FileLock.take(join(folder, 'lock'));
  if ('lock' in taken) return taken.lock;
  throw dataFailure(
    'data_in_use',
    `expected to be the only gateway on ${folder}, found ${lockHeldBy(taken.owner, Date.now())}`,
    'stop that gateway first, or give another directory to --data',
  );
}

/** A path that cannot be used is the user's to mend; all else passes. */
function asDataFailure(error: unknown, folder: string): unknown {
  const code = systemCodeOf(error);
  if (code === null || !/^E[A-Z]+$/.test(code)) return error;
  return dataFailure(
    'data_unusable',
    `expected a directory that can be written at ${folder}, found ${code}`,
    'check the path given to --data',
    error,
  );
}
