import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { chatBody, startTestGateway, type TestGateway } from '../../parts/gateway.test-support.ts';
import { callWith, journalOf } from '../fault-cases.test-support.ts';

const CHAT = '/v1/chat/completions';
let gateway: TestGateway;

afterEach(() => gateway.running.close());

/** One connection on which requests are written by hand. */
async function openSocket(): Promise<Socket> {
  const { port } = new URL(gateway.running.ready.base_url);
  const socket = connect(Number(port), '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

/** Sends one request; what came back when the answer was whole, or how the connection ended. */
async function ask(socket: Socket, fault: string | null, path = '/v1/models'): Promise<string> {
  const header = fault === null ? '' : `x-weighbridge-fault: ${fault}\r\n`;
  const key = gateway.running.ready.api_key;
  let got = '';
  const ended = Promise.withResolvers<string>();
  const onData = (chunk: Buffer): void => {
    got += chunk.toString();
    const [head = '', body] = got.split('\r\n\r\n', 2);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN);
    if (body !== undefined && Buffer.byteLength(body) >= length) ended.resolve(got);
  };
  const onError = (error: Error): void => ended.resolve(`error ${'code' in error ? String(error.code) : ''}`);
  const onClose = (): void => ended.resolve('closed');
  socket.on('data', onData).once('error', onError).once('close', onClose);
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n${header}\r\n`);
  const outcome = await ended.promise;
  socket.off('data', onData).off('error', onError).off('close', onClose);
  return outcome;
}

test.each([
  ['reset', 'error ECONNRESET'],
  ['fin', 'closed'],
])(
  'net.reset_before: the connection ends by %s before any byte, and nothing is charged',
  async (manner, end) => {
    gateway = await startTestGateway();
    expect(await ask(await openSocket(), `net.reset_before; manner=${manner}`)).toBe(end);
    expect(await gateway.records()).toEqual([]);
    expect((await journalOf(gateway)).faults).toMatchObject([{ fault: 'net.reset_before', delta: '0' }]);
  },
);

test('net.refuse: the request is answered, then no connection is taken until the time is over', async () => {
  gateway = await startTestGateway();
  const answer = await callWith(gateway, 'net.refuse; for_ms=400', 'POST', CHAT, chatBody({ max_tokens: 2 }));
  expect(answer.status).toBe(200);
  const refused = await gateway.call('GET', '/v1/models').catch((error: Error) => error.cause);
  expect(refused).toMatchObject({ code: 'ECONNREFUSED' });
  await expect
    .poll(() =>
      gateway.call('GET', '/v1/models').then(
        ({ status }) => status,
        () => null,
      ),
    )
    .toBe(200);
  expect((await journalOf(gateway)).faults).toMatchObject([{ fault: 'net.refuse', delta: '0' }]);
});

test('net.refuse: a gateway that stops while it refuses does not come back', async () => {
  gateway = await startTestGateway();
  await callWith(gateway, 'net.refuse; for_ms=50', 'GET', '/v1/models');
  await gateway.running.close();
  await new Promise((resolve) => setTimeout(resolve, 120));
  await expect(openSocket()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('net.keepalive_race: the next request on the connection is reset, unseen and uncharged', async () => {
  gateway = await startTestGateway();
  const socket = await openSocket();
  expect(await ask(socket, 'net.keepalive_race')).toMatch(/^HTTP\/1.1 200/);
  expect(await ask(socket, null)).toBe('error ECONNRESET');
  expect((await journalOf(gateway)).faults).toMatchObject([{ fault: 'net.keepalive_race' }]);
  expect(await ask(await openSocket(), null)).toMatch(/^HTTP\/1.1 200/);
});

test('net.keepalive_race: an idle connection is closed after its time', async () => {
  gateway = await startTestGateway();
  const socket = await openSocket();
  const closed = once(socket, 'close');
  await ask(socket, 'net.keepalive_race; idle_ms=150; race=false');
  // A request before the time is served, and the time starts anew.
  expect(await ask(socket, null)).toMatch(/^HTTP\/1.1 200/);
  expect((await journalOf(gateway)).faults).toEqual([]);
  await closed;
  expect((await journalOf(gateway)).faults).toMatchObject([{ parameters: { idle_ms: 150, race: false } }]);
});

test.each([
  ['larger', 16],
  ['smaller', -16],
])('net.bad_length: announces %s than the body is', async (announced, by) => {
  gateway = await startTestGateway();
  const right = await gateway.call('GET', '/pricing.usd.json');
  const socket = await openSocket();
  let got = '';
  socket.on('data', (chunk: Buffer) => {
    got += chunk.toString();
  });
  const closed = once(socket, 'close');
  socket.write(
    `GET /pricing.usd.json HTTP/1.1\r\nhost: x\r\nx-weighbridge-fault: net.bad_length; announced=${announced}\r\n\r\n`,
  );
  await closed;
  const [head = '', body = ''] = got.split('\r\n\r\n', 2);
  expect(body.length).toBeGreaterThan(100);
  expect(body).toBe(right.text);
  expect(Number(/content-length: (\d+)/i.exec(head)?.[1])).toBe(Buffer.byteLength(body) + by);
  expect(head).toContain('connection: close');
});

test('net.bad_length: a client sees a broken answer of a call that is charged as usual', async () => {
  gateway = await startTestGateway();
  const call = callWith(gateway, 'net.bad_length', 'POST', CHAT, chatBody({ max_tokens: 3 }));
  await expect(call).rejects.toThrow();
  expect(await gateway.records()).toMatchObject([{ billing_status: 'settled', output_tokens: 3 }]);
  expect((await journalOf(gateway)).faults).toMatchObject([{ fault: 'net.bad_length', delta: '0' }]);
});

test('net.wrong_type: JSON for a stream and a stream for JSON, charged as usual', async () => {
  gateway = await startTestGateway();
  const json = await callWith(
    gateway,
    'net.wrong_type',
    'POST',
    CHAT,
    chatBody({ stream: true, max_tokens: 3 }),
  );
  expect(json.headers.get('content-type')).toContain('application/json');
  expect(json.json).toMatchObject({ object: 'chat.completion' });
  const stream = await callWith(gateway, 'net.wrong_type', 'POST', CHAT, chatBody({ max_tokens: 3 }));
  expect(stream.headers.get('content-type')).toBe('text/event-stream');
  expect(stream.text.endsWith('data: [DONE]\n\n')).toBe(true);
  expect(await gateway.records()).toMatchObject([
    { result: 'completed', output_tokens: 3 },
    { result: 'completed', output_tokens: 3 },
  ]);
  expect((await journalOf(gateway)).faults.map(({ fault }) => fault)).toEqual([
    'net.wrong_type',
    'net.wrong_type',
  ]);
});

test('the port is the same after net.refuse', async () => {
  gateway = await startTestGateway();
  const { port }: Partial<AddressInfo> = { port: Number(new URL(gateway.running.ready.base_url).port) };
  await callWith(gateway, 'net.refuse; for_ms=1', 'GET', '/v1/models');
  await expect
    .poll(() =>
      openSocket().then(
        ({ remotePort }) => remotePort,
        () => null,
      ),
    )
    .toBe(port);
});
