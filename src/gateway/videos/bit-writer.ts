import { Buffer } from 'node:buffer';

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
