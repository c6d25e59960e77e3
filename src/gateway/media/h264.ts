import { Buffer } from 'node:buffer';

const BASELINE = 66;
/** constraint_set0 and 1: constrained baseline. */
const CONSTRAINTS = 0xc0;
const LEVEL_4 = 40;
const MACROBLOCK = 16;
const NAL = { slice: 0x41, idr: 0x65, sequence: 0x67, picture: 0x68 } as const;
const SLICE = { p: 5, i: 7 } as const;
/** I_16x16 with DC prediction and no coefficients: a plain grey block. */
const GREY_MACROBLOCK = 3;

/** Parameter sets and frames of a still grey H.264 video. */
export interface StillVideo {
  readonly sequence: Buffer;
  readonly picture: Buffer;
  /** The first frame. */
  readonly key: Buffer;
  /** Frame n > 0: nothing has changed. */
  same(n: number): Buffer;
}

export function stillVideo(width: number, height: number): StillVideo {
  const columns = Math.ceil(width / MACROBLOCK);
  const rows = Math.ceil(height / MACROBLOCK);
  const blocks = columns * rows;
  return {
    sequence: sequenceSet(columns, rows, width, height),
    picture: pictureSet(),
    key: keyFrame(blocks),
    same: (n) => skippedFrame(blocks, n),
  };
}

function sequenceSet(columns: number, rows: number, width: number, height: number): Buffer {
  const bits = new BitWriter().bits(BASELINE, 8).bits(CONSTRAINTS, 8).bits(LEVEL_4, 8);
  // id, frame_num of 4 bits, output order is decoding order, one reference frame.
  bits.ue(0).ue(0).ue(2).ue(1).bits(0, 1);
  bits.ue(columns - 1).ue(rows - 1);
  // frames only, direct_8x8_inference
  bits.bits(1, 1).bits(1, 1);
  const right = (columns * MACROBLOCK - width) / 2;
  const bottom = (rows * MACROBLOCK - height) / 2;
  if (right > 0 || bottom > 0) bits.bits(1, 1).ue(0).ue(right).ue(0).ue(bottom);
  else bits.bits(0, 1);
  return nal(NAL.sequence, bits.bits(0, 1).trailing());
}

function pictureSet(): Buffer {
  const bits = new BitWriter().ue(0).ue(0).bits(0, 2).ue(0).ue(0).ue(0).bits(0, 3).se(0).se(0).se(0);
  // The deblocking filter is controlled in the slice: off.
  return nal(NAL.picture, bits.bits(1, 1).bits(0, 2).trailing());
}

function keyFrame(blocks: number): Buffer {
  const bits = new BitWriter().ue(0).ue(SLICE.i).ue(0).bits(0, 4).ue(0);
  bits.bits(0, 2).se(0).ue(1);
  // Per block: its type, chroma DC prediction, no change of the quantiser, no luma coefficients.
  for (let block = 0; block < blocks; block += 1) bits.ue(GREY_MACROBLOCK).ue(0).se(0).bits(1, 1);
  return nal(NAL.idr, bits.trailing());
}

function skippedFrame(blocks: number, n: number): Buffer {
  const bits = new BitWriter()
    .ue(0)
    .ue(SLICE.p)
    .ue(0)
    .bits(n % 16, 4);
  bits.bits(0, 3).se(0).ue(1);
  return nal(NAL.slice, bits.ue(blocks).trailing());
}

/** Two zero bytes before a byte of 0 to 3 are kept apart by a 3 (7.4.1). */
function nal(type: number, payload: Buffer): Buffer {
  const bytes = [type];
  let zeros = 0;
  for (const byte of payload) {
    if (zeros >= 2 && byte <= 3) {
      bytes.push(3);
      zeros = 0;
    }
    bytes.push(byte);
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return Buffer.from(bytes);
}

/** Writes the bit fields of H.264 syntax (ITU-T H.264, 7.2 and 9.1). */
export class BitWriter {
  readonly #bytes: number[] = [];
  #held = 0;
  #count = 0;

  bits(value: number, width: number): this {
    for (let bit = width - 1; bit >= 0; bit -= 1) {
      this.#held = (this.#held << 1) | ((value >>> bit) & 1);
      this.#count += 1;
      if (this.#count === 8) {
        this.#bytes.push(this.#held);
        this.#held = 0;
        this.#count = 0;
      }
    }
    return this;
  }

  /** Unsigned Exp-Golomb. */
  ue(value: number): this {
    const width = 32 - Math.clz32(value + 1);
    return this.bits(0, width - 1).bits(value + 1, width);
  }

  /** Signed Exp-Golomb. */
  se(value: number): this {
    return this.ue(value > 0 ? 2 * value - 1 : -2 * value);
  }

  /** Ends with the stop bit, filled up to a byte. */
  trailing(): Buffer {
    this.bits(1, 1);
    while (this.#count !== 0) this.bits(0, 1);
    return Buffer.from(this.#bytes);
  }
}
