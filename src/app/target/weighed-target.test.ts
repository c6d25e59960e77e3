import { expect, test } from 'vitest';
import { loopbackServer, sendJson, TEST_KEY } from '../../client/loopback-server.test-support.ts';
import { Credentials } from '../../config/credentials.ts';
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
