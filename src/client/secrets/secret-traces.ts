import { base64Core } from './secret-forms.ts';

const ESCAPE =
  /%[0-9a-fA-F]{2}|\\+u00[0-9a-fA-F]{2}|&(?:quot|amp|apos|lt|gt|#0{0,3}\d{1,3}|#[xX]0{0,3}[0-9a-fA-F]{1,2});/g;
const NAMED: Readonly<Record<string, string>> = { quot: '"', amp: '&', apos: "'", lt: '<', gt: '>' };
/** Deeper than any form that is replaced. */
const MOST_LAYERS = 6;

/**
 * Tells quickly that a text holds none of the secrets in any form, so that a page of hundreds of probes does not hold up
 * the clock of their runs: both sides are stripped of every escape and compared as they are.
 */
export class SecretTraces {
  readonly #plain: string[] = [];
  readonly #base64: string[] = [];
  readonly #hex: string[] = [];

  add(secret: string): void {
    this.#plain.push(secret, withoutEscapes(secret));
    this.#base64.push(...[0, 1, 2].map((offset) => base64Core(secret, offset)));
    this.#hex.push(Buffer.from(secret).toString('hex'));
  }

  /** May be true of a text without any; is never false of one with some. */
  mayStandIn(text: string): boolean {
    const bare = withoutEscapes(text);
    return this.#isSeenIn(bare) || (bare !== text && this.#isSeenIn(text));
  }

  #isSeenIn(text: string): boolean {
    if (this.#plain.some((trace) => text.includes(trace))) return true;
    const base64 = text.replaceAll('-', '+').replaceAll('_', '/');
    if (this.#base64.some((trace) => base64.includes(trace))) return true;
    const hex = text.toLowerCase();
    return this.#hex.some((trace) => hex.includes(trace));
  }
}

function withoutEscapes(text: string): string {
  let bare = text;
  for (let layer = 0; layer < MOST_LAYERS; layer += 1) {
    const next = bare.replaceAll(ESCAPE, unescaped);
    if (next === bare) break;
    bare = next;
  }
  return bare.replaceAll('\\', '');
}

function unescaped(found: string): string {
  if (found.startsWith('&')) {
    const name = found.slice(1, -1);
    const digits = name.replace(/^#[xX]?/, '');
    return NAMED[name] ?? String.fromCharCode(Number.parseInt(digits, /^#[xX]/.test(name) ? 16 : 10));
  }
  return String.fromCharCode(Number.parseInt(found.slice(-2), 16));
}
