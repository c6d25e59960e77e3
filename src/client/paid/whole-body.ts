import { Buffer } from 'node:buffer';
import type { BodyReader } from './exchange.ts';

/** Gathers a body up to a limit; what is beyond it is not waited for. */
export class WholeBody implements BodyReader {
  readonly state = 'flowing';
  readonly #limit: number;
  readonly #chunks: Uint8Array[] = [];
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  take(chunk: Uint8Array): boolean {
    this.#size += chunk.length;
    this.#chunks.push(chunk);
    return this.#size <= this.#limit;
  }

  get isTooLarge(): boolean {
    return this.#size > this.#limit;
  }

  get limit(): number {
    return this.#limit;
  }

  /** At most the limit, as text. */
  text(): string {
    return Buffer.concat(this.#chunks).subarray(0, this.#limit).toString('utf8');
  }
}
