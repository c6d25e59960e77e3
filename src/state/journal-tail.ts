import { Buffer } from 'node:buffer';
import type { JournalRead } from './read-journal.ts';
import type { StateDisk, StateFile } from './state-disk.ts';

/** The end of a journal on the disk: what is known to stand there, and what must be taken away before the next line. */
export class JournalTail {
  readonly #path: string;
  readonly #disk: StateDisk;
  #file: StateFile;
  /** Bytes that are known to be on the disk. */
  #size: number;
  #lines: number;
  /** Bytes behind `#size` are of a write that failed or never ended. */
  #isRagged: boolean;
  #isFolderSynced = false;

  private constructor(path: string, disk: StateDisk, file: StateFile, read: JournalRead) {
    this.#path = path;
    this.#disk = disk;
    this.#file = file;
    this.#size = read.end;
    this.#lines = read.lines;
    this.#isRagged = read.torn > 0;
  }

  static async open(path: string, disk: StateDisk, read: JournalRead): Promise<JournalTail> {
    return new JournalTail(path, disk, await disk.append(path), read);
  }

  get lines(): number {
    return this.#lines;
  }

  /** On the disk when it resolves. What a write that throws left there is taken away before the next one. */
  async write(texts: readonly string[]): Promise<void> {
    const bytes = Buffer.from(texts.join(''));
    if (this.#isRagged) await this.#file.truncate(this.#size);
    this.#isRagged = true;
    await this.#file.write(bytes);
    await this.#file.sync();
    await this.#syncFolder();
    this.#isRagged = false;
    this.#size += bytes.length;
    this.#lines += texts.length;
  }

  /** Takes away what a write that failed has left. */
  async takeBack(): Promise<void> {
    await this.#file.truncate(this.#size);
    this.#isRagged = false;
  }

  /** Puts a new file in the place of the old one. Throws where the old one stays. */
  async replace(texts: readonly string[]): Promise<void> {
    const bytes = Buffer.from(texts.join(''));
    const fresh = freshOf(this.#path);
    const file = await this.#disk.create(fresh);
    try {
      await file.write(bytes);
      await file.sync();
      await this.#disk.rename(fresh, this.#path);
    } catch (cause) {
      await file.close().catch(() => {});
      await this.#disk.remove(fresh).catch(() => {});
      throw cause;
    }
    const old = this.#file;
    this.#file = file;
    this.#size = bytes.length;
    this.#lines = texts.length;
    this.#isRagged = false;
    // Until its name is on the disk a power cut may bring the old file back: the next write sees to it before it counts.
    this.#isFolderSynced = false;
    await old.close().catch(() => {});
    await this.#syncFolder().catch(() => {});
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #syncFolder(): Promise<void> {
    if (!this.#isFolderSynced) await this.#disk.syncFolder(this.#path);
    this.#isFolderSynced = true;
  }
}

/** Where the new file of a compaction is made. */
export function freshOf(path: string): string {
  return `${path}.new`;
}
