import { expect, test } from 'vitest';
import { loopbackServer, sendJson, TEST_KEY } from '../../client/loopback-server.test-support.ts';
import { Credentials } from '../../config/credentials.ts';
import { clientOf, targetFailure } from './weighed-target.ts';

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

test('a failure of TLS names the settings that mend it', () => {
  const failure = {
    ok: false,
    status: null,
    code: null,
    message: 'm',
    retryAfterS: null,
    requestId: null,
  } as const;
  const { hint } = targetFailure('GET /v1/models', { ...failure, errorType: 'tls' });
  for (const name of ['WEIGHBRIDGE_CA_FILE', 'http.insecure_skip_tls_verify', 'http.tls_min'])
    expect(hint).toContain(name);
  const plain = { ...failure, errorType: 'tls', message: 'no TLS at that port (ERR_SSL_X)' } as const;
  expect(targetFailure('GET /v1/models', plain).hint).toMatch(/^begin the address with http:\/\//);
  expect(targetFailure('GET /v1/models', { ...failure, errorType: 'dns' }).hint).toContain('--target');
});
