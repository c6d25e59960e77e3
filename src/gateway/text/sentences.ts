import { hashText, QuickRandom } from '../latency/quick-random.ts';
import { OPENINGS, WORDS } from './word-list.ts';

/** Part of a reply, made once: replies are put together from these, since a draw for each word would cost more than all else. */
export interface Sentence {
  /** An opening with a blank before it, words, a full stop; each is one token of o200k_base where it stands. */
  readonly pieces: readonly string[];
  readonly text: string;
  /** Characters, which are ASCII, of the first n pieces; index 0 is 0. */
  readonly ends: readonly number[];
}

const POOL = 1024;
const WORDS_EACH = 11;

export const SENTENCES: readonly Sentence[] = makeSentences();

function makeSentences(): readonly Sentence[] {
  const random = new QuickRandom(hashText('sentences'), 0);
  const pick = (words: readonly string[]): string => ` ${words[random.below(words.length)] ?? 'so'}`;
  return Array.from({ length: POOL }, () => {
    const words = Array.from({ length: WORDS_EACH - 1 }, () => pick(WORDS));
    const pieces = [pick(OPENINGS), ...words, '.'];
    let end = 0;
    const ends = [0, ...pieces.map((piece) => (end += piece.length))];
    return { pieces, text: pieces.join(''), ends };
  });
}
