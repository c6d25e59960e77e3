import { Buffer } from 'node:buffer';
import { SegmentWalk } from './segment-walk.ts';

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
