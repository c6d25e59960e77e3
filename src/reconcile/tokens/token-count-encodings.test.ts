import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { countByEncoding, ENCODINGS, encodingsOf } from './token-count-encodings.ts';

const golden = z
  .array(z.strictObject({ text: z.string(), o200k_base: z.number(), cl100k_base: z.number() }))
  .parse(
    JSON.parse(readFileSync(join(import.meta.dirname, '../../../test/corpus/tokens/counts.json'), 'utf8')),
  );

test.each(ENCODINGS)('%s counts what the reference implementation counts', (encoding) => {
  expect(golden.length).toBeGreaterThan(80);
  const wrong = golden.filter((row) => countByEncoding(encoding, row.text) !== row[encoding]);
  expect(wrong).toEqual([]);
});

test.each([
  ['gpt-4o-mini', ['o200k_base']],
  ['openai/gpt-5.1', ['o200k_base']],
  ['o3-pro', ['o200k_base']],
  ['gpt-4-turbo', ['cl100k_base']],
  ['aspen-nano', ['o200k_base', 'cl100k_base']],
])('%s may count by %j', (model, encodings) => {
  expect(encodingsOf(model)).toEqual(encodings);
});
