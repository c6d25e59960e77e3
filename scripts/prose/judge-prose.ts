import type { Prose, Sentence } from './read-prose.ts';

export interface Figures {
  readonly sentences: number;
  readonly median: number;
  readonly longest: number;
}

/** Limits of docs/style.md, in words. */
const MEDIAN = 18;
const LONGEST = 35;

export function figuresOf(sentences: readonly Pick<Sentence, 'words'>[]): Figures {
  const sorted = sentences.map(({ words }) => words).sort((a, b) => a - b);
  return {
    sentences: sorted.length,
    median: sorted[Math.floor(sorted.length / 2)] ?? 0,
    longest: sorted.at(-1) ?? 0,
  };
}

/** Lists what to change on a page, each with its line where one can be named. */
export function judgeProse({ sentences, riddles }: Prose): readonly string[] {
  const { median } = figuresOf(sentences);
  return [
    ...(median > MEDIAN ? [`1: the median sentence has ${median} words. Write at most ${MEDIAN}.`] : []),
    ...sentences
      .filter(({ words }) => words > LONGEST)
      .map(
        ({ line, words, text }) => `${line}: ${words} words in one sentence. Split it: ${text.slice(0, 60)}…`,
      ),
    ...riddles.map(
      ({ line, found, write }) => `${line}: for "${found}" write: ${write === '' ? 'nothing' : write}`,
    ),
  ];
}
