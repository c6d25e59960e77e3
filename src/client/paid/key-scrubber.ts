import { Buffer } from 'node:buffer';
import { base64Core } from '../secrets/secret-forms.ts';
import { SecretValues, SHORTEST_SECRET } from '../secrets/secret-values.ts';

const MASK = '[credential]';
/** As much of a foreign text is searched, in UTF-16 units; what is kept of it is far less. */
const MOST_SEARCHED = 64 * 1024;
/** Code points of a foreign text that a row keeps, as in rows of the load engine. */
const MOST_KEPT = 300;
/** A text cut inside a key ends with its beginning: so much of it is taken for that. */
const LEAST_BEGINNING = 4;
const MOST_DEPTH = 32;

/** Takes keys and tokens out of what a target wrote, in each form in which it may stand there. */
export class KeyScrubber {
  /** Texts that a cut answer may end with the beginning of. */
  readonly #forms: readonly string[];
  readonly #encoded = new SecretValues(MASK);

  constructor(keys: readonly string[]) {
    const known = [...new Set(keys)].filter((key) => key !== '');
    // The longest first: a form may hold a shorter one.
    this.#forms = [...new Set(known.flatMap(formsOf))].sort((a, b) => b.length - a.length);
    for (const key of known) if (key.length >= SHORTEST_SECRET) this.#encoded.add(key);
  }

  /** The text without any of them, cut; null for none. */
  text(text: string | null | undefined): string | null {
    const clean = this.#withoutForms((text ?? '').slice(0, MOST_SEARCHED));
    return Array.from(clean).slice(0, MOST_KEPT).join('') || null;
  }

  /** True where the text repeats one of them. */
  holds(text: string): boolean {
    return this.#withoutWhole(text) !== text;
  }

  /** A JSON value without them in any of its names and texts. */
  json(value: unknown, depth = 0): unknown {
    if (typeof value === 'string') return this.#withoutForms(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= MOST_DEPTH) return null;
    if (Array.isArray(value)) return value.map((item) => this.json(item, depth + 1));
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [this.#withoutForms(name), this.json(member, depth + 1)]),
    );
  }

  #withoutForms(text: string): string {
    const clean = this.#withoutWhole(text);
    return clean.slice(0, clean.length - this.#beginningAtEnd(clean));
  }

  #withoutWhole(text: string): string {
    return this.#forms.reduce((safe, form) => safe.replaceAll(form, MASK), this.#encoded.mask(text));
  }

  /** How many units at the end of a text are the beginning of a key. */
  #beginningAtEnd(text: string): number {
    let longest = 0;
    for (const form of this.#forms) {
      for (let size = Math.min(form.length - 1, text.length); size >= LEAST_BEGINNING; size -= 1) {
        if (!text.endsWith(form.slice(0, size))) continue;
        longest = Math.max(longest, size);
        break;
      }
    }
    return longest;
  }
}

function formsOf(key: string): readonly string[] {
  const bytes = Buffer.from(key, 'utf8');
  const hex = bytes.toString('hex');
  const forms = [
    JSON.stringify(key).slice(1, -1),
    encodeURIComponent(key),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    // As in `Bearer …` or `user:…`, wherever the key begins in a group of three bytes.
    base64Core(key, 1),
    base64Core(key, 2),
    hex,
    hex.toUpperCase(),
  ];
  return [key, ...forms.filter((form) => form.length >= SHORTEST_SECRET)];
}
