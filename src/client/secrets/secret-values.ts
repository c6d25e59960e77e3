import { secretForms } from './secret-forms.ts';
import { SecretTraces } from './secret-traces.ts';

/** What is shorter stands in texts by chance, encoded above all. */
export const SHORTEST_SECRET = 8;

/**
 * Secrets that this process has loaded, so that none leaves it in a text. It only grows: a key that was replaced may
 * still stand in an error that comes late.
 */
export class SecretValues {
  readonly #mask: string;
  readonly #values = new Set<string>();
  readonly #traces = new SecretTraces();
  #pattern: RegExp | null = null;

  constructor(mask = '***') {
    this.#mask = mask;
  }

  add(secret: string): void {
    if (secret === '' || this.#values.has(secret)) return;
    this.#values.add(secret);
    this.#traces.add(secret);
    // The longer first: one may begin another.
    const forms = [...this.#values].sort((left, right) => right.length - left.length).map(secretForms);
    this.#pattern = new RegExp(forms.join('|'), 'g');
  }

  /** The text with each of them replaced, plain, escaped, URL-encoded, in hex or in base64. */
  mask(text: string): string {
    if (this.#pattern === null || !this.#traces.mayStandIn(text)) return text;
    return text.replace(this.#pattern, this.#mask);
  }

  /** Printing or inspecting shows none of them. */
  toJSON(): string {
    return `${this.#values.size} secrets`;
  }
}
