import { codePointsIn } from '../text/code-points.ts';
import { indexOfMatch } from '../wire/event-text.ts';

/** A string that was not kept: only how many code points it has. */
export class LongText {
  readonly chars: number;

  constructor(chars: number) {
    this.chars = chars;
  }
}

export interface Outline {
  /** What was kept of the document; undefined where the text is not one whole JSON value. */
  readonly value: unknown;
  /** True where parts that are asked for were left out for their number: counts over them are too small. */
  readonly cut: boolean;
}

/** Members whose text is counted and never kept: what a model was told and what it said. */
const COUNTED: ReadonlySet<string> = new Set([
  'content',
  'text',
  'refusal',
  'delta',
  'reasoning',
  'reasoning_content',
  'thinking',
  'arguments',
  'partial_json',
]);

const MOST_KEPT_CHARS = 1024;
const MOST_KEY_CHARS = 128;
const MOST_NODES = 2048;
/** Values inside usage objects have room of their own, since usage mostly stands behind the text. */
const MOST_USAGE_NODES = 512;
const MOST_DEPTH = 256;
/** Short texts at the top, or in an object there, are kept whatever their name: one may be the id of the request. */
const ID_DEPTH = 2;
const MOST_UNNAMED = 64;
const USAGE = 'usage';

interface Frame {
  /** What its members are put into; null where nothing of it is kept. */
  readonly into: Record<string, unknown> | unknown[] | null;
  readonly isArray: boolean;
  readonly inUsage: boolean;
  key: string;
  expects: 'key' | 'colon' | 'value' | 'next';
}

type Token = 'none' | 'string' | 'escape' | 'word';

const STRING_MARK = /["\\]/g;
const WORD_END = /[^\w.+-]/g;

/**
 * Reads a JSON text in pieces and keeps of it the members that are asked for, without holding the text: a
 * body of many
 * megabytes takes as much memory as its outline. Everything inside a `usage` member is kept, other long
 * strings and all
 * generated text become a `LongText`.
 */
export class JsonOutline {
  readonly #wanted: ReadonlySet<string>;
  readonly #stack: Frame[] = [];
  #value: unknown;
  #done = false;
  #broken = false;
  #cut = false;
  #nodes = 0;
  #usageNodes = 0;
  #unnamed = 0;
  #token: Token = 'none';
  /** The raw text of the string or word at hand, where it is kept. */
  #raw = '';
  #keepsRaw = true;
  #chars = 0;
  #escapeLeft = 0;
  #isKey = false;
  /** Of a `\u` escape at hand; and whether the last one was the first half of a pair. */
  #digits = '';
  #afterHigh = false;

  constructor(wanted: ReadonlySet<string>) {
    this.#wanted = wanted;
  }

  feed(text: string): void {
    let at = 0;
    while (at < text.length && !this.#broken) {
      if (this.#token === 'string') at = this.#inString(text, at);
      else if (this.#token === 'escape') at = this.#inEscape(text, at);
      else if (this.#token === 'word') at = this.#inWord(text, at);
      else at = this.#structure(text, at);
    }
  }

  end(): Outline {
    if (this.#token === 'word') this.#endWord();
    const whole = this.#done && !this.#broken && this.#stack.length === 0 && this.#token === 'none';
    return { value: whole ? this.#value : undefined, cut: this.#cut };
  }

  #structure(text: string, at: number): number {
    const char = text.charAt(at);
    const frame = this.#stack.at(-1);
    switch (char) {
      case ' ':
      case '\n':
      case '\r':
      case '\t':
        return at + 1;
      case '{':
      case '[':
        this.#open(char === '[');
        return at + 1;
      case '}':
      case ']':
        this.#close(char === ']');
        return at + 1;
      case ',':
        if (frame?.expects !== 'next') this.#broken = true;
        else frame.expects = frame.isArray ? 'value' : 'key';
        return at + 1;
      case ':':
        if (frame?.expects !== 'colon') this.#broken = true;
        else frame.expects = 'value';
        return at + 1;
      case '"':
        this.#startString(frame);
        return at + 1;
      default:
        this.#token = 'word';
        this.#raw = '';
        return at;
    }
  }

  #startString(frame: Frame | undefined): void {
    this.#isKey = frame?.expects === 'key';
    this.#token = 'string';
    this.#raw = '';
    this.#chars = 0;
    this.#afterHigh = false;
    this.#keepsRaw =
      this.#isKey ||
      ((this.#wants(frame) || this.#mayHoldId(frame)) &&
        !(frame?.isArray !== true && COUNTED.has(frame?.key ?? '')));
  }

  #inString(text: string, at: number): number {
    const mark = indexOfMatch(STRING_MARK, text, at);
    const end = mark < 0 ? text.length : mark;
    this.#take(text, at, end);
    if (mark < 0) return end;
    if (text.charAt(mark) === '"') {
      this.#endString();
    } else {
      this.#token = 'escape';
      this.#escapeLeft = 1;
      if (this.#keepsRaw) this.#raw += '\\';
    }
    return end + 1;
  }

  /** The character behind a backslash, and the four digits behind `\u`. */
  #inEscape(text: string, at: number): number {
    const char = text.charAt(at);
    if (this.#keepsRaw) this.#raw += char;
    if (this.#escapeLeft === 1 && char === 'u') {
      this.#escapeLeft = 5;
      this.#digits = '';
    } else if (this.#escapeLeft > 1 || this.#digits !== '') {
      this.#digits += char;
    }
    this.#escapeLeft -= 1;
    if (this.#escapeLeft === 0) this.#endEscape();
    return at + 1;
  }

  /** The second half of a pair counts with the first. */
  #endEscape(): void {
    this.#token = 'string';
    const isLow = /^d[c-f]/i.test(this.#digits);
    if (!(isLow && this.#afterHigh)) this.#chars += 1;
    this.#afterHigh = /^d[89ab]/i.test(this.#digits);
    this.#digits = '';
    this.#bound();
  }

  #take(text: string, from: number, to: number): void {
    if (from === to) return;
    this.#afterHigh = false;
    const part = text.slice(from, to);
    this.#chars += codePointsIn(part);
    if (!this.#keepsRaw) return;
    this.#raw += part;
    this.#bound();
  }

  #bound(): void {
    if (this.#raw.length <= (this.#isKey ? MOST_KEY_CHARS : MOST_KEPT_CHARS)) return;
    this.#keepsRaw = false;
    this.#raw = '';
  }

  #endString(): void {
    this.#token = 'none';
    const kept = this.#keepsRaw ? unquoted(this.#raw) : null;
    if (this.#keepsRaw && kept === null) this.#broken = true;
    const frame = this.#stack.at(-1);
    if (this.#isKey && frame !== undefined) {
      frame.key = kept ?? '';
      frame.expects = 'colon';
      return;
    }
    this.#put(kept ?? new LongText(this.#chars));
  }

  #inWord(text: string, at: number): number {
    const found = indexOfMatch(WORD_END, text, at);
    const end = found < 0 ? text.length : found;
    this.#raw += text.slice(at, end);
    if (this.#raw.length > 64) this.#broken = true;
    if (end < text.length) this.#endWord();
    return end;
  }

  #endWord(): void {
    this.#token = 'none';
    const value = wordOf(this.#raw);
    if (value === undefined) this.#broken = true;
    else this.#put(value);
  }

  #open(isArray: boolean): void {
    const parent = this.#stack.at(-1);
    if (this.#stack.length >= MOST_DEPTH || (parent !== undefined && parent.expects !== 'value')) {
      this.#broken = true;
      return;
    }
    const inUsage = parent?.inUsage === true || (parent?.isArray === false && parent.key === USAGE);
    const kept = this.#wants(parent) && this.#hasRoom(inUsage);
    const into: Frame['into'] = kept ? (isArray ? [] : {}) : null;
    if (kept) this.#place(into);
    if (parent === undefined && this.#done) this.#broken = true;
    this.#stack.push({ into, isArray, inUsage, key: '', expects: isArray ? 'value' : 'key' });
  }

  #close(isArray: boolean): void {
    const frame = this.#stack.pop();
    if (frame === undefined || frame.isArray !== isArray || frame.expects === 'colon') {
      this.#broken = true;
      return;
    }
    this.#closed();
  }

  /** A value has come to its end: what holds it goes on. */
  #closed(): void {
    const parent = this.#stack.at(-1);
    if (parent === undefined) this.#done = true;
    else parent.expects = 'next';
  }

  #put(value: unknown): void {
    const frame = this.#stack.at(-1);
    if (frame === undefined ? this.#done : frame.expects !== 'value') {
      this.#broken = true;
      return;
    }
    if (this.#wants(frame) && (!(frame?.isArray ?? false) || this.#hasRoom(frame?.inUsage ?? false)))
      this.#place(value);
    else if (typeof value === 'string' && this.#mayHoldId(frame)) {
      this.#unnamed += 1;
      this.#place(value);
    }
    this.#closed();
  }

  #place(value: unknown): void {
    const frame = this.#stack.at(-1);
    if (frame === undefined) this.#value = value;
    else if (Array.isArray(frame.into)) frame.into.push(value);
    // A member of this name would set the prototype.
    else if (frame.into !== null && frame.key !== '__proto__') frame.into[frame.key] = value;
  }

  #wants(frame: Frame | undefined): boolean {
    if (frame === undefined) return true;
    if (frame.into === null) return false;
    return frame.isArray || frame.inUsage || this.#wanted.has(frame.key);
  }

  #mayHoldId(frame: Frame | undefined): boolean {
    if (frame === undefined || frame.isArray || frame.into === null) return false;
    return this.#stack.length <= ID_DEPTH && this.#unnamed < MOST_UNNAMED;
  }

  #hasRoom(inUsage: boolean): boolean {
    if (inUsage) return ++this.#usageNodes <= MOST_USAGE_NODES;
    if (++this.#nodes <= MOST_NODES) return true;
    this.#cut = true;
    return false;
  }
}

function unquoted(raw: string): string | null {
  if (!raw.includes('\\')) return raw;
  try {
    const text: unknown = JSON.parse(`"${raw}"`);
    return typeof text === 'string' ? text : null;
  } catch {
    return null;
  }
}

function wordOf(raw: string): unknown {
  try {
    const value: unknown = JSON.parse(raw);
    return value;
  } catch {
    return undefined;
  }
}
