import { createHash } from 'node:crypto';
import type { BodyReader } from './exchange.ts';
import { MediaCheck } from './media-check.ts';

/** The largest image or video that is fetched, bytes. */
const MOST_BYTES = 2 * 1024 * 1024 * 1024;

/** Counts, hashes and checks a fetched image or video, and keeps none of it. */
export class MediaBody implements BodyReader {
  readonly state = 'flowing';
  readonly check = new MediaCheck();
  readonly #hash = createHash('sha256');

  take(chunk: Uint8Array): boolean {
    this.check.feed(chunk);
    this.#hash.update(chunk);
    return this.check.facts().bytes <= MOST_BYTES;
  }

  get isTooLarge(): boolean {
    return this.check.facts().bytes > MOST_BYTES;
  }

  /** Hex; for a body that came whole. */
  sha256(): string {
    return this.#hash.digest('hex');
  }
}
