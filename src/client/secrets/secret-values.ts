import { SecretMask } from '../../secrets/secret-mask.ts';

/** What is shorter could not be told from the words around it. */
export const SHORTEST_SECRET = 8;

/**
 * Secrets that this process has loaded, so that none leaves it in a text. It only grows: a key that was replaced may
 * still stand in an error that comes late.
 */
export class SecretValues {
  readonly #values = new Set<string>();
  #mask = new SecretMask([], '***');

  add(secret: string): void {
    if (secret === '' || this.#values.has(secret)) return;
    this.#values.add(secret);
    this.#mask = new SecretMask(this.#values, '***');
  }

  /** A line or page of ours without any of them. What of it came from a target was without them before. */
  mask(text: string): string {
    return this.#mask.name(text);
  }

  /** Printing or inspecting shows none of them. */
  toJSON(): string {
    return `${this.#values.size} secrets`;
  }
}
