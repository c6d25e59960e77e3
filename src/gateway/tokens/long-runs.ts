/** UTF-16 units of a run of letters, of blanks or of signs that are still counted as one. */
export const LONGEST_RUN = 128;

/** What the split pattern of the encoding keeps together; digits it takes three at a time anyway. */
const RUN = /[\p{L}\p{M}]+|\s+|[^\s\p{L}\p{M}\p{N}]+/gu;

const LETTER = /^\p{L}/u;
/** No letter is kept together with a digit. */
const DIGIT = /^\d/;

/** UTF-16 units after which a part ends where words let it. */
const LONGEST_PART = 4096;
/** And after which it ends even where they do not: as with runs, the rule of this gateway. */
const LONGEST_WITHOUT_PLACE = 65_536;

/**
 * The text in parts such that none holds a run above `LONGEST_RUN`: a documented rule of this gateway. Encoding takes
 * time that grows with the square of a run, and a prompt of one endless word would keep every other call waiting.
 */
export function* textParts(text: string): Generator<string, void> {
  if (text.length <= LONGEST_RUN) {
    yield text;
    return;
  }
  let from = 0;
  let blank = false;
  for (const { index, 0: run } of text.matchAll(RUN)) {
    const end = index + run.length;
    // A single blank goes with the letters after it: nothing is kept together across the place before it.
    if (blank && index - from > LONGEST_PART && LETTER.test(run)) {
      yield text.slice(from, index - 1);
      from = index - 1;
    }
    blank = run === ' ';
    const apart = index - from > LONGEST_PART && LETTER.test(run) && DIGIT.test(text.charAt(index - 1));
    if (apart || index - from > LONGEST_WITHOUT_PLACE) {
      yield text.slice(from, index);
      from = index;
    }
    for (let at = index + LONGEST_RUN; at < end; at += LONGEST_RUN) {
      if (isLowSurrogate(text.charCodeAt(at))) at += 1;
      yield text.slice(from, at);
      from = at;
    }
  }
  if (from < text.length) yield text.slice(from);
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
