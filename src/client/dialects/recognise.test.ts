import { expect, test } from 'vitest';
import type { FreeReads } from './bill-reader.ts';
import { recognise } from './recognise.ts';

const BASES = { root: 'http://t', v1: 'http://t/v1', api: 'http://t/api' };

/** A target of which only a few things are known. */
function target(seen: {
  readonly usage: number | null;
  readonly status?: number;
  readonly mark?: boolean;
}): FreeReads {
  return {
    bases: BASES,
    hasAccount: false,
    keyHash: null,
    look: async (url) => ({
      status: url.startsWith(`${BASES.v1}/usage`) ? seen.usage : 200,
      header: seen.mark === true ? '1.80.0' : null,
    }),
    async json(url, _credential, schema) {
      const body = schema.safeParse({ data: { quota_per_unit: 500_000 } });
      const told = { requestId: null, errorType: '_OTHER', code: null, retryAfterS: null } as const;
      if (!url.endsWith('/api/status') || seen.status !== 200 || !body.success)
        return { ok: false, status: 404, message: 'none', ...told };
      const bytes = new Uint8Array();
      return { ok: true, status: 200, body: body.data, bytes, sha256: '', numbersAsText: 0, requestId: null };
    },
    text: () => Promise.reject(new Error('no list is read to know a dialect')),
  };
}

test.each([
  ['interface', { usage: 200, status: 200, mark: true }],
  ['interface', { usage: 401, status: 200 }],
  ['interface', { usage: 500 }],
  ['new-api', { usage: 404, status: 200, mark: true }],
  ['litellm', { usage: 404, mark: true }],
  ['plain', { usage: 404 }],
  [null, { usage: null, status: 200 }],
] as const)('the dialect is %s where the target shows %j', async (dialect, seen) => {
  expect(await recognise(target(seen))).toBe(dialect);
});
