import { countTokens, setMergeCacheSize } from 'gpt-tokenizer/encoding/o200k_base';
import { textParts } from './long-runs.ts';

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
