import type { SeededRandom } from '../../core/seeded-random.ts';

/** 64 bits as two halves. */
export interface Hash {
  readonly high: number;
  readonly low: number;
}

/** Spreads text over 64 bits with 32-bit arithmetic alone: quick, and not for secrets. Continues from `from`. */
export function hashText(text: string, from: Hash = START): Hash {
  let { high, low } = from;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 2_654_435_761);
    low = Math.imul(low ^ unit, 1_597_334_677);
    // Without it the upper bits of a unit would never reach the lower bits of the hash.
    high = (high << 13) | (high >>> 19);
    low = (low << 17) | (low >>> 15);
  }
  return {
    high: mix32(high ^ Math.imul(low, 2_246_822_507)),
    low: mix32(low ^ Math.imul(high, 3_266_489_909)),
  };
}

const START: Hash = { high: 0x2545f491, low: 0x4f6cdd1d };

/** Bijective mixing of 32 bits (the finaliser of MurmurHash3); the result is an unsigned integer. */
export function mix32(value: number): number {
  let mixed = value;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

const WARM_UP = 12;

/**
 * sfc32: a small fast generator of 32-bit numbers, for texts and times. Fault decisions have the generator of core,
 * whose 64-bit arithmetic would cost a call more than all the rest of it.
 */
export class QuickRandom implements SeededRandom {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  /** `purpose` keeps draws for different ends apart. */
  constructor({ high, low }: Hash, purpose: number) {
    this.#a = high | 0;
    this.#b = low | 0;
    this.#c = purpose | 0;
    for (let round = 0; round < WARM_UP; round += 1) this.#draw();
  }

  next(): number {
    return this.#draw() / 4_294_967_296;
  }

  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  #draw(): number {
    const drawn = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + drawn) | 0;
    return drawn >>> 0;
  }
}
