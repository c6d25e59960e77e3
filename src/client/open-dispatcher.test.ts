import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GatewayClient } from './gateway-client.ts';
import { TEST_KEY } from './loopback-server.test-support.ts';
import { type ConnectionOptions, DEFAULT_CONNECTION } from './open-dispatcher.ts';
import type { Environment } from './proxy-of.ts';
import { testCertificate } from './test-certificate.test-support.ts';
import { CA_VARIABLES } from './trusted-roots.ts';

/** The name of no machine: only the proxy knows where it leads. */
const HOST = 'gateway.test';
const PASSWORD = 'proxy-secret';

let folder = '';
let caFile = '';
let proxyPort = 0;
let plainPort = 0;
let targetPort = 0;
let oldPort = 0;
let asked: string[] = [];
let agents: (string | undefined)[] = [];
let refusal: number | null = null;
const servers: Server[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weighbridge-proxy-'));
  caFile = join(folder, 'ca.pem');
  const pair = testCertificate(HOST);
  await writeFile(caFile, pair.authority);
  const target = createSecureServer({ cert: pair.certificate, key: pair.key }, (request, response) => {
    agents.push(request.headers['user-agent']);
    response.end('{"object":"list","data":[]}');
  });
  targetPort = await listen(target);
  const old = { cert: pair.certificate, key: pair.key, maxVersion: 'TLSv1.2' } as const;
  oldPort = await listen(createSecureServer(old));
  const proxy = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers['proxy-authorization']}`);
    response.end('{"object":"list","data":[]}');
  });
  proxy.on('connect', (request, socket, head) => {
    asked.push(`CONNECT ${request.url} ${request.headers['proxy-authorization']}`);
    if (refusal !== null) {
      socket.end(`HTTP/1.1 ${refusal} No\r\n\r\n`);
      return;
    }
    const upstream = connect(targetPort, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.write(head);
      upstream.pipe(socket).on('error', () => upstream.destroy());
      socket.pipe(upstream).on('error', () => socket.destroy());
    });
  });
  proxyPort = await listen(proxy);
  plainPort = await listen(createServer((_request, response) => response.end('{"object":"list","data":[]}')));
});

afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await rm(folder, { recursive: true });
});

function listen(server: Server): Promise<number> {
  servers.push(server);
  return new Promise((resolve, reject) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new Error('expected a port'));
      else resolve(address.port);
    });
  });
}

async function models(root: string, environment: Environment, connection: Partial<ConnectionOptions> = {}) {
  asked = [];
  agents = [];
  const client = new GatewayClient({
    bases: { root, v1: `${root}/v1`, api: `${root}/api` },
    apiKey: TEST_KEY,
    timeoutMs: 5000,
    userAgent: 'weighbridge/0 run/r1',
    retry: { attempts: 1, firstWaitMs: 0, factor: 1, maxWaitMs: 0 },
    environment,
    connection: { ...DEFAULT_CONNECTION, ...connection },
  });
  try {
    return await client.models(true);
  } finally {
    await client.close();
  }
}

function proxyAddress(): string {
  return `http://user:${PASSWORD}@127.0.0.1:${proxyPort}`;
}

const AUTHORIZATION = `Basic ${Buffer.from(`user:${PASSWORD}`).toString('base64')}`;

describe('openDispatcher', () => {
  it.each(CA_VARIABLES)('tunnels to a target that is trusted by %s', async (name) => {
    const result = await models(`https://${HOST}`, { HTTPS_PROXY: proxyAddress(), [name]: caFile });
    expect(result).toMatchObject({ ok: true, status: 200 });
    expect(asked).toEqual([`CONNECT ${HOST}:443 ${AUTHORIZATION}`]);
    expect(agents).toEqual(['weighbridge/0 run/r1']);
  });

  it('sends plain HTTP through the proxy without a tunnel', async () => {
    const result = await models(`http://${HOST}`, { http_proxy: proxyAddress() });
    expect(result.ok).toBe(true);
    expect(asked).toEqual([`GET http://${HOST}/v1/models ${AUTHORIZATION}`]);
  });

  it('goes straight to loopback', async () => {
    const result = await models(`http://127.0.0.1:${plainPort}`, { HTTP_PROXY: proxyAddress() });
    expect(result.ok).toBe(true);
    expect(asked).toEqual([]);
  });

  it('refuses a certificate of an authority that is not trusted', async () => {
    const result = await models(`https://${HOST}`, { HTTPS_PROXY: proxyAddress() });
    expect(result).toMatchObject({ ok: false, status: null, errorType: 'tls' });
    expect(result).toMatchObject({
      message: expect.stringMatching(/^a certificate of no trusted authority/),
    });
  });

  it('leads a name where hosts says, and still checks the certificate against the name', async () => {
    const hosts = { [HOST]: `127.0.0.1:${targetPort}`, 'other.test': `127.0.0.1:${targetPort}` };
    expect(await models(`https://${HOST}`, { WEIGHBRIDGE_CA_FILE: caFile }, { hosts })).toMatchObject({
      ok: true,
    });
    const other = await models('https://other.test', { WEIGHBRIDGE_CA_FILE: caFile }, { hosts });
    expect(other).toMatchObject({ ok: false, errorType: 'tls' });
  });

  it('skips the check of certificates and refuses old TLS where it is told to', async () => {
    const root = `https://127.0.0.1:${targetPort}`;
    expect(await models(root, {}, { insecure_skip_tls_verify: true })).toMatchObject({ ok: true });
    const tls13 = { insecure_skip_tls_verify: true, tls_min: 'tls1.3' } as const;
    expect(await models(root, {}, tls13)).toMatchObject({ ok: true });
    expect(await models(`https://127.0.0.1:${oldPort}`, {}, tls13)).toMatchObject({
      ok: false,
      errorType: 'tls',
      message: expect.stringMatching(/^no TLS version that both sides allow \(ERR_SSL_/),
    });
  });

  it('never repeats the password of a proxy that fails', async () => {
    refusal = 407;
    const refused = await models(`https://${HOST}`, { HTTPS_PROXY: proxyAddress() }).finally(() => {
      refusal = null;
    });
    const absent = await models(`https://${HOST}`, { HTTPS_PROXY: `http://user:${PASSWORD}@127.0.0.1:1` });
    for (const result of [refused, absent]) {
      expect(result).toMatchObject({ ok: false, status: null });
      expect(JSON.stringify(result)).not.toContain(PASSWORD);
    }
  });

  it.each([
    ['missing.pem', null],
    ['empty.pem', 'no certificate'],
  ])('refuses a file of certificates that is unusable: %s', async (file, text) => {
    const path = join(folder, file);
    if (text !== null) await writeFile(path, text);
    const opened = models(`https://${HOST}`, { WEIGHBRIDGE_CA_FILE: path });
    await expect(opened).rejects.toThrow(/^WEIGHBRIDGE_CA_FILE: /);
  });
});
