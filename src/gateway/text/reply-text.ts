import type { SeededRandom } from '../../core/seeded-random.ts';
import { drawLogNormal } from '../latency/distribution.ts';
import type { TextModel } from '../models/model.ts';
import { BYTES_PER_TOKEN } from '../tokens/count-tokens.ts';
import { SENTENCES, type Sentence } from './sentences.ts';

const LENGTH = { median: 80, spread: 0.6 };

/** A reply that is a function of its draws alone, and never longer than `limit` tokens. */
export function writeReply({ tokenizer }: TextModel, limit: number, random: SeededRandom): ReplyText {
  const natural = Math.max(2, Math.round(drawLogNormal(random, LENGTH.median, LENGTH.spread)));
  const most = Math.min(natural, limit);
  // The blank before the first word is left out.
  const mostCharacters = tokenizer === 'bytes' ? most * BYTES_PER_TOKEN + 1 : Number.POSITIVE_INFINITY;
  // Every piece is one token of o200k_base where it stands (kept by a test).
  const mostPieces = tokenizer === 'bytes' ? Number.POSITIVE_INFINITY : most;
  const sentences: Sentence[] = [];
  let count = 0;
  let characters = 0;
  for (;;) {
    const sentence = SENTENCES[random.below(SENTENCES.length)];
    if (sentence === undefined) throw new RangeError('there are no sentences');
    const fit = fitting(sentence, mostPieces - count, mostCharacters - characters);
    if (fit > 0) sentences.push(sentence);
    count += fit;
    characters += sentence.ends[fit] ?? 0;
    if (fit < sentence.pieces.length) break;
  }
  const tokens = tokenizer === 'bytes' ? Math.ceil((characters - 1) / BYTES_PER_TOKEN) : count;
  return new ReplyText(sentences, { count, characters }, tokens, natural > limit ? 'length' : 'stop');
}

/** How many pieces of a sentence fit into so many pieces and characters. */
function fitting({ pieces, ends }: Sentence, mostPieces: number, mostCharacters: number): number {
  let fit = Math.min(pieces.length, mostPieces);
  while ((ends[fit] ?? 0) > mostCharacters) fit -= 1;
  return fit;
}

/** Text and pieces are put together when they are asked for: thousands of open streams hold no copy of theirs. */
export class ReplyText {
  readonly tokens: number;
  /** `length`: the limit came before the natural end. */
  readonly finish: 'stop' | 'length';
  readonly #sentences: readonly Sentence[];
  /** Pieces, and characters with the blank before the first word. */
  readonly #size: { readonly count: number; readonly characters: number };

  constructor(
    sentences: readonly Sentence[],
    size: { readonly count: number; readonly characters: number },
    tokens: number,
    finish: 'stop' | 'length',
  ) {
    this.#sentences = sentences;
    this.#size = size;
    this.tokens = tokens;
    this.finish = finish;
  }

  get text(): string {
    let text = '';
    for (const sentence of this.#sentences) text += sentence.text;
    return text.slice(1, this.#size.characters);
  }

  get pieces(): readonly string[] {
    return [...this.each()];
  }

  /** What one stream event carries each. */
  *each(): Generator<string, undefined> {
    let left = this.#size.count;
    for (const { pieces } of this.#sentences) {
      for (const piece of pieces) {
        if (left === 0) return undefined;
        yield left === this.#size.count ? piece.slice(1) : piece;
        left -= 1;
      }
    }
    return undefined;
  }
}
