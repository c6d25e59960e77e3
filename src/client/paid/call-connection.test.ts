import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createSecureServer } from 'node:http2';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loopbackServer, TEST_KEY } from '../loopback-server.test-support.ts';
import { DEFAULT_CONNECTION } from '../open-dispatcher.ts';
import { testCertificate } from '../test-certificate.test-support.ts';
import { paidClient, textCall } from './paid-calls.test-support.ts';

const never = new AbortController().signal;
const STREAM = { 'content-type': 'text/event-stream' };
const ANSWER = `data: ${JSON.stringify({ choices: [{ delta: { content: 'x' }, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`;

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('expected a port');
  return address.port;
}

test('HTTP/2 is agreed where the target has it and the settings allow it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'weighbridge-h2-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const made = testCertificate('gateway.test');
  writeFileSync(join(folder, 'ca.pem'), made.authority);
  const server = createSecureServer(
    { cert: made.certificate, key: made.key, allowHTTP1: true },
    (_, response) => {
      response.writeHead(200, STREAM);
      response.end(ANSWER);
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const port = portOf(server.address());
  const hosts = { 'gateway.test': '127.0.0.1' };
  for (const [http2, proto] of [
    [true, 'HTTP/2.0'],
    [false, 'HTTP/1.1'],
  ] as const) {
    const client = paidClient(`https://gateway.test:${port}`, TEST_KEY, {
      environment: { WEIGHBRIDGE_CA_FILE: join(folder, 'ca.pem') },
      connection: { ...DEFAULT_CONNECTION, http2, hosts },
    });
    const { row, phases, since_sent } = await client.text(textCall('chat', true), never);
    expect(row).toMatchObject({ outcome: 'ok', proto, out_chars: 1 });
    expect([phases.connect, phases.tls, phases.send, phases.wait].every((ms) => ms !== null)).toBe(true);
    expect(since_sent.first_content).toBeGreaterThan(0);
  }
});

test('behind a proxy the call goes the way of the environment, and its steps are not seen', async () => {
  const target = await loopbackServer((_, response) => response.writeHead(200, STREAM).end(ANSWER));
  onTestFinished(() => target.close());
  const asked: string[] = [];
  const proxy = createServer();
  proxy.on('connect', (request, socket, head) => {
    asked.push(request.url ?? '');
    const through = connect(Number(new URL(target.root).port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      through.write(head);
      socket.pipe(through).pipe(socket);
    });
    for (const side of [socket, through]) side.on('error', () => undefined);
  });
  proxy.on('request', (request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(200, STREAM).end(ANSWER);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const environment = { HTTP_PROXY: `http://127.0.0.1:${portOf(proxy.address())}` };
  const client = paidClient('http://gateway.test', TEST_KEY, { environment });
  const { row, phases } = await client.text(textCall('chat', true), never);
  expect(row).toMatchObject({ outcome: 'ok', conn_reused: false });
  expect(asked.join()).toContain('gateway.test');
  expect(phases).toMatchObject({ resolve: null, connect: null, tls: null, send: null });
  expect(phases.wait).not.toBeNull();
});
