import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loopbackServer, sendJson, TEST_KEY } from '../../client/loopback-server.test-support.ts';
import { Credentials, loadCredentials } from '../../config/credentials.ts';
import { loadConfig } from '../../config/load-config.ts';
import { clientOf, closeReaders, openTarget, readersOf } from './weighed-target.ts';

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

test('each of several keys has a reader that is told from the others; one key needs no name', async () => {
  const { signal } = new AbortController();
  const bases = { root: 'http://127.0.0.1:9', v1: 'http://127.0.0.1:9/v1', api: 'http://127.0.0.1:9/api' };
  const readers = (furtherKeys: readonly string[]) => {
    const credentials = new Credentials({ apiKey: 'sk-one', furtherKeys, accessToken: null, userId: null });
    return readersOf(credentials.byKey, (each) => clientOf(bases, each, signal, 'r1'));
  };
  const [one, two] = [readers([]), readers(['sk-two'])];
  // printf sk-one | sha256sum
  expect([one, two].map((each) => each.map(({ keyFp }) => keyFp))).toEqual([
    [undefined],
    ['456f1612bd25c6c8', '5e31278545505db1'],
  ]);
  await closeReaders([...one, ...two]);
});

test('what a target repeats to one key of another one is masked', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'wb-keys-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const keys = ['sk-first-0123456789abcdef', 'sk-second-0123456789abcdef'];
  const files = keys.map((key, index) => {
    writeFileSync(join(dir, `${index}.txt`), key);
    return join(dir, `${index}.txt`);
  });
  const server = await loopbackServer((_request, response) =>
    sendJson(response, 400, {
      error: { code: 'bad', message: `not ${keys.join(' or ')}`, type: 'invalid_request_error' },
    }),
  );
  const config = loadConfig({ file: undefined, env: {}, flags: { target: server.root } });
  const none = { faults: null, journal: null, readings: null };
  const weighed = await openTarget(config, {}, none, new AbortController().signal, 'r1', files);
  const said = await Promise.all(weighed.readers.map(({ client }) => client.models(true)));
  await weighed.close();
  await server.close();
  expect(said.map((each) => each.ok)).toEqual([false, false]);
  expect(JSON.stringify(said)).toMatch(/not .*\[credential\] or .*\[credential\]/);
  expect(JSON.stringify(said)).not.toMatch(/sk-(first|second)/);
});

test('key files without a target are refused: the embedded gateway has its own key', async () => {
  const config = loadConfig({ file: undefined, env: {}, flags: {} });
  const none = { faults: null, journal: null, readings: null };
  const opened = openTarget(config, {}, none, new AbortController().signal, 'r1', ['key.txt']);
  await expect(opened).rejects.toMatchObject({ code: 'key_file_without_target' });
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
    { headers: { authorization: 'env:MINE', 'x-tenant': 'blue' } },
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
