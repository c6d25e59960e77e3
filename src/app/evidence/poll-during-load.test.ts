import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { loopbackServer, sendJson, testClient } from '../../client/loopback-server.test-support.ts';
import { pollDuringLoad } from './poll-during-load.ts';

const closing: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

test('a version of the book that comes and goes while it is watched is archived', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'weighbridge-watch-'));
  closing.push(() => rmSync(dir, { recursive: true, force: true }));
  const versions = ['one', 'two', 'one', 'one', 'one', 'one'];
  const all = Promise.withResolvers<void>();
  let books = 0;
  let accounts = 0;
  const server = await loopbackServer((_, response, url) => {
    if (url.pathname === '/api/user/self') {
      accounts += 1;
      sendJson(response, 200, {
        success: true,
        data: { id: 1, quota: 9, used_quota: accounts, request_count: 1 },
      });
      return;
    }
    sendJson(response, 200, { version: versions[Math.min(books, versions.length - 1)] });
    books += 1;
    if (books === versions.length) all.resolve();
  });
  const client = testClient(server.root, { accessToken: 'token', userId: '1' });
  closing.push(
    () => client.close(),
    () => server.close(),
  );
  const watch = pollDuringLoad({ client, runDir: dir, account: true, everyMs: 1 });
  await all.promise;
  await watch.stop();
  const seen = books;
  expect(readdirSync(join(dir, 'books'))).toHaveLength(2);
  const lines = readFileSync(join(dir, 'usage/pages.ndjson'), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const reads = lines.map(
    (line) => JSON.parse(line) as { read: string; account: { used_quota: number } | null },
  );
  expect(reads.filter(({ read }) => read === 'book')).toHaveLength(seen);
  // At the first turn, at every fifth and at the last.
  expect(accounts).toBeGreaterThanOrEqual(2);
  expect(reads.flatMap(({ account }) => account?.used_quota ?? [])).toEqual(
    Array.from({ length: accounts }, (_, index) => index + 1),
  );
});
