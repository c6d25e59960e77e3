import { isDeeperThan } from '../text/json-depth.ts';
import type { BookText } from './adapters/book-text.ts';

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Deeper than any book: what reads one walks it. */
const MOST_LEVELS = 200;

/**
 * JSON whose numbers come back as the source text of the number (`0.10` → `'0.10'`), so that a price never
 * passes through a double. Throws SyntaxError where JSON.parse does, and for what goes deeper than 200 levels.
 */
export function parseLosslessJson(text: string): BookText {
  if (isDeeperThan(MOST_LEVELS, text))
    throw new SyntaxError(`expected at most ${MOST_LEVELS} levels, found more`);
  JSON.parse(text);
  // In well-formed JSON every digit outside a string belongs to a number, so quoting the numbers keeps the structure.
  const quoted = text.replace(STRING_OR_NUMBER, (token) => (token.startsWith('"') ? token : `"${token}"`));
  const value: BookText = JSON.parse(quoted);
  return value;
}
