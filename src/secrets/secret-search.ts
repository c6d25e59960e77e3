import { withoutEscapes } from './escape-layers.ts';
import { KEY_PREFIX, LEAST_BEGINNING, LEAST_ENCODED, LEAST_PREFIXED_BEGINNING } from './secret-forms.ts';

/** Where something stands in a text, the end not in it. */
export interface FoundSpan {
  readonly start: number;
  readonly end: number;
}

const IS_PART_OF_WORD = /[0-9A-Za-z]/;
const IS_BASE64 = /[0-9A-Za-z+/_-]/;

/** A text as encodings are compared: hexadecimal in small letters, base64 with `+` and `/`. */
export class Reading {
  readonly text: string;
  #lower: string | null = null;
  #base64: string | null = null;

  constructor(text: string) {
    this.text = text;
  }

  get hex(): string {
    this.#lower ??= lowerOf(this.text);
    return this.#lower;
  }

  get base64(): string {
    this.#base64 ??= this.text.replaceAll('-', '+').replaceAll('_', '/');
    return this.#base64;
  }
}

/** One way of writing a secret. */
interface Form {
  readonly in: 'text' | 'hex' | 'base64';
  readonly form: string;
  /** Characters at its ends that carry bits of its neighbours too. */
  readonly before: number;
  readonly after: number;
  /** What counts as its beginning. */
  readonly least: number;
}

/** A secret of visible ASCII, as it is sought. */
export class SecretSearch {
  readonly #secret: string;
  readonly #forms: readonly Form[];
  /** Forms of what stands behind the prefix: where none of them stands, no other does. */
  readonly #cores: readonly Form[];

  constructor(secret: string) {
    this.#secret = secret;
    const core = secret.startsWith(KEY_PREFIX) ? secret.slice(KEY_PREFIX.length) : secret;
    this.#cores = core.length < LEAST_ENCODED ? [] : formsOf(core);
    this.#forms =
      core === secret || this.#cores.length === 0 ? this.#cores : [...formsOf(secret), ...this.#cores];
  }

  get isShort(): boolean {
    return this.#forms.length === 0;
  }

  /** It may be any word. */
  get isWord(): boolean {
    return this.isShort && !this.#secret.startsWith(KEY_PREFIX);
  }

  isIn(reading: Reading): boolean {
    return this.#cores.some((form) => reading[form.in].includes(form.form));
  }

  /** Where it stands in one of its forms, in no order. */
  *spans(reading: Reading): Generator<FoundSpan> {
    for (const { in: where, form, before, after } of this.#forms) {
      const text = reading[where];
      for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) {
        const end = at + form.length;
        yield {
          start: before > 0 && IS_BASE64.test(text.charAt(at - 1)) ? at - before : at,
          end: after > 0 && IS_BASE64.test(text.charAt(end)) ? end + after : end,
        };
      }
    }
  }

  /** From where on the text ends with the beginning of a form; null where it does not. */
  beginning(reading: Reading): number | null {
    const starts = this.#forms.flatMap(({ in: where, form, least, before }) => {
      const from = Math.max(0, reading.text.length - form.length + 1);
      const tail = reading[where].slice(from);
      const head = form.slice(0, least);
      for (let at = tail.indexOf(head); at >= 0; at = tail.indexOf(head, at + 1))
        if (form.startsWith(tail.slice(at))) return [Math.max(0, from + at - before)];
      return [];
    });
    return starts.length === 0 ? null : Math.min(...starts);
  }

  /** Where a short one stands alone. */
  *words(text: string): Generator<FoundSpan> {
    const length = this.#secret.length;
    for (let at = text.indexOf(this.#secret); at >= 0; at = text.indexOf(this.#secret, at + 1)) {
      const end = at + length;
      const isEscape = /\\[bfnrt]$/.test(text.slice(Math.max(0, at - 2), at));
      if ((isEscape || !IS_PART_OF_WORD.test(text.charAt(at - 1))) && !IS_PART_OF_WORD.test(text.charAt(end)))
        yield { start: at, end };
    }
  }
}

function formsOf(secret: string): Form[] {
  const plain = { in: 'text', before: 0, after: 0 } as const;
  const least = secret.startsWith(KEY_PREFIX) ? LEAST_PREFIXED_BEGINNING : LEAST_BEGINNING;
  const forms: Form[] = [...readingsOf(secret)].map((form) => ({ ...plain, form, least }));
  forms.push({ in: 'hex', form: hexOf(secret), before: 0, after: 0, least: LEAST_BEGINNING });
  for (const offset of [0, 1, 2]) {
    const form = base64Of(secret, offset);
    forms.push({
      in: /[+/]/.test(form) ? 'base64' : 'text',
      form,
      before: offset === 0 ? 0 : 1,
      after: (offset + secret.length) % 3 === 0 ? 0 : 1,
      least: LEAST_BEGINNING,
    });
  }
  return forms;
}

/** It may hold what looks like an escape, which is taken off with the others. */
function readingsOf(secret: string): ReadonlySet<string> {
  const readings = new Set<string>();
  // The blank at its end: it was not cut.
  const next = (reading: string): string => withoutEscapes(`${reading} `).slice(0, -1);
  for (
    let reading = secret;
    reading.length >= LEAST_BEGINNING && !readings.has(reading);
    reading = next(reading)
  )
    readings.add(reading);
  return readings;
}

/** As long as the text: some letters are longer in small. */
function lowerOf(text: string): string {
  const lower = text.toLowerCase();
  return lower.length === text.length ? lower : text.replaceAll(/[A-F]/g, (letter) => letter.toLowerCase());
}

function hexOf(secret: string): string {
  return [...secret].map((char) => char.charCodeAt(0).toString(16).padStart(2, '0')).join('');
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** The characters of base64 that the secret alone decides where it begins so many bytes behind the start of a group. */
function base64Of(secret: string, offset: number): string {
  const bits = [...secret].map((char) => char.charCodeAt(0).toString(2).padStart(8, '0')).join('');
  const sextets = bits.slice((6 - ((offset * 8) % 6)) % 6).match(/.{6}/g) ?? [];
  return sextets.map((sextet) => ALPHABET.charAt(Number.parseInt(sextet, 2))).join('');
}
