import { compareDecimal, parseNumberText } from '../core/decimal.ts';

export interface LosslessJson {
  readonly value: unknown;
  /** How many numbers are kept as their source text because a double would have changed them. */
  readonly numbersAsText: number;
}

/**
 * Where a number may stand that a double changes: 16 digits and point or more, or an exponent. Up to 15 digits come
 * back as they were, and a reviver costs ten times what the parsing does.
 */
const MAY_LOSE = /(?:^|[[:,\s])-?(?:[\d.]{16}|[\d.]+[eE])/;

/** Deeper than any record. A text is parsed at any depth, but walking or writing what it holds overflows the stack. */
const MOST_LEVELS = 200;
const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [
  0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d,
];

/**
 * JSON.parse without a rounded number: one that a double cannot hold to the last digit becomes a string of its
 * source text (an id of 2^53 + 1, an amount served as a number of 20 digits).
 * Throws SyntaxError like JSON.parse, and for what goes deeper than 200 levels.
 */
export function parseLosslessJson(text: string): LosslessJson {
  if (isTooDeep(text)) throw new SyntaxError(`expected at most ${MOST_LEVELS} levels, found more`);
  if (!MAY_LOSE.test(text)) return { value: JSON.parse(text), numbersAsText: 0 };
  let numbersAsText = 0;
  function revive(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
    if (typeof value !== 'number') return value;
    const source = context?.source;
    if (source === undefined || isHeldExactly(value, source)) return value;
    numbersAsText += 1;
    return source;
  }
  const value: unknown = JSON.parse(text, revive);
  return { value, numbersAsText };
}

function isTooDeep(text: string): boolean {
  // Every level is opened and closed.
  if (text.length < 2 * MOST_LEVELS) return false;
  let level = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfText(text, at);
    else if (code === OPEN_LIST || code === OPEN_OBJECT) level += 1;
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) level -= 1;
    if (level > MOST_LEVELS) return true;
  }
  return false;
}

/** Where the text that begins at a quote has its other one. */
function endOfText(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((at - before) % 2 === 1) return at;
  }
  return text.length;
}

function isHeldExactly(value: number, source: string): boolean {
  const served = parseNumberText(source);
  const held = parseNumberText(String(value));
  return served !== null && held !== null && compareDecimal(served, held) === 0;
}
