import { countTokens, setMergeCacheSize } from 'gpt-tokenizer/encoding/o200k_base';

// Its own cache, once full, takes longer with each word it has to let go: odd prompts made others wait for seconds.
setMergeCacheSize(0);

/** Text that looks like a special token is ordinary text to a client. */
const AS_TEXT = { disallowedSpecial: new Set<string>() };

const MOST_HELD = 16_384;
const LONGEST_HELD = 24;
const SPACE = 32;

/** Counts of pieces met lately; prose repeats its words, and one look here costs a tenth of a look there. */
const HELD = new Map<string, number>();

/**
 * Tokens of o200k_base. Its split pattern gives a blank before a letter to that letter's piece and to no other, so that
 * text may be counted in pieces that begin there (kept by a test). Counting stops soon after `most` is passed.
 */
export function countO200k(text: string, most = Number.POSITIVE_INFINITY): number {
  let tokens = 0;
  let from = 0;
  for (let at = text.indexOf(' ', 1); at > 0 && tokens <= most; at = text.indexOf(' ', at + 1)) {
    if (!isLetter(text.charCodeAt(at + 1))) continue;
    tokens += countPiece(text.slice(from, at), most);
    from = at;
  }
  return tokens > most ? tokens : tokens + countPiece(text.slice(from), most);
}

function countPiece(piece: string, most: number): number {
  if (piece.length > LONGEST_HELD) {
    let tokens = 0;
    for (const part of textParts(piece)) {
      tokens += countTokens(part, AS_TEXT);
      if (tokens > most) break;
    }
    return tokens;
  }
  const held = HELD.get(piece);
  if (held !== undefined) return held;
  const counted = countTokens(piece, AS_TEXT);
  if (HELD.size >= MOST_HELD) HELD.clear();
  HELD.set(piece, counted);
  return counted;
}

/** ASCII letters alone: no other character is needed for prose to fall apart. */
function isLetter(code: number): boolean {
  const lower = code | SPACE;
  return lower >= 97 && lower <= 122;
}

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
