import { SecretMask } from '../../secrets/secret-mask.ts';
import { MOST_ID } from '../../wire/request-ids.ts';
import { CREDENTIAL_MASK } from '../credential.ts';

/** As much of a foreign text is searched, in UTF-16 units; what is kept of it is far less. */
const MOST_SEARCHED = 64 * 1024;
/** Code points of a foreign text that a row keeps, as in rows of the load engine. */
const MOST_KEPT = 300;
const MOST_DEPTH = 32;

/** Takes keys and tokens out of what a target wrote, for the fields of a row. */
export class KeyScrubber {
  readonly #mask: SecretMask;

  constructor(keys: readonly string[]) {
    this.#mask = new SecretMask(keys, CREDENTIAL_MASK);
  }

  /** A sentence without any of them, cut; null for none. */
  text(text: string | null | undefined): string | null {
    return cut(this.#mask.prose((text ?? '').slice(0, MOST_SEARCHED)));
  }

  /** An id without any of them, cut; null for none. */
  id(text: string | null | undefined): string | null {
    return cut(this.#mask.name((text ?? '').slice(0, MOST_SEARCHED)), MOST_ID);
  }

  /** A name or a code without any of them, cut; null for none. */
  name(text: string | null | undefined): string | null {
    return cut(this.#mask.name((text ?? '').slice(0, MOST_SEARCHED)));
  }

  /** True where a name repeats one of them. */
  holds(name: string): boolean {
    return this.#mask.name(name) !== name;
  }

  /** A JSON value without them in any of its names and texts. */
  json(value: unknown, depth = 0): unknown {
    if (typeof value === 'string') return this.#mask.name(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= MOST_DEPTH) return null;
    if (Array.isArray(value)) return value.map((item) => this.json(item, depth + 1));
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [this.#mask.name(name), this.json(member, depth + 1)]),
    );
  }
}

function cut(text: string, most = MOST_KEPT): string | null {
  return Array.from(text).slice(0, most).join('') || null;
}
