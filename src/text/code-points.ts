const HALF = /[\ud800-\udfff]/;
const SECOND_HALF = /[\udc00-\udfff]/g;

/** True where a text holds surrogates: of one that does not, each UTF-16 unit is a code point. */
export function hasSurrogates(text: string): boolean {
  return HALF.test(text);
}

/** Unicode code points of a text without lone surrogates. It is asked for each event of a stream: no list is made. */
export function codePointsIn(text: string): number {
  let count = text.length;
  if (hasSurrogates(text)) for (const _ of text.matchAll(SECOND_HALF)) count -= 1;
  return count;
}
