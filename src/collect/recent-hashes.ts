import type { ContentHash } from './content-digest.ts';

/**
 * Remembers by 64 bits at least the last `generation` contents, in two tables of which the older is given up when the
 * younger is full: the memory of a walk does not grow with its records. What came before is only seen by the totals.
 */
export class RecentHashes {
  readonly #generation: number;
  #young = new HashTable();
  #old = new HashTable();

  constructor(generation = 1 << 19) {
    this.#generation = generation;
  }

  has([high, low]: ContentHash): boolean {
    return this.#young.has(high, low) || this.#old.has(high, low);
  }

  add([high, low]: ContentHash): void {
    if (this.#young.size >= this.#generation) {
      this.#old = this.#young;
      this.#young = new HashTable();
    }
    this.#young.add(high, low);
  }
}

/** Open addressing over pairs of 32 bits; a pair of zeros marks an empty place. */
class HashTable {
  #places = 1 << 10;
  #pairs = new Uint32Array(this.#places * 2);
  size = 0;

  has(high: number, low: number): boolean {
    return this.#find(high, low).held;
  }

  add(high: number, low: number): void {
    const { at, held } = this.#find(high, low);
    if (held) return;
    this.#pairs[at] = high;
    this.#pairs[at + 1] = lowOf(high, low);
    this.size += 1;
    if (this.size * 2 > this.#places) this.#grow();
  }

  #find(high: number, low: number): { readonly at: number; readonly held: boolean } {
    const wanted = lowOf(high, low);
    let place = high & (this.#places - 1);
    for (;;) {
      const at = place * 2;
      if (this.#pairs[at] === 0 && this.#pairs[at + 1] === 0) return { at, held: false };
      if (this.#pairs[at] === high && this.#pairs[at + 1] === wanted) return { at, held: true };
      place = (place + 1) & (this.#places - 1);
    }
  }

  #grow(): void {
    const before = this.#pairs;
    this.#places *= 2;
    this.#pairs = new Uint32Array(this.#places * 2);
    this.size = 0;
    for (let at = 0; at < before.length; at += 2) {
      const [high = 0, low = 0] = [before[at], before[at + 1]];
      if (high !== 0 || low !== 0) this.add(high, low);
    }
  }
}

function lowOf(high: number, low: number): number {
  return high === 0 && low === 0 ? 1 : low;
}
