import { Buffer } from 'node:buffer';
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export const LINK_LIFE_S = 3600;

/** Signs result links, which work without a credential for an hour. */
export class LinkSigner {
  readonly #secret: Buffer;

  /** Links of a signer with the same secret are valid here too. */
  constructor(secret: Buffer = randomBytes(32)) {
    this.#secret = secret;
  }

  /** Path and query of a link that works until `exp`, Unix seconds. */
  sign(path: string, exp: number): string {
    return `${path}?exp=${exp}&sig=${this.#signature(path, exp)}`;
  }

  verify(path: string, exp: number, signature: string, now_s: number): boolean {
    const wanted = Buffer.from(this.#signature(path, exp));
    const given = Buffer.from(signature);
    return now_s < exp && given.length === wanted.length && timingSafeEqual(given, wanted);
  }

  #signature(path: string, exp: number): string {
    return createHmac('sha256', this.#secret).update(`${path} ${exp}`).digest('base64url');
  }
}
