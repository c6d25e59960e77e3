import { hashText, QuickRandom } from '../chance/quick-random.ts';

/** Short openings: one token each, four bytes at most, so that `max_tokens: 1` still gives a word. */
export const OPENINGS: readonly string[] = [
  'The',
  'This',
  'When',
  'Some',
  'Most',
  'Each',
  'Once',
  'Here',
  'Many',
  'One',
];

/** Words of the replies; with a blank before it each is one token of o200k_base. */
export const REPLY_WORDS: readonly string[] = `
river stone bridge water road light house field market paper morning winter summer garden number engine
letter window station record weight scale measure load gate table signal metal glass wood sand rain snow
wind cloud hill valley forest island harbor ship train wheel clock bell door wall roof floor room street
city village school teacher student doctor farmer worker driver sailor friend neighbor child mother father
bread milk apple salt sugar coffee tea fish bird horse dog cat tree leaf root seed flower grass fire
small large long short high low early late quiet loud bright dark warm cold heavy clear plain old new
open closed simple careful steady slow quick strong gentle narrow wide deep round flat sharp soft
carries holds moves turns opens closes finds keeps brings takes shows tells makes builds reads writes counts
weighs checks follows crosses reaches leaves returns waits works rests grows falls rises stands
under over near behind between across along through above below after before during without
and but so because while until where though since then still often always never again almost only
`
  .trim()
  .split(/\s+/);

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
    const words = Array.from({ length: WORDS_EACH - 1 }, () => pick(REPLY_WORDS));
    const pieces = [pick(OPENINGS), ...words, '.'];
    let end = 0;
    const ends = [0, ...pieces.map((piece) => (end += piece.length))];
    return { pieces, text: pieces.join(''), ends };
  });
}
