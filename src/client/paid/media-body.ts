import { createHash } from 'node:crypto';
import type { BodyReader } from './exchange.ts';
import { MediaCheck } from './media-check.ts';

/** Counts, hashes and checks a fetched image or video, and keeps none of it. */
export class MediaBody implements BodyReader {
  readonly state = 'flowing';
  readonly check = new MediaCheck();
  /** The largest that is fetched, bytes. */
  readonly limit: number;
  readonly #hash = createHash('sha256');

  constructor(limit: number) {
    this.limit = limit;
  }

  take(chunk: Uint8Array): boolean {
    this.check.feed(chunk);
    this.#hash.update(chunk);
    return this.check.facts().bytes <= this.limit;
  }

  get isTooLarge(): boolean {
    return this.check.facts().bytes > this.limit;
  }

  /** Hex; for a body that came whole. */
  sha256(): string {
    return this.#hash.digest('hex');
  }
}
