import { join } from 'node:path';
import { expect, test } from 'vitest';
import { figuresOf, judgeProse } from './judge-prose.ts';
import { readProse, readWordList } from './read-prose.ts';

const WORDS = readWordList(join(import.meta.dirname, 'word-list.yml'));

test('prose is paragraphs and list items: no heading, table, code block or comment', () => {
  const page = [
    '# A heading of five words',
    '',
    'Two words. Run `weighbridge audit --target URL` and',
    '[read the report](docs/report.md).',
    '',
    '    a command in a block that nobody reads as a sentence',
    '',
    '<!-- a comment of some words -->',
    '',
    '| a cell | of a table |',
    '|---|---|',
    '| with | words |',
    '',
    '- **One point.** It has five words.',
    '',
    '[one](a.md) · [two words](b.md)',
    '',
  ].join('\n');
  const { sentences } = readProse(page, WORDS);
  expect(sentences.map(({ line, words, text }) => [line, words, text])).toEqual([
    [3, 2, 'Two words.'],
    [3, 6, 'Run `…` and read the report.'],
    [14, 2, 'One point.'],
    [14, 4, 'It has five words.'],
    [16, 1, 'one'],
    [16, 2, 'two words'],
  ]);
});

test('a word of the list is found in text, headings and tables, and not in code', () => {
  const page =
    '# Whoever pays\n\nIt weighs a call; `weighs` does not.\n\n| a | b |\n|---|---|\n| mended | x |\n';
  const { riddles } = readProse(page, WORDS);
  expect(riddles.map(({ line, found, write }) => `${line}: ${found} => ${write.split('. ')[0]}`)).toEqual([
    '1: Whoever => anyone who',
    '3: weighs => checks',
    '7: mended => fix',
  ]);
});

test('a page fails by a median over 18, by a sentence over 35, and by a word of the list', () => {
  const of = (...lengths: readonly number[]) =>
    judgeProse({ sentences: lengths.map((words, line) => ({ line, words, text: 'word' })), riddles: [] });
  expect(of(18, 18, 35)).toEqual([]);
  expect(of(3, 19, 19)).toEqual([expect.stringContaining('median sentence has 19 words')]);
  expect(of(1, 1, 36)).toEqual([expect.stringContaining('2: 36 words in one sentence')]);
  expect(judgeProse({ sentences: [], riddles: [{ line: 4, found: 'anew', write: 'again' }] })).toEqual([
    '4: for "anew" write: again',
  ]);
  expect(figuresOf([{ words: 9 }, { words: 2 }, { words: 4 }])).toEqual({
    sentences: 3,
    median: 4,
    longest: 9,
  });
});
