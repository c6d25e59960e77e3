import { hash } from 'node:crypto';

/** 128 bits of SHA-256, as four lanes. */
export type ContentHash = readonly [number, number, number, number];

export function contentHash(text: string): ContentHash {
  const bytes = hash('sha256', text, 'buffer');
  return [bytes.readUInt32LE(0), bytes.readUInt32LE(4), bytes.readUInt32LE(8), bytes.readUInt32LE(12)];
}

/**
 * The content of a set of records in whatever order, each as often as it was added: sums of hashes, lane by lane. Two
 * walks that served the same records have the same text; no list of records is kept for it.
 */
export class ContentDigest {
  readonly #lanes = new Uint32Array(4);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(content: ContentHash): void {
    this.#count += 1;
    // The lanes wrap at 32 bits by themselves.
    content.forEach((lane, index) => {
      this.#lanes[index] = (this.#lanes[index] ?? 0) + lane;
    });
  }

  text(): string {
    return `${this.#count}:${[...this.#lanes].map((lane) => lane.toString(16).padStart(8, '0')).join('')}`;
  }
}
