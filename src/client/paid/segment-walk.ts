import { Buffer } from 'node:buffer';

/** Bytes before the type of a segment and the type itself; a box of 64-bit size has eight more (ISO/IEC 14496-12, 4.2). */
const HEADER = 8;
const LARGE_HEADER = 16;
const MOST_TYPES = 64;

/**
 * Walks over a file that is a row of segments, each with its size as u32 and a type of four letters: boxes of MP4, chunks
 * of PNG. Nothing but the headers is held.
 */
export class SegmentWalk {
  readonly #lengthOf: (size: number) => number;
  readonly #types = new Set<string>();
  #last = '';
  #skip: number;
  #header = Buffer.alloc(0);
  #broken = false;

  /** `lead` bytes stand before the first segment; `lengthOf` is the whole length of one, from the size that it tells. */
  constructor(lead: number, lengthOf: (size: number) => number) {
    this.#skip = lead;
    this.#lengthOf = lengthOf;
  }

  feed(chunk: Uint8Array): void {
    let rest = chunk;
    while (rest.length > 0 && !this.#broken) {
      if (this.#skip > 0) {
        const skipped = Math.min(this.#skip, rest.length);
        this.#skip -= skipped;
        rest = rest.subarray(skipped);
        continue;
      }
      const wanted = this.#wanted - this.#header.length;
      this.#header = Buffer.concat([this.#header, rest.subarray(0, wanted)]);
      rest = rest.subarray(wanted);
      if (this.#header.length >= this.#wanted) this.#open();
    }
  }

  /** The last byte was the last of a segment. */
  get isWhole(): boolean {
    return (
      !this.#broken && this.#header.length === 0 && this.#last !== '' && (this.#skip === 0 || this.#toEnd)
    );
  }

  saw(type: string): boolean {
    return this.#types.has(type);
  }

  endsWith(type: string): boolean {
    return this.isWhole && this.#last === type;
  }

  /** A box of size 0 goes to the end of the file. */
  get #toEnd(): boolean {
    return this.#skip === Number.POSITIVE_INFINITY;
  }

  get #wanted(): number {
    const isLarge =
      this.#header.length >= HEADER && this.#header.readUInt32BE(0) === 1 && this.#lengthOf(1) === 1;
    return isLarge ? LARGE_HEADER : HEADER;
  }

  #open(): void {
    const type = this.#header.toString('latin1', 4, HEADER);
    this.#last = type;
    if (this.#types.size < MOST_TYPES) this.#types.add(type);
    const read = this.#header.length;
    const size =
      read === LARGE_HEADER ? Number(this.#header.readBigUInt64BE(HEADER)) : this.#header.readUInt32BE(0);
    const length = this.#lengthOf(size);
    this.#header = Buffer.alloc(0);
    this.#skip = length === 0 ? Number.POSITIVE_INFINITY : length - read;
    if (this.#skip < 0) this.#broken = true;
  }
}
