import { Buffer } from 'node:buffer';
import { crc32, deflateSync } from 'node:zlib';

const FILES = new Map<string, Buffer>();

/** The image of a size such as `1024x1536` (`auto`: 1024x1024), made once. */
export function imageFile(size: string): Buffer {
  const held = FILES.get(size);
  if (held !== undefined) return held;
  const [width, height] = size.split('x').map(Number);
  const made = stripedPng(width || 1024, height || 1024);
  FILES.set(size, made);
  return made;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const GREY_1_BIT = [1, 0, 0, 0, 0] as const;
const STRIPE_PIXELS = 32;

/** A striped black and white PNG of the given size: real, and a few hundred bytes (PNG, ISO/IEC 15948). */
export function stripedPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set(GREY_1_BIT, 8);
  const rowBytes = 1 + Math.ceil(width / 8);
  const pixels = Buffer.alloc(rowBytes * height);
  for (let row = 0; row < height; row += 1) {
    // The first byte of a row names its filter: 0, none.
    if (Math.floor(row / STRIPE_PIXELS) % 2 === 0)
      pixels.fill(0xff, row * rowBytes + 1, (row + 1) * rowBytes);
  }
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, checksum]);
}
