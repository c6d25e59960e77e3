import { createServer, request as httpRequest } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import { keyFingerprint } from './account/account-registry.ts';
import { journalOf } from './faults/fault-cases.test-support.ts';
import { chatBody, startTestGateway, type TestGateway } from './parts/gateway.test-support.ts';

const CHAT = '/v1/chat/completions';
const PROVIDER_KEY = 'provider-key-of-the-gateway-under-test';
const MARKER = 'wb00000000000000bb';

const close: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of close.splice(0).reverse()) await end();
});

async function startUpstream(): Promise<TestGateway> {
  const upstream = await startTestGateway({ upstream: true });
  close.push(() => upstream.running.close());
  return upstream;
}

/** A gateway under test: calls the upstream by a key of its own, and cuts what it passes on after some events. */
async function startFront(upstream: TestGateway, events: number): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    const headers = { authorization: `Bearer ${PROVIDER_KEY}`, 'content-type': 'application/json' };
    const onwards = httpRequest(upstream.running.ready.base_url + incoming.url, { method: 'POST', headers });
    incoming.pipe(onwards);
    onwards.on('response', (answer) => {
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
      let passed = '';
      answer.on('data', (chunk) => {
        passed += String(chunk);
        const whole = passed.split(/(?<=\n\n)/).filter((event) => event.endsWith('\n\n'));
        if (whole.length < events) return;
        onwards.destroy();
        outgoing.end(whole.slice(0, events).join(''));
      });
      answer.on('error', () => undefined);
    });
    onwards.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close.push(() => new Promise((resolve) => server.close(resolve)));
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return `http://127.0.0.1:${port}`;
}

test('any key is taken, and has an account of its own', async () => {
  const upstream = await startUpstream();
  for (const key of ['sk-one', 'two', 'sk-one']) {
    const headers = { authorization: `Bearer ${key}` };
    expect((await upstream.call('POST', CHAT, chatBody({ max_tokens: 2 }), headers)).status).toBe(200);
  }
  const message = { model: 'aspen-mini', max_tokens: 2, messages: [{ role: 'user', content: 'x' }] };
  const byHeader = await upstream.call('POST', '/v1/messages', message, {
    authorization: null,
    'x-api-key': 'two',
  });
  expect(byHeader.status).toBe(200);
  expect((await upstream.call('POST', CHAT, chatBody(), { authorization: null })).status).toBe(401);
  const { calls } = await journalOf(upstream);
  expect(calls.map(({ key_fp }) => key_fp)).toEqual(['sk-one', 'two', 'sk-one', 'two'].map(keyFingerprint));
  const usage = await upstream.call('GET', '/v1/usage', undefined, { authorization: 'Bearer two' });
  expect(usage.json).toMatchObject({ records: 2 });
});

test('behind a gateway that cuts a stream, the journal shows what was delivered to it', async () => {
  const upstream = await startUpstream();
  const front = await startFront(upstream, 5);
  expect(
    (await upstream.control('PUT', '/latency', 'preset: fast\nitl: { fixed: { ms: 20 } }\n')).status,
  ).toBe(200);
  const content = `${MARKER} tell me a story`;
  const body = chatBody({ stream: true, max_tokens: 60, messages: [{ role: 'user', content }] });
  const answer = await fetch(front + CHAT, { method: 'POST', body: JSON.stringify(body) });
  const got = await answer.text();
  expect(got.match(/^data: /gm)).toHaveLength(5);
  await expect.poll(async () => (await journalOf(upstream)).calls).toHaveLength(1);
  const [call] = (await journalOf(upstream)).calls;
  expect(call).toMatchObject({
    marker: MARKER,
    key_fp: keyFingerprint(PROVIDER_KEY),
    endpoint: CHAT,
    model: 'aspen-mini',
    result: 'incomplete',
  });
  expect(call?.events).toBeGreaterThanOrEqual(5);
  expect(call?.events).toBeLessThan(60);
  // The first event carries the role, each of the others a token.
  expect(call?.output_tokens).toBe((call?.events ?? 0) - 1);
  expect(call?.input_tokens).toBeGreaterThan(0);
});

test('the first key stays that of the first account', async () => {
  const upstream = await startUpstream();
  await upstream.call('POST', CHAT, chatBody({ max_tokens: 1 }));
  const { user_id } = upstream.running.ready;
  expect((await upstream.control('GET', `/accounts/${user_id}`)).json).toMatchObject({ requests: 1 });
});

test('without the flag an unknown key is refused', async () => {
  const closed = await startTestGateway();
  close.push(() => closed.running.close());
  const headers = { authorization: `Bearer ${PROVIDER_KEY}` };
  expect((await closed.call('POST', CHAT, chatBody(), headers)).status).toBe(401);
});
