import { Buffer } from 'node:buffer';

/** The members of a body that make its prompt, in the order in which a model reads them. */
const PARTS: readonly string[] = ['tools', 'system', 'instructions', 'messages', 'input', 'prompt'];

/** Where a client asks for a cache: it moves from turn to turn and is no part of what is said. */
const MARK = 'cache_control';
const MOST_DEPTH = 64;

/** The prompt's parts as JSON without white space and marks, a list by its entries; null where there are none. */
export function promptUnits(body: Uint8Array): readonly Buffer[] | null {
  const reader = new Reader(body);
  const found = PARTS.map((): Buffer[] => []);
  let any = false;
  const whole = reader.members((name) => {
    const units = found[PARTS.indexOf(name)];
    if (units === undefined) return reader.unkept();
    any = true;
    return reader.units(units);
  });
  return whole && any ? found.flat() : null;
}

const CODE = (char: string): number => char.charCodeAt(0);
const QUOTE = CODE('"');
const [BACKSLASH, COMMA, COLON] = ['\\', ',', ':'].map(CODE);
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = ['{', '}', '[', ']'].map(CODE);
const SPACES: ReadonlySet<number | undefined> = new Set([' ', '\n', '\r', '\t'].map(CODE));
const ENDS: ReadonlySet<number | undefined> = new Set([',', ']', '}', ':', '"', '{', '['].map(CODE));

/** Passes JSON on, byte by byte. Its methods tell whether the text went on as JSON does. */
class Reader {
  readonly #text: Buffer;
  /** What is kept is never longer than what is read. */
  readonly #kept: Buffer;
  #at = 0;
  #end = 0;
  #muted = 0;

  constructor(body: Uint8Array) {
    this.#text = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    this.#kept = Buffer.allocUnsafe(body.byteLength);
  }

  /** Keeps a value as one unit, a list by its entries. */
  units(into: Buffer[]): boolean {
    this.#space();
    return this.#is(OPEN_LIST) ? this.#between(CLOSE_LIST, () => this.#unit(into)) : this.#unit(into);
  }

  unkept(): boolean {
    this.#muted += 1;
    const whole = this.#value(0);
    this.#muted -= 1;
    return whole;
  }

  /** Hands out the names of an object, each where its value begins. */
  members(each: (name: string) => boolean): boolean {
    this.#space();
    if (!this.#is(OPEN_OBJECT)) return false;
    return this.#between(CLOSE_OBJECT, () => {
      const from = this.#at + 1;
      this.#muted += 1;
      const named = this.#is(QUOTE) && this.#string();
      this.#muted -= 1;
      if (!named) return false;
      const name = this.#text.toString('latin1', from, this.#at - 1);
      this.#space();
      if (!this.#is(COLON)) return false;
      this.#at += 1;
      return each(name);
    });
  }

  #unit(into: Buffer[]): boolean {
    const from = this.#end;
    const whole = this.#value(0);
    into.push(this.#kept.subarray(from, this.#end));
    return whole;
  }

  #value(depth: number): boolean {
    this.#space();
    if (depth > MOST_DEPTH || this.#at >= this.#text.length) return false;
    if (this.#is(QUOTE)) return this.#string();
    if (this.#is(OPEN_OBJECT)) return this.#object(depth);
    if (this.#is(OPEN_LIST)) return this.#list(depth);
    const from = this.#at;
    while (this.#at < this.#text.length && !ends(this.#text[this.#at])) this.#at += 1;
    this.#keep(from, this.#at);
    return this.#at > from;
  }

  #object(depth: number): boolean {
    this.#put(OPEN_OBJECT);
    let empty = true;
    const whole = this.members((name) => {
      if (name === MARK) return this.unkept();
      if (!empty) this.#put(COMMA);
      empty = false;
      if (this.#muted === 0) this.#end += this.#kept.write(`"${name}":`, this.#end, 'latin1');
      return this.#value(depth + 1);
    });
    this.#put(CLOSE_OBJECT);
    return whole;
  }

  #list(depth: number): boolean {
    this.#put(OPEN_LIST);
    let empty = true;
    const whole = this.#between(CLOSE_LIST, () => {
      if (!empty) this.#put(COMMA);
      empty = false;
      return this.#value(depth + 1);
    });
    this.#put(CLOSE_LIST);
    return whole;
  }

  /** From the opening bracket it stands at beyond the closing one. */
  #between(closing: number | undefined, each: () => boolean): boolean {
    this.#at += 1;
    for (let first = true; ; first = false) {
      this.#space();
      if (this.#is(closing)) {
        this.#at += 1;
        return true;
      }
      if (!first) {
        if (!this.#is(COMMA)) return false;
        this.#at += 1;
        this.#space();
      }
      if (!each()) return false;
    }
  }

  #string(): boolean {
    const from = this.#at;
    let end = this.#text.indexOf(QUOTE, from + 1);
    while (end >= 0 && this.#isEscaped(end)) end = this.#text.indexOf(QUOTE, end + 1);
    if (end < 0) return false;
    this.#at = end + 1;
    this.#keep(from, this.#at);
    return true;
  }

  /** Behind an odd number of backslashes. */
  #isEscaped(at: number): boolean {
    let before = at;
    while (this.#text[before - 1] === BACKSLASH) before -= 1;
    return (at - before) % 2 === 1;
  }

  #keep(from: number, to: number): void {
    if (this.#muted === 0) this.#end += this.#text.copy(this.#kept, this.#end, from, to);
  }

  #put(code: number | undefined): void {
    if (this.#muted > 0 || code === undefined) return;
    this.#kept[this.#end] = code;
    this.#end += 1;
  }

  #is(code: number | undefined): boolean {
    return code !== undefined && this.#text[this.#at] === code;
  }

  #space(): void {
    while (SPACES.has(this.#text[this.#at])) this.#at += 1;
  }
}

function ends(code: number | undefined): boolean {
  return ENDS.has(code) || SPACES.has(code);
}
