import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { loopbackServer, sendJson, TEST_KEY, testClient } from '../loopback-server.test-support.ts';
import type { UsagePageQuery } from './bill-reader.ts';

const WINDOW = { start: 1_790_000_000, end: 1_790_000_100 };
const PAGE: UsagePageQuery = { window: WINDOW, limit: 100, before: null };
const OWN = createHash('sha256').update(TEST_KEY).digest('hex');
const MARK = { 'x-litellm-version': '1.80.0' };

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

function row(id: string, second: number, more: Readonly<Record<string, unknown>> = {}) {
  return {
    request_id: id,
    api_key: OWN,
    model: 'openai/wb-chat',
    model_group: 'wb-chat',
    spend: 0.0000165,
    prompt_tokens: 20,
    completion_tokens: 5,
    startTime: new Date(second * 1000).toISOString(),
    metadata: { status: 'success', additional_usage_values: { cache_read_input_tokens: 8 } },
    user: 'ada',
    messages: 'a prompt',
    ...more,
  };
}

async function litellm(rows: readonly unknown[], isMarked = true) {
  const days: (string | null)[] = [];
  const server = await loopbackServer((_request, response, url) => {
    if (url.pathname === '/spend/logs') {
      days.push(url.searchParams.get('start_date'), url.searchParams.get('end_date'));
      return sendJson(response, 200, rows, MARK);
    }
    if (url.pathname === '/model/info') {
      const deployed = (model_name: string, cost: string) =>
        `{"model_name":"${model_name}","litellm_params":{"api_base":"https://inside"},"model_info":{"id":"1","litellm_provider":"openai","input_cost_per_token":${cost},"output_cost_per_token":null}}`;
      const all = [
        deployed('one', '1.5e-07'),
        deployed('twice', '1e-6'),
        deployed('twice', '2e-6'),
        deployed('image', '0,"output_cost_per_image":0.011'),
      ];
      return sendJson(response, 200, `{"data":[${all.join()}]}`, MARK);
    }
    return sendJson(response, 404, { detail: 'Not Found' }, isMarked ? MARK : {});
  });
  const client = testClient(server.root, { dialect: 'auto' });
  open.push(client, server);
  return { server, client, days };
}

describe("LiteLLM's proxy", () => {
  it('is known by its header, and its rows are cut to the window and the key', async () => {
    const { client, days } = await litellm([
      row('chatcmpl-1', WINDOW.start),
      row('before', WINDOW.start - 1),
      row('after', WINDOW.end),
      row('of another key', WINDOW.start, { api_key: 'f'.repeat(64) }),
      row('chatcmpl-2', WINDOW.end - 1, { status: 'failure', spend: 0, metadata: '{}' }),
      row('noise', WINDOW.start, {
        spend: 1.3350000000000001e-5,
        metadata: {
          litellm_call_id: 'call-7',
          usage_object: { prompt_tokens_details: { cached_tokens: 3, cache_creation_tokens: 2 } },
        },
      }),
      row('fine', WINDOW.start, { spend: 1.3512345e-7 }),
    ]);
    const page = await client.usageRequests(PAGE);
    if (!page.ok) throw new Error(page.message);
    expect(client.dialect).toBe('litellm');
    expect(days).toEqual(['2026-09-21', '2026-09-22']);
    expect(page.body.data).toMatchObject([
      {
        id: 'chatcmpl-1',
        request_id: 'chatcmpl-1',
        created_at: WINDOW.start,
        model: 'wb-chat',
        amount: '0.0000165',
        result: 'completed',
        input_tokens: 20,
        output_tokens: 5,
        cache_read_tokens: 8,
      },
      { id: 'chatcmpl-2', result: 'failed', amount: '0' },
      // What a double prints is the amount that it stands for; more digits of its own stay.
      {
        id: 'noise',
        request_id: 'call-7',
        amount: '0.00001335',
        cache_read_tokens: 3,
        cache_write_tokens: 2,
      },
      { id: 'fine', amount: '0.00000013512345' },
    ]);
    const kept = Buffer.from(page.bytes).toString();
    for (const mark of ['ada', 'a prompt', OWN]) expect(kept).not.toContain(mark);
    expect(await client.usageTotals({ window: WINDOW })).toMatchObject({ body: { records: 4 } });
    const one = await client.usageRequests({ ...PAGE, requestId: 'call-7' });
    expect(one).toMatchObject({ body: { data: [{ id: 'noise' }] } });
  });

  it('is a plain server where nothing bears its mark, and is asked no more', async () => {
    const { server, client } = await litellm([], false);
    expect(await client.usageRequests(PAGE)).toMatchObject({ ok: false, status: 404 });
    expect(await client.usageRequests(PAGE)).toMatchObject({ ok: false, status: 404 });
    expect(client.dialect).toBe('interface');
    expect(server.requests.map(({ url }) => (url ?? '').split('?')[0])).toEqual([
      '/v1/usage/requests',
      '/v1/usage',
      '/api/status',
      '/v1/models',
      '/v1/usage/requests',
    ]);
  });

  it('is not looked for where the dialect is named', async () => {
    const { server } = await litellm([]);
    const plain = testClient(server.root, { dialect: 'plain' });
    open.push(plain);
    expect(await plain.usageRequests(PAGE)).toMatchObject({ ok: false, code: 'not_offered' });
    expect(await plain.priceBook()).toMatchObject({ ok: false, status: 404 });
    expect(server.requests).toHaveLength(0);
  });

  it('is asked for its prices with the key only where they are not public', async () => {
    const { server, client } = await litellm([]);
    const book = await client.priceBook();
    // Two deployments of one name have two prices, so that it has none.
    expect(book).toMatchObject({
      ok: true,
      body: '{"one":{"litellm_provider":"openai","input_cost_per_token":1.5e-7},"image":{"litellm_provider":"openai","output_cost_per_image":0.011}}',
    });
    expect(server.requests.at(-1)?.headers.authorization).toBeUndefined();
  });
});
