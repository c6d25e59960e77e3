import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { SecretMask } from '../secrets/secret-mask.ts';
import { jsonOf } from '../text/json-of.ts';
import { otherIds } from './other-ids.ts';

const corpus = z
  .array(
    z.object({
      name: z.string(),
      headers: z.array(z.tuple([z.string(), z.string()])),
      body: z.string(),
      known: z.array(z.string()),
      kept: z.record(z.string(), z.string()),
    }),
  )
  .parse(
    JSON.parse(
      readFileSync(new URL('../../test/corpus/request-ids/other-ids.json', import.meta.url), 'utf8'),
    ),
  );

// The cases of TestOtherIDsOfTheCorpus in xk6/wire: both must read alike.
test.each(corpus)('$name', ({ headers, body, known, kept }) => {
  const mask = new SecretMask(['sk-abcdefghijklmnop1234'], '[key]');
  const told = otherIds({ headers, document: jsonOf(body), known }, (text) => mask.name(text));
  expect(Object.entries(told ?? {})).toEqual(Object.entries(kept));
});
