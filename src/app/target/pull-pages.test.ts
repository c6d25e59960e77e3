import { expect, test } from 'vitest';
import type { UsagePageQuery } from '../../client/dialects/bill-reader.ts';
import type { GatewayClient } from '../../client/gateway-client.ts';
import type { ReadResult } from '../../client/read-result.ts';
import type { UsagePageFrame } from '../../client/wire-schemas.ts';
import { pullPages } from './pull-target.ts';

const WINDOW = { start: 1, end: 2 };

function served(answer: (query: UsagePageQuery) => UsagePageFrame | number) {
  const asked: (string | null)[] = [];
  const client: Pick<GatewayClient, 'usageRequests'> = {
    async usageRequests(query): Promise<ReadResult<UsagePageFrame>> {
      asked.push(`${query.limit} ${query.before}`);
      const body = answer(query);
      const requestId = null;
      if (typeof body === 'number') {
        const told = {
          code: null,
          message: `HTTP ${body}`,
          retryAfterS: null,
          errorType: 'http_4xx',
        } as const;
        return { ok: false, status: body, requestId, ...told };
      }
      return {
        ok: true,
        status: 200,
        body,
        bytes: new Uint8Array(),
        sha256: '',
        numbersAsText: 0,
        requestId,
      };
    },
  };
  return { client, asked };
}

test('pages are read to the last one, in the size that the gateway takes', async () => {
  const { client, asked } = served(({ limit, before }) => {
    if (limit !== null) return 400;
    return before === null ? { data: [1], has_more: true, next_cursor: 'c' } : { data: [2], has_more: false };
  });
  const { pages, problem } = await pullPages(client, WINDOW);
  expect({ problem, count: pages.length, asked }).toEqual({
    problem: null,
    count: 2,
    asked: ['1000 null', 'null null', 'null c'],
  });
});

test('a cursor that leads back, or nowhere, ends the read and is told', async () => {
  const back = await pullPages(served(() => ({ data: [], has_more: true, next_cursor: 'c' })).client, WINDOW);
  expect(back.problem).toContain('without a cursor');
  expect(back.pages).toHaveLength(2);
  const nowhere = await pullPages(served(() => ({ data: [], has_more: true })).client, WINDOW);
  expect(nowhere.problem).toContain('without a cursor');
});

test('a cursor over 8 KiB ends the read and is told; one of 8 KiB is followed', async () => {
  const pagesWith = (next_cursor: string) =>
    served(({ before }) =>
      before === null ? { data: [1], has_more: true, next_cursor } : { data: [], has_more: false },
    );
  const { pages, problem } = await pullPages(pagesWith('c'.repeat(8_193)).client, WINDOW);
  expect({ count: pages.length, problem }).toEqual({
    count: 1,
    problem: 'the cursor to the next page has 8193 bytes, more than the 8192 that are followed',
  });
  expect(await pullPages(pagesWith('c'.repeat(8_192)).client, WINDOW)).toMatchObject({ problem: null });
});

test('what was read before a failure is kept', async () => {
  const { client } = served(({ before }) =>
    before === null ? { data: [1], has_more: true, next_cursor: 'c' } : 503,
  );
  const { pages, problem } = await pullPages(client, WINDOW);
  expect({ count: pages.length, problem }).toEqual({ count: 1, problem: 'HTTP 503' });
});
