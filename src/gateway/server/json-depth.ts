import { invalidRequest } from './api-error.ts';

/** JSON nested deeper than this is refused: all that reads it may then go down into it. */
export const MAX_JSON_DEPTH = 1000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACE = 0x7d;
const CLOSE_BRACKET = 0x5d;

/** Throws ApiError 400 for a text that holds deeper JSON. What is no JSON at all is left to the parser. */
export function refuseDeepJson(text: string): void {
  // Each level has two brackets.
  if (text.length > 2 * MAX_JSON_DEPTH && depthOf(text) > MAX_JSON_DEPTH) {
    throw invalidRequest(
      `Invalid request body: expected JSON of ${MAX_JSON_DEPTH} levels at most, found more`,
    );
  }
}

/** The largest number of brackets that are open at once; counting ends above the limit. */
function depthOf(text: string): number {
  let open = 0;
  let deepest = 0;
  let inText = false;
  for (let at = 0; at < text.length && deepest <= MAX_JSON_DEPTH; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) inText = !inText;
    else if (inText) {
      if (code === BACKSLASH) at += 1;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      open += 1;
      deepest = Math.max(deepest, open);
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) open -= 1;
  }
  return deepest;
}
