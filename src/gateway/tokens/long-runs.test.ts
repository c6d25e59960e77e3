import { countTokens as exact } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { LONGEST_RUN, textParts } from './count-o200k.ts';
import { countTokens } from './count-tokens.ts';

test.each(['a', ' ', '\n', '😀', '字', '!?', 'é', '\u0301', 'a\u0301'])(
  'a run of %j is cut, between characters, and nothing is lost',
  (unit) => {
    const text = unit.repeat(1000);
    const parts = [...textParts(text)];
    expect(parts.join('')).toBe(text);
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts) {
      expect(part.length).toBeLessThanOrEqual(LONGEST_RUN + 1);
      expect(part.isWellFormed()).toBe(true);
    }
  },
);

test('text whose words end is one part, and counts as the encoding has it', () => {
  const prose = `${'The wheel of the old mill turns (1,234 times); 字が続く。 '.repeat(50)}`;
  expect([...textParts(prose)]).toEqual([prose]);
  expect(countTokens('o200k_base', prose)).toBe(exact(prose));
});

test.each(['字 ', 'Ж, ж ', 'é! 12 ß  ', 'a\u0301 ', 'Zm9v+YmFy/1'])(
  'long text of %j comes in parts and counts the same',
  (unit) => {
    const text = unit.repeat(5000);
    expect([...textParts(text)].length).toBeGreaterThan(2);
    expect(countTokens('o200k_base', text)).toBe(exact(text));
  },
);

test.each(['a', ' ', '😀', '\n', '字'])('200,000 times %j are counted while a call can wait', (unit) => {
  const text = unit.repeat(200_000);
  // The encoding takes the square of a part's length: a minute and more without the cut.
  expect(Math.max(...Array.from(textParts(text), ({ length }) => length))).toBeLessThanOrEqual(
    LONGEST_RUN + 1,
  );
  expect(countTokens('o200k_base', text)).toBeGreaterThan(200_000 / LONGEST_RUN / 2);
});

test('what an earlier prompt held does not make a later one slow', () => {
  const text = "Aa'".repeat(100_000);
  const before = cpuMsOf(() => countTokens('o200k_base', text));
  const odd = Array.from({ length: 20_000 }, (_, at) => `${(at * 2_654_435_761).toString(36)}+`).join('');
  countTokens('o200k_base', odd);
  // Some fifty times as much with a cache of words that is full.
  expect(cpuMsOf(() => countTokens('o200k_base', text))).toBeLessThan(10 * before);
});

/** What this process computed meanwhile, however long it had to wait for a processor. */
function cpuMsOf(work: () => void): number {
  const from = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1000;
}
