import { expect, onTestFinished, test } from 'vitest';
import { loopbackServer, sendJson, TEST_KEY } from './loopback-server.test-support.ts';
import { DEFAULT_CONNECTION, openDispatcher } from './open-dispatcher.ts';
import { sendRefusable } from './refusable-request.ts';

test.each(['x-oneapi-request-id', 'x-request-id', 'request-id', 'x-litellm-call-id'])(
  'a refusal that repeats the key in %s and its body does not bring it in',
  async (name) => {
    const echoed = Buffer.from(`Bearer ${TEST_KEY}`).toString('base64');
    const server = await loopbackServer((_, response) =>
      sendJson(
        response,
        401,
        { error: { message: `found ${echoed}`, type: 'x', code: TEST_KEY } },
        { [name]: TEST_KEY },
      ),
    );
    onTestFinished(() => server.close());
    const dispatcher = openDispatcher(server.root, {}, DEFAULT_CONNECTION);
    onTestFinished(() => dispatcher.close());
    const answer = await sendRefusable({
      url: `${server.root}/v1/models`,
      headers: {},
      body: null,
      dispatcher,
      timeoutMs: 5_000,
      signal: new AbortController().signal,
      credentials: [TEST_KEY],
    });
    expect(answer).toMatchObject({ status: 401, request_id: '[credential]', code: '[credential]' });
    expect(answer.message).toContain('[credential]');
    expect(answer.message).not.toContain(echoed.slice(-12));
  },
);
