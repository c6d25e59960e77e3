import { expect, test } from 'vitest';
import { BitWriter } from './h264.ts';
import { stillMp4 } from './mp4.ts';

/** Boxes at one level: type, content and where the content starts. */
function boxes(bytes: Buffer, base = 0): { type: string; body: Buffer; at: number }[] {
  const found: { type: string; body: Buffer; at: number }[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const size = bytes.readUInt32BE(offset);
    expect(size).toBeGreaterThanOrEqual(8);
    const body = bytes.subarray(offset + 8, offset + size);
    found.push({ type: bytes.toString('latin1', offset + 4, offset + 8), body, at: base + offset + 8 });
    offset += size;
  }
  return found;
}

function inside(bytes: Buffer, ...path: readonly string[]): Buffer {
  return path.reduce((held, type) => {
    const child = boxes(held).find((candidate) => candidate.type === type);
    if (child === undefined) throw new Error(`no ${type} in ${path.join('/')}`);
    return child.body;
  }, bytes);
}

test('the file is ftyp, moov, mdat, and its tables name exactly the samples in mdat', () => {
  const file = stillMp4(1280, 720, 4);
  const top = boxes(file);
  expect(top.map(({ type }) => type)).toEqual(['ftyp', 'moov', 'mdat']);
  const media = top[2];
  const table = (name: string): Buffer => inside(file, 'moov', 'trak', 'mdia', 'minf', 'stbl', name);
  const sizes = table('stsz');
  const count = sizes.readUInt32BE(8);
  const lengths = Array.from({ length: count }, (_, index) => sizes.readUInt32BE(12 + 4 * index));
  expect(lengths.reduce((left, right) => left + right, 0)).toBe(media?.body.length);
  expect(table('stco').readUInt32BE(8)).toBe(media?.at);
  expect(table('stts').readUInt32BE(8)).toBe(count);
});

test('length and size are what was asked for', () => {
  const file = stillMp4(1920, 1080, 8);
  const header = inside(file, 'moov', 'mvhd');
  expect(header.readUInt32BE(16) / header.readUInt32BE(12)).toBe(8);
  const track = inside(file, 'moov', 'trak', 'tkhd');
  expect([track.readUInt32BE(76) >>> 16, track.readUInt32BE(80) >>> 16]).toEqual([1920, 1080]);
});

test('Exp-Golomb codes as in ITU-T H.264, table 9-2', () => {
  const bits = (write: (writer: BitWriter) => unknown): string => {
    const writer = new BitWriter();
    write(writer);
    const text = [...writer.trailing()].map((byte) => byte.toString(2).padStart(8, '0')).join('');
    return text.slice(0, text.lastIndexOf('1'));
  };
  expect([0, 1, 2, 3, 4, 8].map((value) => bits((writer) => writer.ue(value)))).toEqual([
    '1',
    '010',
    '011',
    '00100',
    '00101',
    '0001001',
  ]);
  expect([0, 1, -1, 2, -2].map((value) => bits((writer) => writer.se(value)))).toEqual([
    '1',
    '010',
    '011',
    '00100',
    '00101',
  ]);
});
