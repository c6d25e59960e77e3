import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

const LF = 0x0a;

/**
 * The lines of a file that is only ever appended to, each parsed once however often it is read. A file that has become
 * shorter was replaced, and is read from its start; one that is missing has no lines.
 */
export class AppendedLines<Line> {
  readonly #path: string;
  readonly #parse: (text: string, number: number) => Line;
  readonly #partOf: (text: string) => Line | null;
  #lines: Line[] = [];
  /** Behind the last line end read, bytes. */
  #offset = 0;
  /** Of the last line read, from 1, blank ones too. */
  #number = 0;

  /** `parse` throws for a bad line; `partOf` gives null for the torn part of one at the end of the file. */
  constructor(
    path: string,
    parse: (text: string, number: number) => Line,
    partOf: (text: string) => Line | null,
  ) {
    this.#path = path;
    this.#parse = parse;
    this.#partOf = partOf;
  }

  async read(): Promise<readonly Line[]> {
    const rest = await this.#grown();
    const last = rest.trim() === '' ? null : this.#partOf(rest);
    return last === null ? this.#lines.slice() : [...this.#lines, last];
  }

  /** The whole lines that have come since it was last asked; they are not kept here. */
  async news(): Promise<readonly Line[]> {
    await this.#grown();
    const lines = this.#lines;
    this.#lines = [];
    return lines;
  }

  /** Gives the text behind the last line end. */
  async #grown(): Promise<string> {
    const size = await stat(this.#path).then((found) => found.size, missing);
    if (size < this.#offset) {
      this.#lines = [];
      this.#offset = 0;
      this.#number = 0;
    }
    return size > this.#offset ? this.#readOn() : '';
  }

  async #readOn(): Promise<string> {
    // The pieces of one line are put together once, at its end: with each chunk, a line of 100 MB would take minutes.
    let held: Buffer[] = [];
    for await (const chunk of createReadStream(this.#path, { start: this.#offset })) {
      if (!Buffer.isBuffer(chunk)) throw new TypeError('appended-lines: expected bytes');
      let from = 0;
      for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, from)) {
        const line = Buffer.concat([...held, chunk.subarray(from, at)]);
        held = [];
        const text = line.toString('utf8');
        this.#number += 1;
        if (text.trim() !== '') this.#lines.push(this.#parse(text, this.#number));
        this.#offset += line.length + 1;
        from = at + 1;
      }
      held.push(chunk.subarray(from));
    }
    return Buffer.concat(held).toString('utf8');
  }
}

function missing(error: unknown): number {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0;
  throw error;
}
