import * as fc from 'fast-check';
import { countTokens as countAtOnce } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { CODE_POINT } from '../../core/code-point.test-support.ts';
import { countO200k } from './count-o200k.ts';
import { countPrompt, countTokens } from './count-tokens.ts';
import { contentText } from './prompt-message.ts';

test('property: counting in pieces comes to what counting at once does', () => {
  const part = fc.oneof(
    fc.constantFrom(
      ' ',
      '  ',
      '\n',
      ' \n',
      '\t',
      "'s",
      "'LL ",
      '. ',
      ', ',
      '-',
      'a',
      'Z',
      'word',
      ' word',
      'The ',
      '12',
    ),
    fc.constantFrom(
      'é',
      'ß ',
      ' Ünder',
      '漢字',
      ' 漢',
      '😀',
      '\u00a0',
      '\u0301',
      '<|endoftext|>',
      ' McDonald',
      'iPhone ',
    ),
    fc.string({ unit: CODE_POINT, maxLength: 6 }),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
      const text = parts.join('');
      expect(countO200k(text)).toBe(countAtOnce(text, { disallowedSpecial: new Set() }));
    }),
    { numRuns: 600 },
  );
});

describe('countTokens', () => {
  test('o200k_base: known counts', () => {
    expect(countTokens('o200k_base', 'hello world')).toBe(2);
    expect(countTokens('o200k_base', '')).toBe(0);
    expect(countTokens('o200k_base', 'The quick brown fox jumps over the lazy dog.')).toBe(10);
  });

  test('text that looks like a special token is counted as text', () => {
    expect(countTokens('o200k_base', '<|endoftext|>')).toBeGreaterThan(1);
  });

  test('byte rule: UTF-8 bytes by four, rounded up', () => {
    expect(countTokens('bytes', '')).toBe(0);
    expect(countTokens('bytes', 'abcd')).toBe(1);
    expect(countTokens('bytes', 'abcde')).toBe(2);
    expect(countTokens('bytes', 'ä€😀')).toBe(3);
  });
});

test('a prompt counts its messages and the template; the prefix leaves the last message out', () => {
  const messages = [
    { role: 'system', text: 'abcdefgh' },
    { role: 'user', text: 'abcd' },
  ];
  expect(countPrompt('bytes', messages)).toEqual({ total: 2 + 5 + 1 + 5 + 2, prefix: 7 });
  expect(countPrompt('bytes', [{ role: 'user', text: 'abcd' }])).toEqual({ total: 8, prefix: 0 });
});

test.each(['word ', 'w', '字 '])('a count of %j stops soon after what is allowed', (unit) => {
  const tokens = countTokens('o200k_base', unit.repeat(1_000_000), 1000);
  expect(tokens).toBeGreaterThan(1000);
  expect(tokens).toBeLessThan(4000);
});

test('a prompt that cannot fit is counted no further than that', () => {
  const messages = Array.from({ length: 1000 }, () => ({ role: 'user', text: 'word '.repeat(100) }));
  const { total } = countPrompt('o200k_base', messages, 1000);
  expect(total).toBeGreaterThan(1000);
  expect(total).toBeLessThan(1300);
});

describe('contentText', () => {
  test('takes strings and the text of parts as they are', () => {
    expect(contentText('a')).toBe('a');
    expect(contentText([{ type: 'text', text: 'a' }, 'b', { type: 'input_text', text: 'c' }])).toBe('abc');
  });

  test('anything else counts as its JSON, and null as nothing', () => {
    expect(contentText([{ type: 'image_url', image_url: { url: 'x' } }])).toBe(
      '{"type":"image_url","image_url":{"url":"x"}}',
    );
    expect(contentText(12)).toBe('12');
    expect(contentText(null)).toBe('');
  });
});
