import type { BookText } from './adapters/book-adapter.ts';

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * JSON whose numbers come back as the source text of the number (`0.10` → `'0.10'`), so that a price never
 * passes through a double. Throws SyntaxError where JSON.parse does.
 */
export function parseLosslessJson(text: string): BookText {
  JSON.parse(text);
  // In well-formed JSON every digit outside a string belongs to a number, so quoting the numbers keeps the structure.
  const quoted = text.replace(STRING_OR_NUMBER, (token) => (token.startsWith('"') ? token : `"${token}"`));
  const value: BookText = JSON.parse(quoted);
  return value;
}
