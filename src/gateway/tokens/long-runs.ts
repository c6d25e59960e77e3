/** UTF-16 units of a run of letters, of blanks or of signs that are still counted as one. */
export const LONGEST_RUN = 128;

/** What the split pattern of the encoding keeps together; digits it takes three at a time anyway. */
const RUN = /[\p{L}\p{M}]+|\s+|[^\s\p{L}\p{M}\p{N}]+/gu;

/**
 * The text in parts such that none holds a run above `LONGEST_RUN`: a documented rule of this gateway. Encoding takes
 * time that grows with the square of a run, and a prompt of one endless word would keep every other call waiting.
 */
export function partsOf(text: string): string[] {
  if (text.length <= LONGEST_RUN) return [text];
  const parts: string[] = [];
  let from = 0;
  for (const { index, 0: run } of text.matchAll(RUN)) {
    const end = index + run.length;
    for (let at = index + LONGEST_RUN; at < end; at += LONGEST_RUN) {
      if (isLowSurrogate(text.charCodeAt(at))) at += 1;
      parts.push(text.slice(from, at));
      from = at;
    }
  }
  parts.push(text.slice(from));
  return parts.filter((part) => part !== '');
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
