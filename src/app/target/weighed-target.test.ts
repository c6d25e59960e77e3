import { expect, test } from 'vitest';
import { loopbackServer, sendJson, TEST_KEY } from '../../client/loopback-server.test-support.ts';
import { Credentials, loadCredentials } from '../../config/credentials.ts';
import { clientOf } from './weighed-target.ts';

test('every free read names the tool and the run', async () => {
  const server = await loopbackServer((_request, response) =>
    sendJson(response, 200, { object: 'list', data: [] }),
  );
  const { root } = server;
  const credentials = new Credentials({ apiKey: TEST_KEY, accessToken: null, userId: null });
  const client = clientOf(
    { root, v1: `${root}/v1`, api: `${root}/api` },
    credentials,
    new AbortController().signal,
    'r1',
  );
  try {
    await client.models(true);
    await client.models(false);
    await client.priceBook();
  } finally {
    await client.close();
    await server.close();
  }
  expect(server.requests).toHaveLength(3);
  for (const request of server.requests) {
    expect(request.headers['user-agent']).toMatch(/^weighbridge\/\d+\.\d+\.\d+ run\/r1$/);
  }
});

test('the headers of the target go with every read, and stand for the key', async () => {
  const server = await loopbackServer((request, response) =>
    sendJson(response, 403, {
      error: { message: `who is ${request.headers.authorization}?`, type: 'x', code: 'y' },
    }),
  );
  const { root } = server;
  const credentials = loadCredentials(
    { MINE: 'Bearer planted-token-1' },
    { authorization: 'env:MINE', 'x-tenant': 'blue' },
  );
  const client = clientOf(
    { root, v1: `${root}/v1`, api: `${root}/api` },
    credentials,
    new AbortController().signal,
    'r1',
  );
  try {
    const read = await client.models(true);
    expect(read).toMatchObject({
      ok: false,
      message: expect.stringContaining('who is Bearer [credential]?'),
    });
    await client.priceBook();
  } finally {
    await client.close();
    await server.close();
  }
  expect(server.requests.length).toBeGreaterThanOrEqual(2);
  for (const { headers } of server.requests) {
    expect([headers['x-tenant'], headers.authorization]).toEqual(['blue', 'Bearer planted-token-1']);
  }
});
