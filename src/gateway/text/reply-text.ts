import { type SeededRandom, seededRandom } from '../../core/seeded-random.ts';
import { drawLogNormal } from '../latency/log-normal.ts';
import type { TextModel } from '../models/model.ts';
import { countTokens } from '../tokens/count-tokens.ts';
import { OPENINGS, WORDS } from './word-list.ts';

export interface ReplyText {
  /** What one stream event carries each. */
  readonly pieces: readonly string[];
  readonly text: string;
  readonly tokens: number;
  /** `length`: the limit came before the natural end. */
  readonly finish: 'stop' | 'length';
}

const LENGTH = { median: 80, spread: 0.6 };
const SENTENCE_WORDS = 12;

/** A reply that is a function of its key alone, and never longer than `limit` tokens. */
export function writeReply(model: TextModel, limit: number, ...key: readonly (string | number)[]): ReplyText {
  const random = seededRandom('reply', ...key);
  const natural = Math.max(2, Math.round(drawLogNormal(random, LENGTH)));
  const most = Math.min(natural, limit);
  const pieces: string[] = [];
  const meter = tokenMeter(model);
  for (;;) {
    const piece = nextPiece(random, pieces.length);
    if (!meter.fits(piece, most)) break;
    pieces.push(piece);
  }
  const text = pieces.join('');
  return {
    pieces,
    text,
    tokens: countTokens(model.tokenizer, text),
    finish: natural > limit ? 'length' : 'stop',
  };
}

function nextPiece(random: SeededRandom, index: number): string {
  if (index === 0) return pick(random, OPENINGS);
  const place = index % SENTENCE_WORDS;
  if (place === 0) return '.';
  return ` ${pick(random, place === 1 && index > 1 ? OPENINGS : WORDS)}`;
}

function pick(random: SeededRandom, words: readonly string[]): string {
  return words[random.below(words.length)] ?? 'so';
}

/** Adds up pieces; words and full stops are tokens of their own, so o200k counts add up piece by piece. */
function tokenMeter({ tokenizer }: TextModel): { fits(piece: string, most: number): boolean } {
  let bytes = 0;
  let tokens = 0;
  return {
    fits(piece, most) {
      const nextBytes = bytes + piece.length;
      const nextTokens =
        tokenizer === 'bytes' ? Math.ceil(nextBytes / 4) : tokens + countTokens(tokenizer, piece);
      if (nextTokens > most) return false;
      bytes = nextBytes;
      tokens = nextTokens;
      return true;
    },
  };
}
