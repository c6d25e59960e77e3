import { Buffer } from 'node:buffer';
import { expect, test } from 'vitest';
import { MediaCheck } from './media-check.ts';

const box = (type: string, size: number, told = size): Buffer => {
  const bytes = Buffer.alloc(size, 7);
  bytes.writeUInt32BE(told, 0);
  bytes.write(type, 4, 'latin1');
  return bytes;
};
const large = (type: string, size: number): Buffer => {
  const bytes = box(type, size, 1);
  bytes.writeBigUInt64BE(BigInt(size), 8);
  return bytes;
};
const chunk = (type: string, size: number): Buffer => box(type, size + 12, size);
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const PNG = Buffer.concat([
  SIGNATURE,
  chunk('IHDR', 13),
  chunk('IDAT', 300),
  chunk('IDAT', 9),
  chunk('IEND', 0),
]);
const MP4 = Buffer.concat([box('ftyp', 24), box('moov', 200), box('mdat', 5000)]);
const OPEN_MP4 = Buffer.concat([box('ftyp', 24), large('moov', 90), box('mdat', 50, 0)]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, ...Array.from({ length: 40 }, () => 1), 0xff, 0xd9]);
const WEBP = Buffer.concat([
  Buffer.from('RIFF'),
  Buffer.from([28, 0, 0, 0]),
  Buffer.from('WEBP'),
  Buffer.alloc(24),
]);

function check(bytes: Buffer, piece = bytes.length) {
  const media = new MediaCheck();
  for (let at = 0; at < bytes.length; at += piece) media.feed(bytes.subarray(at, at + piece));
  return media.facts();
}

test.each([
  ['png', PNG],
  ['mp4', MP4],
  ['mp4', OPEN_MP4],
  ['jpeg', JPEG],
  ['webp', WEBP],
] as const)('a whole %s is whole however it comes, and no part of it is', (format, bytes) => {
  for (const piece of [bytes.length, 1, 5, 13])
    expect(check(bytes, piece)).toEqual({ bytes: bytes.length, format, whole: true });
  const cuts = bytes === OPEN_MP4 ? [10, 30, 100] : [10, 30, 45, bytes.length - 1];
  for (const cut of cuts.filter((size) => size < bytes.length))
    expect(check(bytes.subarray(0, cut)).whole, `cut at ${cut}`).toBe(false);
});

test.each([
  ['no video in it', Buffer.concat([box('ftyp', 24), box('moov', 30)])],
  ['more behind the end', Buffer.concat([MP4, Buffer.from([1, 2, 3])])],
  ['a box smaller than its header', Buffer.concat([box('ftyp', 24), box('moov', 30, 4), box('mdat', 20)])],
  ['a chunk behind the last', Buffer.concat([PNG, chunk('tEXt', 3)])],
  ['a page', Buffer.from('<html></html>')],
  ['nothing', Buffer.alloc(0)],
])('%s is not whole', (_, bytes) => {
  expect(check(bytes).whole).toBe(false);
});
