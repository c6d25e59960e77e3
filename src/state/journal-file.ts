import type { WeighbridgeError } from '../contracts/failure.ts';
import type { JournalContent, JournalOptions } from './journal-content.ts';
import { freshOf, JournalTail } from './journal-tail.ts';
import { nodeDisk } from './node-disk.ts';
import { readJournal } from './read-journal.ts';
import type { StateHold } from './state-disk.ts';
import { orUnwritable, stateUnwritable } from './state-failure.ts';

interface Waiting {
  readonly text: string;
  /** Nobody depends on it: where it cannot be written now, it is written later. */
  readonly owed: boolean;
  resolve(): void;
  reject(error: WeighbridgeError): void;
}

/**
 * An append-only file of JSON lines, each on the disk before its promise resolves; lines that wait share a write.
 *
 * What a line does must stand in the owner's state *before* the line is given here, so that a snapshot taken while it waits
 * has it; the line then comes once more behind the snapshot, and `replay` must take it as nothing new.
 */
export class JournalFile {
  /** Bytes of a torn last line that were passed over when the file was opened. */
  readonly torn_bytes: number;
  readonly #path: string;
  readonly #content: JournalContent;
  readonly #writeFailed: (error: WeighbridgeError) => void;
  readonly #hold: StateHold;
  readonly #tail: JournalTail;
  #owed: string[] = [];
  #waiting: Waiting[] = [];
  #wanted: (() => void)[] = [];
  #work: Promise<void> | null = null;

  private constructor(
    path: string,
    content: JournalContent,
    opened: { hold: StateHold; tail: JournalTail; torn: number },
    writeFailed: (error: WeighbridgeError) => void,
  ) {
    this.#path = path;
    this.#content = content;
    this.#hold = opened.hold;
    this.#tail = opened.tail;
    this.#writeFailed = writeFailed;
    this.torn_bytes = opened.torn;
    if (opened.tail.lines === 0) this.#owed.push(lineOf({ schema: content.schema }));
  }

  /** Throws `state_in_use`, `state_corrupt`, `state_version` or `state_unwritable`. */
  static async open(path: string, content: JournalContent, options: JournalOptions): Promise<JournalFile> {
    const disk = options.disk ?? nodeDisk;
    const hold = await orUnwritable(path, disk.lock(`${path}.lock`, 0));
    try {
      await orUnwritable(path, disk.remove(freshOf(path)));
      const bytes = await orUnwritable(path, disk.read(path));
      const read = readJournal(path, bytes ?? new Uint8Array(), content.schema, content.replay);
      const tail = await orUnwritable(path, JournalTail.open(path, disk, read));
      return new JournalFile(path, content, { hold, tail, torn: read.torn }, options.writeFailed ?? ignore);
    } catch (error) {
      await hold.release();
      throw error;
    }
  }

  /** Lines of the file, the first among them. */
  get lines(): number {
    return this.#tail.lines;
  }

  /** Resolves when the line is on the disk; rejects with `state_unwritable`, and nothing may be started on its strength. */
  append(line: object): Promise<void> {
    return this.#add(line, false);
  }

  /** As `append`; where it cannot be written, it resolves all the same and goes in before the next line. */
  owe(line: object): Promise<void> {
    return this.#add(line, true);
  }

  /** Puts the snapshot in the place of all lines: a crash leaves the one or the other. A failure leaves the file as it is. */
  compact(): Promise<void> {
    return new Promise((resolve) => {
      this.#wanted.push(resolve);
      this.#start();
    });
  }

  /** After what waits. */
  async close(): Promise<void> {
    while (this.#work !== null) await this.#work;
    await this.#tail.close();
    await this.#hold.release();
  }

  #add(line: object, owed: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ text: lineOf(line), owed, resolve, reject });
      this.#start();
    });
  }

  #start(): void {
    this.#work ??= this.#run();
  }

  async #run(): Promise<void> {
    // One turn later, so that the lines of one turn share a write.
    await Promise.resolve();
    while (this.#waiting.length > 0 || this.#wanted.length > 0) {
      if (this.#waiting.length > 0) await this.#write(this.#waiting.splice(0));
      if (this.#wanted.length > 0) await this.#rewrite(this.#wanted.splice(0));
    }
    this.#work = null;
  }

  async #write(group: readonly Waiting[]): Promise<void> {
    try {
      await this.#tail.write([...this.#owed, ...group.map(({ text }) => text)]);
      this.#owed = [];
    } catch (cause) {
      const error = this.#failed(cause);
      this.#owed.push(...group.filter(({ owed }) => owed).map(({ text }) => text));
      for (const { reject } of group.filter(({ owed }) => !owed)) reject(error);
    }
    // Of a line that was rejected this is nothing new.
    for (const { resolve } of group) resolve();
  }

  async #rewrite(told: readonly (() => void)[]): Promise<void> {
    try {
      await this.#tail.replace(
        [{ schema: this.#content.schema }, ...this.#content.snapshot()].map((line) => lineOf(line)),
      );
      // The snapshot has what they say.
      this.#owed = [];
    } catch (cause) {
      this.#failed(cause);
    }
    for (const resolve of told) resolve();
  }

  #failed(cause: unknown): WeighbridgeError {
    const error = stateUnwritable(this.#path, cause);
    this.#writeFailed(error);
    return error;
  }
}

function lineOf(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

function ignore(): void {}
