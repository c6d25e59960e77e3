import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { SecretMask } from './secret-mask.ts';

const corpus = new URL('../../test/corpus/secrets/masked.json', import.meta.url);
const caseSchema = z.object({
  name: z.string(),
  secrets: z.array(z.string()),
  text: z.string(),
  prose: z.string(),
  in_name: z.string(),
});

test('nothing of a secret is left of the texts of the corpus, and their neighbours stay', () => {
  const cases = z.array(caseSchema).parse(JSON.parse(readFileSync(corpus, 'utf8')));
  expect(cases.length).toBeGreaterThan(700);
  const masked = cases.map(({ secrets, text, ...rest }) => {
    const mask = new SecretMask(secrets, '[key]');
    return { ...rest, prose: mask.prose(text), in_name: mask.name(text) };
  });
  expect(masked).toEqual(cases.map(({ secrets, text, ...rest }) => rest));
});
