import { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { WeighbridgeError } from '../contracts/failure.ts';
import type { JournalOptions } from './journal-content.ts';
import { freshOf, JournalTail } from './journal-tail.ts';
import { nodeDisk } from './node-disk.ts';
import { readJournal } from './read-journal.ts';
import type { StateDisk } from './state-disk.ts';
import { stateUnwritable } from './state-failure.ts';

/** A change is a few milliseconds of another process. */
const MOST_WAIT_MS = 10_000;
const LINE_END = 10;

export interface SharedContent {
  /** What the first line names. */
  readonly schema: string;
  /** Before all lines are replayed: the file is not the one that was read before. */
  readonly begin: () => void;
  /** Given each line behind the first; throws for one that it does not know. */
  readonly replay: (line: unknown) => void;
}

/** Lines to write, and what to do when they are on the disk. */
export interface Change {
  readonly lines: readonly object[];
  readonly written: () => void;
}

interface Known {
  /** The first line, which no other file has. */
  readonly header: Buffer;
  readonly end: number;
  readonly lines: number;
}

/**
 * An append-only file of JSON lines that several processes write. A change holds the lock, takes up what the others wrote
 * since, decides by that, and its lines are on the disk before the lock is given back.
 */
export class SharedJournal {
  readonly #path: string;
  readonly #disk: StateDisk;
  readonly #content: SharedContent;
  readonly #writeFailed: (error: WeighbridgeError) => void;
  #known: Known | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(path: string, { disk, writeFailed }: JournalOptions, content: SharedContent) {
    this.#path = path;
    this.#disk = disk ?? nodeDisk;
    this.#content = content;
    this.#writeFailed = writeFailed ?? (() => {});
  }

  /** Lines of the file, the first among them. */
  get lines(): number {
    return this.#known?.lines ?? 0;
  }

  /** Takes up what stands there. Throws `state_in_use`, `state_corrupt`, `state_version` or `state_unwritable`. */
  read(): Promise<void> {
    return this.#alone(async () => void (await this.#takeUp()));
  }

  /** `decide` sees all that stands there, and gives null where nothing is to be changed. False: nothing was written. */
  async change(decide: () => Change | null): Promise<boolean> {
    return this.#told(async () => {
      const { torn } = await this.#takeUp();
      const change = decide();
      if (change === null) return false;
      if (change.lines.length > 0) await this.#append(change.lines, torn);
      change.written();
      return true;
    });
  }

  /** Puts the snapshot in the place of all lines: a crash leaves the one or the other. */
  async compact(snapshot: () => readonly object[]): Promise<boolean> {
    return this.#told(async () => {
      const read = await this.#takeUp();
      const tail = await JournalTail.open(this.#path, this.#disk, read);
      try {
        const lines = [this.#header(), ...snapshot()].map(lineOf);
        await tail.replace(lines);
        const [header = ''] = lines;
        const end = Buffer.byteLength(lines.join(''));
        this.#known = { header: Buffer.from(header), end, lines: lines.length };
      } finally {
        await tail.close();
      }
      return true;
    });
  }

  /** When what was begun has ended. */
  async idle(): Promise<void> {
    await this.#last;
  }

  async #append(lines: readonly object[], torn: number): Promise<void> {
    const { end = 0, lines: before = 0 } = this.#known ?? {};
    const tail = await JournalTail.open(this.#path, this.#disk, { end, lines: before, torn });
    const texts = [...(before === 0 ? [this.#header()] : []), ...lines].map(lineOf);
    try {
      await tail.write(texts);
    } catch (cause) {
      // What stands there all the same is taken up by the next change: more is then reserved than is used.
      this.#known = null;
      await tail.takeBack().catch(() => {});
      throw cause;
    } finally {
      await tail.close();
    }
    const bytes = Buffer.from(texts.join(''));
    const header = this.#known?.header ?? firstLine(bytes) ?? bytes;
    this.#known = { header, end: end + bytes.length, lines: before + texts.length };
  }

  /** What other processes wrote since the last time; all of it where the file is another. */
  async #takeUp(): Promise<{ end: number; lines: number; torn: number }> {
    await this.#disk.remove(freshOf(this.#path));
    const bytes = Buffer.from((await this.#disk.read(this.#path)) ?? []);
    const known = this.#known;
    const same =
      known !== null &&
      bytes.length >= known.end &&
      bytes.subarray(0, known.header.length).equals(known.header);
    if (!same) this.#content.begin();
    const { schema, replay } = this.#content;
    const from = same ? { end: known.end, lines: known.lines } : { end: 0, lines: 0 };
    this.#known = null;
    const read = readJournal(this.#path, bytes, schema, replay, from);
    const header = firstLine(bytes);
    this.#known = header === null ? null : { header, end: read.end, lines: read.lines };
    return read;
  }

  #header(): object {
    return { schema: this.#content.schema, file: randomUUID() };
  }

  /** As `#alone`; what fails is told, and is as if nothing had been written. */
  async #told(work: () => Promise<boolean>): Promise<boolean> {
    try {
      return await this.#alone(work);
    } catch (cause) {
      this.#writeFailed(stateUnwritable(this.#path, cause));
      return false;
    }
  }

  /** One at a time in this process, and among processes. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(() => this.#locked(work));
    this.#last = done.catch(() => {});
    return done;
  }

  async #locked<T>(work: () => Promise<T>): Promise<T> {
    try {
      const hold = await this.#disk.lock(`${this.#path}.lock`, MOST_WAIT_MS);
      try {
        return await work();
      } finally {
        await hold.release();
      }
    } catch (cause) {
      throw stateUnwritable(this.#path, cause);
    }
  }
}

function firstLine(bytes: Buffer): Buffer | null {
  const end = bytes.indexOf(LINE_END) + 1;
  return end === 0 ? null : Buffer.from(bytes.subarray(0, end));
}

function lineOf(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
