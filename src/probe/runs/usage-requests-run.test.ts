import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { loopbackServer, sendJson, testClient } from '../../client/loopback-server.test-support.ts';
import { usageRequestsRun } from './document-runs.ts';
import { meansIn } from './target-means.test-support.ts';

it.each([
  [8_192, 'none', null],
  [8_193, 'schema_mismatch', expect.stringContaining('has 8193 bytes, more than the 8192 that are followed')],
])('follows a cursor of %i bytes: %s', async (bytes, error_type, why) => {
  const dir = mkdtempSync(join(tmpdir(), 'weighbridge-usage-'));
  const server = await loopbackServer((_, response, { pathname, searchParams }) => {
    const more = { data: [], has_more: true, next_cursor: 'c'.repeat(bytes) };
    if (pathname === '/v1/usage') return sendJson(response, 200, {});
    return sendJson(response, 200, searchParams.has('before') ? { data: [], has_more: false } : more);
  });
  const { means, close, due } = await meansIn(dir, server.root);
  onTestFinished(async () => {
    await close();
    await server.close();
    rmSync(dir, { recursive: true, force: true });
  });
  const outcome = await usageRequestsRun({ ...means, reads: () => testClient(server.root) }, due);
  expect(outcome).toMatchObject({ kind: 'ended', run: { error_type, why } });
});
