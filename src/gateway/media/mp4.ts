import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { type StillVideo, stillVideo } from './h264.ts';

const FRAMES_PER_SECOND = 8;
const UNITY_MATRIX = u32(0x00010000, 0, 0, 0, 0x00010000, 0, 0, 0, 0x40000000);
const ZERO = (bytes: number): Buffer => Buffer.alloc(bytes);

/** A playable MP4 of that size and length, grey from start to end. Width and height must be even. */
export function stillMp4(width: number, height: number, seconds: number): Buffer {
  const video = stillVideo(width, height);
  const count = seconds * FRAMES_PER_SECOND;
  const samples = Array.from({ length: count }, (_, n) => withLength(n === 0 ? video.key : video.same(n)));
  const type = box('ftyp', Buffer.from('isom'), u32(0x200), Buffer.from('isomiso2avc1mp41'));
  const movie = (dataOffset: number): Buffer => movieBox(video, width, height, samples, dataOffset);
  // The size of moov does not depend on the offset it names.
  const dataOffset = type.length + movie(0).length + 8;
  return Buffer.concat([type, movie(dataOffset), box('mdat', ...samples)]);
}

function withLength(unit: Buffer): Buffer {
  return Buffer.concat([u32(unit.length), unit]);
}

function movieBox(
  video: StillVideo,
  width: number,
  height: number,
  samples: readonly Buffer[],
  dataOffset: number,
): Buffer {
  const length = samples.length;
  const header = fullBox(
    'mvhd',
    0,
    u32(0, 0, FRAMES_PER_SECOND, length, 0x00010000),
    u16(0x0100, 0),
    ZERO(8),
    UNITY_MATRIX,
    ZERO(24),
    u32(2),
  );
  const track = fullBox(
    'tkhd',
    3,
    u32(0, 0, 1, 0, length),
    ZERO(8),
    u16(0, 0, 0, 0),
    UNITY_MATRIX,
    u32(width * 65_536, height * 65_536),
  );
  const media = fullBox('mdhd', 0, u32(0, 0, FRAMES_PER_SECOND, length), u16(0x55c4, 0));
  const handler = fullBox('hdlr', 0, u32(0), Buffer.from('vide'), ZERO(12), Buffer.from('video\0'));
  const reference = box('dinf', fullBox('dref', 0, u32(1), fullBox('url ', 1)));
  const table = box(
    'stbl',
    fullBox('stsd', 0, u32(1), sampleEntry(video, width, height)),
    fullBox('stts', 0, u32(1, length, 1)),
    fullBox('stss', 0, u32(1, 1)),
    fullBox('stsc', 0, u32(1, 1, length, 1)),
    fullBox('stsz', 0, u32(0, length, ...samples.map((sample) => sample.length))),
    fullBox('stco', 0, u32(1, dataOffset)),
  );
  const information = box('minf', fullBox('vmhd', 1, ZERO(8)), reference, table);
  return box('moov', header, box('trak', track, box('mdia', media, handler, information)));
}

/** `avc1` with its decoder configuration (ISO/IEC 14496-15). */
function sampleEntry(video: StillVideo, width: number, height: number): Buffer {
  const profile = video.sequence.subarray(1, 4);
  const configuration = box(
    'avcC',
    Buffer.from([1, ...profile, 0xff, 0xe1]),
    u16(video.sequence.length),
    video.sequence,
    Buffer.from([1]),
    u16(video.picture.length),
    video.picture,
  );
  const look = [
    ZERO(6),
    u16(1),
    ZERO(16),
    u16(width, height),
    u32(0x00480000, 0x00480000, 0),
    u16(1),
    ZERO(32),
    u16(24, 0xffff),
  ];
  return box('avc1', ...look, configuration);
}

/** One box of ISO/IEC 14496-12: size, type, content. */
function box(type: string, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), ...content]);
  return Buffer.concat([u32(body.length + 4), body]);
}

/** A box with version 0 and 24 bits of flags. */
function fullBox(type: string, flags: number, ...content: readonly Buffer[]): Buffer {
  return box(type, u32(flags), ...content);
}

function u32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
}

function u16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  for (const [index, value] of values.entries()) bytes.writeUInt16BE(value, index * 2);
  return bytes;
}

export interface VideoFile {
  readonly bytes: Buffer;
  /** A strong entity tag, quotes included (RFC 9110 §8.8.3). */
  readonly etag: string;
}

const FILES = new Map<string, VideoFile>();

/** The MP4 of a size such as `1280x720` and a length, made once for all tasks. */
export function videoFile(size: string, seconds: number): VideoFile {
  const name = `${size} ${seconds}`;
  const held = FILES.get(name);
  if (held !== undefined) return held;
  const [width = 0, height = 0] = size.split('x').map(Number);
  const bytes = stillMp4(width, height, seconds);
  const made = { bytes, etag: `"${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}"` };
  FILES.set(name, made);
  return made;
}
