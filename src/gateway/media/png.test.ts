import { crc32, inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { stripedPng } from './image-file.ts';

test('a PNG of the asked size: chunks with right checksums, and a pixel row for each line', () => {
  const png = stripedPng(100, 70);
  expect([...png.subarray(0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const chunks: { type: string; data: Buffer }[] = [];
  for (let offset = 8; offset < png.length; ) {
    const length = png.readUInt32BE(offset);
    const data = png.subarray(offset + 8, offset + 8 + length);
    expect(png.readUInt32BE(offset + 8 + length)).toBe(crc32(png.subarray(offset + 4, offset + 8 + length)));
    chunks.push({ type: png.toString('latin1', offset + 4, offset + 8), data });
    offset += 12 + length;
  }
  expect(chunks.map(({ type }) => type)).toEqual(['IHDR', 'IDAT', 'IEND']);
  expect([chunks[0]?.data.readUInt32BE(0), chunks[0]?.data.readUInt32BE(4)]).toEqual([100, 70]);
  const rows = inflateSync(chunks[1]?.data ?? Buffer.alloc(0));
  expect(rows.length).toBe(70 * (1 + 13));
  expect([rows[1], rows[32 * 14 + 1], rows[64 * 14 + 1]]).toEqual([0xff, 0, 0xff]);
});

test('a large one stays small', () => {
  expect(stripedPng(2048, 2048).length).toBeLessThan(5000);
});
