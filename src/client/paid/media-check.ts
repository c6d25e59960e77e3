import { Buffer } from 'node:buffer';

/** Bytes before the type of a segment and the type itself; a box of 64-bit size has eight more (ISO/IEC 14496-12, 4.2). */
const HEADER = 8;
const LARGE_HEADER = 16;
const MOST_TYPES = 64;

/**
 * Walks over a file that is a row of segments, each with its size as u32 and a type of four letters: boxes of MP4, chunks
 * of PNG. Nothing but the headers is held.
 */
class SegmentWalk {
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

export type MediaFormat = 'png' | 'jpeg' | 'webp' | 'mp4' | 'unknown';

/** What was fetched: how many bytes, of which format by its first ones, and whether the file is whole. */
export interface MediaFacts {
  readonly bytes: number;
  readonly format: MediaFormat;
  readonly whole: boolean;
}

/** Enough to tell the formats apart, and to show how a page begins. */
const HEAD_BYTES = 256;
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);
const JPEG_END = [0xff, 0xd9];

/** Follows the bytes of an image or a video without keeping them. */
export class MediaCheck {
  #head = Buffer.alloc(0);
  #last: readonly number[] = [];
  #bytes = 0;
  #walk: SegmentWalk | null = null;
  /** Bytes that wait until the format is known. */
  #early: Buffer | null = Buffer.alloc(0);

  feed(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    if (this.#head.length < HEAD_BYTES)
      this.#head = Buffer.concat([this.#head, chunk.subarray(0, HEAD_BYTES - this.#head.length)]);
    this.#last = [...this.#last, ...chunk.subarray(-2)].slice(-2);
    if (this.#early === null) {
      this.#walk?.feed(chunk);
      return;
    }
    this.#early = Buffer.concat([this.#early, chunk]);
    if (this.#early.length < 12) return;
    this.#walk = walkOf(formatOf(this.#head));
    this.#walk?.feed(this.#early);
    this.#early = null;
  }

  /** The first bytes, by which a page is told. */
  get head(): Uint8Array {
    return this.#head;
  }

  facts(): MediaFacts {
    const format = formatOf(this.#head);
    return { bytes: this.#bytes, format, whole: this.#isWhole(format) };
  }

  #isWhole(format: MediaFormat): boolean {
    switch (format) {
      case 'png':
        return this.#walk?.endsWith('IEND') ?? false;
      case 'mp4':
        return (this.#walk?.isWhole ?? false) && ['moov', 'mdat'].every((type) => this.#walk?.saw(type));
      case 'jpeg':
        return this.#last.every((byte, index) => byte === JPEG_END[index]);
      case 'webp': {
        const size = this.#head.readUInt32LE(4) + 8;
        return this.#bytes === size || this.#bytes === size + 1; // a chunk of odd size is padded
      }
      case 'unknown':
        return false;
    }
  }
}

/** A picture format by the first bytes, as xk6/call tells them. */
function formatOf(head: Buffer): MediaFormat {
  if (head.subarray(0, PNG.length).equals(PNG)) return 'png';
  if (head.subarray(0, JPEG.length).equals(JPEG)) return 'jpeg';
  if (
    head.length >= 12 &&
    head.toString('latin1', 0, 4) === 'RIFF' &&
    head.toString('latin1', 8, 12) === 'WEBP'
  )
    return 'webp';
  if (head.length >= 8 && head.toString('latin1', 4, 8) === 'ftyp') return 'mp4';
  return 'unknown';
}

function walkOf(format: MediaFormat): SegmentWalk | null {
  switch (format) {
    case 'png':
      // Length without the four bytes of the checksum (PNG 5.3).
      return new SegmentWalk(PNG.length, (size) => size + 12);
    case 'mp4':
      return new SegmentWalk(0, (size) => size);
    default:
      return null;
  }
}

export function isPicture(format: MediaFormat): boolean {
  return format === 'png' || format === 'jpeg' || format === 'webp';
}
