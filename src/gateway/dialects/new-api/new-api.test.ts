import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import { parseAmount } from '../../../core/amount.ts';
import { KEPT_LINES } from '../../journal/call-journal.ts';
import { latencyOf } from '../../latency/latency-preset.ts';
import {
  type Answer,
  chatBody,
  startTestGateway,
  type TestGateway,
} from '../../parts/gateway.test-support.ts';

const CHAT = '/v1/chat/completions';
const LONG = Array.from({ length: 1400 }, (_, index) => `word${index}`).join(' ');

const row = z.looseObject({
  id: z.number(),
  created_at: z.number(),
  type: z.number(),
  quota: z.number(),
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  is_stream: z.boolean(),
  model_name: z.string(),
  token_name: z.string(),
  content: z.string(),
  request_id: z.string().optional(),
  other: z.string(),
});
type Row = z.infer<typeof row>;
const page = z.object({
  success: z.literal(true),
  data: z.object({ page: z.number(), page_size: z.number(), total: z.number(), items: z.array(row) }),
});
const terms = z.looseObject({ group_ratio: z.number(), model_price: z.number() });

let gateway: TestGateway;
const open: TestGateway[] = [];

async function start(switches: readonly string[] = [], options: object = {}): Promise<TestGateway> {
  gateway = await startTestGateway({ worn: { name: 'new-api', switches: new Set(switches) }, ...options });
  open.push(gateway);
  return gateway;
}
afterEach(async () => {
  await Promise.all(open.splice(0).map(({ running }) => running.close()));
});

function own(on: TestGateway): Record<string, string> {
  const { access_token, user_id } = on.running.ready;
  return { authorization: `Bearer ${access_token}`, 'new-api-user': String(user_id) };
}

async function log(query = ''): Promise<z.infer<typeof page>['data']> {
  const answer = await gateway.call('GET', `/api/log/self?page_size=100${query}`, undefined, own(gateway));
  return page.parse(answer.json).data;
}

async function rows(query = ''): Promise<readonly Row[]> {
  return (await log(query)).items;
}

function idOf({ headers }: Answer): string {
  return headers.get('x-oneapi-request-id') ?? '';
}

const call = z.looseObject({ type: z.literal('call'), request_id: z.string(), amount: z.string() });
const journal = z.object({ lines: z.array(z.looseObject({ type: z.string() })) });

/** What the gateway says that each call came to, in units. */
async function truth(): Promise<ReadonlyMap<string, number>> {
  const { lines } = journal.parse((await gateway.control('GET', '/journal')).json);
  expect(lines.length).toBeLessThan(KEPT_LINES);
  const calls = lines.filter(({ type }) => type === 'call').map((line) => call.parse(line));
  return new Map(
    calls.map(({ request_id, amount }) => [request_id, Number((parseAmount(amount) ?? 0n) / 2_000_000n)]),
  );
}

test('the reads of the interface are missing in the form of such a gateway', async () => {
  await start();
  const usage = await gateway.call('GET', '/v1/usage');
  expect(usage.status).toBe(404);
  expect(usage.json).toMatchObject({
    error: { message: 'Invalid URL (GET /v1/usage)', type: 'invalid_request_error', code: '' },
  });
  for (const path of ['/v1/usage/requests', '/v1/images/jobs/x', '/api/nothing'])
    expect([path, (await gateway.call('GET', path)).status]).toEqual([path, 404]);
  for (const path of ['/v1/images/generations/jobs', '/v1/videos/generations'])
    expect([path, (await gateway.call('POST', path, {})).status]).toEqual([path, 404]);
  const book = await gateway.call('GET', '/pricing.usd.json');
  expect([book.status, book.headers.get('content-type'), book.text]).toEqual([
    200,
    expect.stringContaining('text/html'),
    expect.stringContaining('<!doctype html>'),
  ]);
});

test('one header alone names a request, in every answer, and no body of a success does', async () => {
  await start();
  const answers = [
    await gateway.call('POST', CHAT, chatBody({ max_tokens: 2 })),
    await gateway.call('POST', CHAT, chatBody({ max_tokens: 2, stream: true })),
    await gateway.call('POST', CHAT, chatBody({ model: 'none' })),
    await gateway.call('GET', '/api/status'),
  ];
  for (const answer of answers) {
    expect(idOf(answer)).toMatch(/^\d{14}\d{1,9}[0-9a-f]{8}[A-Za-z]{8}$/);
    expect([answer.headers.get('x-request-id'), answer.headers.get('request-id')]).toEqual([null, null]);
  }
  expect(new Set(answers.map(idOf)).size).toBe(4);
  for (const answer of answers.slice(0, 2)) expect(answer.text).not.toContain(idOf(answer));
});

test('each settled call has a row of type 2 that prices itself, and it is what the journal says', async () => {
  await start();
  const body = { messages: [{ role: 'user', content: 'hello there' }], max_tokens: 9 };
  const answers = [
    await gateway.call('POST', CHAT, chatBody({ max_tokens: 20 })),
    await gateway.call('POST', CHAT, chatBody({ max_tokens: 20, stream: true })),
    await gateway.call('POST', '/v1/responses', { model: 'birch-4.1', input: 'x', max_output_tokens: 7 }),
    await gateway.call('POST', '/v1/messages', { model: 'cedar-sonnet', ...body }),
    await gateway.call('POST', '/v1/messages', { model: 'fjord-reasoner', ...body }),
  ];
  const found = await rows();
  expect(found.map(({ request_id }) => request_id)).toEqual(answers.map(idOf).reverse());
  const charged = await truth();
  for (const { request_id = '', quota, other, prompt_tokens, completion_tokens, type } of found) {
    const told = z
      .looseObject({ model_ratio: z.number(), completion_ratio: z.number(), group_ratio: z.number() })
      .parse(JSON.parse(other));
    const units =
      (prompt_tokens + completion_tokens * told.completion_ratio) * told.model_ratio * told.group_ratio;
    expect([type, quota]).toEqual([2, Math.max(1, Math.floor(Number(units.toFixed(6)) + 0.5))]);
    expect(charged.get(request_id)).toBe(quota);
  }
  expect(found.map(({ is_stream }) => is_stream)).toEqual([false, false, false, true, false]);
  expect(found.map(({ other }) => JSON.parse(other)).map(({ frt }) => frt === -1000)).toEqual([
    true,
    true,
    true,
    false,
    true,
  ]);
  expect(JSON.parse(found[1]?.other ?? '')).toMatchObject({
    claude: true,
    usage_semantic: 'anthropic',
    request_conversion: ['Claude Messages'],
  });
  expect(JSON.parse(found[0]?.other ?? '')).toMatchObject({
    request_conversion: ['Claude Messages', 'OpenAI Compatible'],
  });
});

test('behind a provider of the messages format, rows count cached tokens apart; else inside', async () => {
  await start();
  const prompt = [
    { role: 'user', content: LONG },
    { role: 'user', content: 'and now?' },
  ];
  const told = z.object({
    usage: z.looseObject({ input_tokens: z.number(), cache_read_input_tokens: z.number() }),
  });
  const claude = { model: 'cedar-sonnet', messages: prompt, max_tokens: 2 };
  const other = { model: 'aspen-mini', messages: prompt, max_tokens: 2 };
  for (const body of [claude, claude, other, other]) await gateway.call('POST', '/v1/messages', body);
  const again = told.parse((await gateway.call('POST', '/v1/messages', other)).json).usage;
  const [last, , , read, written] = await rows();
  const termsOf = (one: Row | undefined) =>
    z.looseObject({ cache_tokens: z.number() }).parse(JSON.parse(one?.other ?? ''));
  expect(termsOf(written)).toMatchObject({ cache_tokens: 0, cache_write_tokens: termsOf(read).cache_tokens });
  expect(termsOf(read).cache_tokens).toBeGreaterThan(1024);
  expect(read?.prompt_tokens).toBeLessThan(20);
  expect(last?.prompt_tokens).toBeGreaterThan(termsOf(last).cache_tokens);
  // The client sees the cached ones beside, whatever the provider.
  expect(again).toMatchObject({
    input_tokens: last?.prompt_tokens,
    cache_read_input_tokens: termsOf(last).cache_tokens,
  });
});

test('a cache write that asks for an hour is told and charged as one', async () => {
  await start();
  const content = [{ type: 'text', text: LONG, cache_control: { type: 'ephemeral', ttl: '1h' } }];
  const messages = [
    { role: 'user', content },
    { role: 'user', content: 'and now?' },
  ];
  const ask = () => gateway.call('POST', '/v1/messages', { model: 'cedar-sonnet', messages, max_tokens: 2 });
  await ask();
  const [written] = await rows();
  const told = z
    .looseObject({
      cache_creation_tokens_5m: z.number(),
      cache_creation_tokens_1h: z.number(),
      cache_creation_ratio_1h: z.number(),
    })
    .parse(JSON.parse(written?.other ?? ''));
  expect(told).toMatchObject({ cache_creation_tokens_5m: 0, cache_creation_ratio_1h: 2 });
  const { prompt_tokens = 0, completion_tokens = 0, quota } = written ?? {};
  const units = (prompt_tokens + told.cache_creation_tokens_1h * 2 + completion_tokens * 5) * 1.5;
  expect(quota).toBe(Math.floor(units + 0.5));
});

test('images cost their price times n, and the row tells n in its text alone', async () => {
  await start();
  const answer = await gateway.call('POST', '/v1/images/generations', {
    model: 'lumen-image-mini',
    prompt: 'x',
    n: 3,
  });
  expect(z.object({ data: z.array(z.unknown()).length(3) }).safeParse(answer.json).success).toBe(true);
  const [image] = await rows();
  expect(image).toMatchObject({ quota: 16_500, content: expect.stringContaining('n 3') });
  expect((await truth()).get(idOf(answer))).toBe(16_500);
  expect(terms.parse(JSON.parse(image?.other ?? ''))).toMatchObject({ model_price: 0.011, group_ratio: 1 });
});

test('a grid prices a picture by size and quality, and its row tells the cell', async () => {
  await start();
  const pricing = z.object({ data: z.array(z.looseObject({ model_name: z.string() })) });
  const listed = pricing.parse(
    (await gateway.call('GET', '/api/pricing', undefined, { authorization: null })).json,
  );
  expect(listed.data.find(({ model_name }) => model_name === 'lumen-image')).toMatchObject({
    quota_type: 1,
    grid_pricing: expect.arrayContaining([
      { Size: '1024x1536', Quality: 'high', Pricing: 0.25, PricingSuffix: '/image' },
    ]),
  });
  await gateway.call('POST', '/v1/images/generations', {
    model: 'lumen-image',
    prompt: 'x',
    size: '1024x1536',
    quality: 'high',
  });
  const [image] = await rows();
  expect(image?.quota).toBe(125_000);
  expect(terms.parse(JSON.parse(image?.other ?? '')).model_price).toBe(0.25);
});

test('prices come in another order at each read, by ratios, with groups', async () => {
  await start();
  const pricing = z.looseObject({ data: z.array(z.looseObject({ model_name: z.string() })) });
  const read = async () => pricing.parse((await gateway.call('GET', '/api/pricing')).json);
  const [one, two] = [await read(), await read()];
  const names = (list: typeof one) => list.data.map(({ model_name }) => model_name);
  expect(names(one)).not.toEqual(names(two));
  expect([...names(one)].sort()).toEqual([...names(two)].sort());
  expect(one).toMatchObject({ success: true, group_ratio: { default: 1, plus: 0.8, bulk: 0.5 } });
  expect(one.data.filter((model) => 'pricing_version' in model)).toEqual([one.data[0]]);
  const mini = one.data.find(({ model_name }) => model_name === 'aspen-mini');
  expect(mini).toMatchObject({ quota_type: 0, model_ratio: 0.075, completion_ratio: 4, cache_ratio: 0.5 });
  expect(mini).not.toHaveProperty('create_cache_ratio');
});

test('a key of a group is charged by its ratio, and its rows tell it', async () => {
  await start();
  const { apiKey, accessToken, userId } = await gateway.newKey({
    balance_usd: '100',
    key: { group: 'bulk' },
  });
  const body = { model: 'lumen-image-mini', prompt: 'x' };
  await gateway.call('POST', '/v1/images/generations', body, { authorization: `Bearer ${apiKey}` });
  const headers = { authorization: accessToken, 'new-api-user': String(userId) };
  const answer = await gateway.call('GET', '/api/log/self', undefined, headers);
  const [image] = page.parse(answer.json).data.items;
  expect(image).toMatchObject({ quota: 2750, group: 'bulk' });
  expect(terms.parse(JSON.parse(image?.other ?? '')).group_ratio).toBe(0.5);
});

test('a task is charged when it is created; its failure gives that back in a row without a request id', async () => {
  await start([], { latency: { ...latencyOf('fast'), video_run: { kind: 'fixed', ms: 60_000 } } });
  const video = { model: 'orbit-2', prompt: 'x', seconds: '4', size: '1792x1024' };
  const answer = await gateway.call('POST', '/v1/videos', video);
  const { id, task_id } = z.object({ id: z.string(), task_id: z.string() }).parse(answer.json);
  expect(id).toMatch(/^task_/);
  expect(task_id).toBe(id);
  expect(answer.headers.get('x-new-api-other-ratios')).toBe('{"seconds":4,"size":1.666667}');
  const [charge] = await rows();
  expect(charge).toMatchObject({
    type: 2,
    request_id: idOf(answer),
    content: expect.stringContaining('seconds: 4.00'),
  });
  expect([333_332, 333_333]).toContain(charge?.quota);
  expect(charge?.other).not.toContain(id);
  await gateway.control('POST', `/tasks/${id}/fail`, {});
  const [refund, kept] = await rows();
  expect(kept).toEqual({ ...charge, id: 2 });
  expect(refund).toMatchObject({ type: 6, quota: charge?.quota, content: '' });
  expect(refund).not.toHaveProperty('request_id');
  expect(JSON.parse(refund?.other ?? '')).toMatchObject({
    task_id: id,
    model_price: 0.1,
    group_ratio: 1,
    seconds: 4,
    size: 1.666667,
  });
  const self = await gateway.call('GET', '/api/user/self', undefined, own(gateway));
  expect(self.json).toMatchObject({
    data: { quota: 500_000_000, used_quota: charge?.quota, request_count: 1 },
  });
  const stat = await gateway.call('GET', '/api/log/self/stat?type=6', undefined, own(gateway));
  expect(stat.json).toMatchObject({ data: { quota: charge?.quota } });
  const tasks = await gateway.call('GET', '/api/task/self', undefined, own(gateway));
  expect(tasks.json).toMatchObject({
    data: { items: [{ task_id: id, status: 'FAILURE', quota: charge?.quota }] },
  });
});

test('tasks are refused and missed in forms of their own', async () => {
  await start([], { latency: { ...latencyOf('fast'), video_queue: { kind: 'fixed', ms: 60_000 } } });
  const number = await gateway.call('POST', '/v1/videos', { model: 'orbit-2', prompt: 'x', seconds: 4 });
  expect([number.status, number.json]).toMatchObject([400, { code: 'invalid_json', data: null }]);
  const unknown = await gateway.call('GET', '/v1/videos/task_none');
  expect([unknown.status, unknown.json]).toMatchObject([400, { code: 'task_not_exist', data: null }]);
  const content = await gateway.call('GET', '/v1/videos/task_none/content');
  expect([content.status, content.json]).toEqual([
    404,
    { error: { message: 'Task not found', type: 'invalid_request_error' } },
  ]);
  const made = await gateway.call('POST', '/v1/video/generations', {
    model: 'orbit-2',
    prompt: 'x',
    seconds: '0',
  });
  const { id } = z.object({ id: z.string(), seconds: z.literal('4') }).parse(made.json);
  const early = await gateway.call('GET', `/v1/videos/${id}/content`);
  expect([early.status, early.text]).toEqual([400, expect.stringContaining('current status: NOT_START')]);
});

test('a stream that its provider ends too early ends with [DONE], without a finish reason, charged by a guess', async () => {
  await start();
  const headers = { 'x-weighbridge-fault': 'net.eof_clean; after_events=6' };
  const cut = await gateway.call('POST', CHAT, chatBody({ stream: true, max_tokens: 200 }), headers);
  expect(cut.text).toMatch(/"usage":\{[^\n]*\n\ndata: \[DONE\]\n\n$/);
  expect(cut.text).not.toMatch(/"finish_reason":"/);
  await expect.poll(async () => (await rows()).length).toBe(1);
  const [guessed] = await rows();
  // Two words of a prompt and five of the answer, times 1.44.
  expect(guessed).toMatchObject({ prompt_tokens: 3, completion_tokens: 8, type: 2 });
  expect(cut.text).toContain('"prompt_tokens":3,"completion_tokens":8');
  expect((await truth()).get(idOf(cut))).toBe(guessed?.quota);
});

test('a response that was cut before its first word leaves a row that costs nothing, and counts as no request', async () => {
  await start();
  const headers = { 'x-weighbridge-fault': 'net.eof_clean; after_events=1' };
  const body = { model: 'aspen-mini', input: 'x', stream: true };
  await gateway.call('POST', '/v1/responses', body, headers);
  await expect
    .poll(() => rows())
    .toMatchObject([{ type: 2, quota: 0, prompt_tokens: 0, completion_tokens: 0 }]);
  const self = await gateway.call('GET', '/api/user/self', undefined, own(gateway));
  expect(self.json).toMatchObject({ data: { used_quota: 0, request_count: 0 } });
  await gateway.call('POST', CHAT, chatBody({ stream: true }), headers);
  await expect
    .poll(() => rows())
    .toMatchObject([{ quota: 1, prompt_tokens: 3, completion_tokens: 0 }, { quota: 0 }]);
});

test('responses behind a provider of the messages format end as completed; messages just end', async () => {
  await start();
  const headers = { 'x-weighbridge-fault': 'net.eof_clean; after_events=7' };
  const body = { model: 'cedar-sonnet', input: 'x', stream: true, max_output_tokens: 200 };
  const claude = await gateway.call('POST', '/v1/responses', body, headers);
  expect(claude.text).toMatch(/event: response\.completed\n[^\n]+\n\ndata: \[DONE\]\n\n$/);
  const openai = await gateway.call('POST', '/v1/responses', { ...body, model: 'aspen-mini' }, headers);
  expect(openai.text).not.toContain('response.completed');
  const messages = { model: 'cedar-sonnet', messages: [{ role: 'user', content: 'x' }], stream: true };
  const cut = await gateway.call('POST', '/v1/messages', messages, headers);
  expect(cut.text).not.toContain('message_stop');
  await expect.poll(async () => (await rows()).length).toBe(3);
  const [message] = await rows();
  // Three opening events, four words: the true prompt and a guess of the rest.
  expect(message).toMatchObject({ model_name: 'cedar-sonnet', completion_tokens: 6 });
  expect(message?.prompt_tokens).toBeGreaterThan(3);
});

test('errors have its statuses, its forms and its suffix', async () => {
  await start();
  const body = chatBody({ max_tokens: 5 });
  const told = async (over: object, headers: Record<string, string | null> = {}, path = CHAT) => {
    const { status, json } = await gateway.call('POST', path, { ...body, ...over }, headers);
    return [status, json];
  };
  const wrong = await gateway.call('POST', CHAT, body, {
    authorization: 'Bearer x',
    'accept-language': 'en',
  });
  expect([wrong.status, wrong.json]).toEqual([
    401,
    { error: { message: `Invalid token（请求 ID：${idOf(wrong)}）`, type: 'new_api_error', code: '' } },
  ]);
  expect(await told({ model: 'none' })).toMatchObject([
    503,
    { error: { code: 'model_not_found', type: 'new_api_error' } },
  ]);
  expect(await told({ messages: undefined })).toMatchObject([500, { error: { code: 'invalid_request' } }]);
  expect((await gateway.call('POST', CHAT, '{', { 'content-type': 'application/json' })).status).toBe(400);
  const { apiKey } = await gateway.newKey({ key: { models: ['aspen'] } });
  expect(await told({}, { authorization: `Bearer ${apiKey}` })).toMatchObject([403, { error: { code: '' } }]);
  const poor = await gateway.newKey({ balance_usd: '0.000001' });
  const headers = { authorization: `Bearer ${poor.apiKey}` };
  expect(await told({}, headers)).toMatchObject([403, { error: { code: 'insufficient_user_quota' } }]);
  const messages = await told({}, headers, '/v1/messages');
  expect(messages).toMatchObject([403, { type: 'error', error: { type: 'new_api_error' } }]);
  expect(messages[1]).not.toHaveProperty('error.code');
  const owing = await gateway.newKey({ balance_usd: '-1' });
  expect(await told({}, { authorization: `Bearer ${owing.apiKey}` })).toMatchObject([
    403,
    { error: { code: 'insufficient_user_quota' } },
  ]);
  const spent = await gateway.newKey({ key: { limit_usd: '0.1', spent_usd: '0.1' } });
  expect(await told({}, { authorization: `Bearer ${spent.apiKey}` })).toMatchObject([
    401,
    { error: { code: '' } },
  ]);
  const narrow = await gateway.newKey({ key: { limit_usd: '0.000001' } });
  expect(await told({}, { authorization: `Bearer ${narrow.apiKey}` })).toMatchObject([
    403,
    { error: { code: 'pre_consume_token_quota_failed' } },
  ]);
});

test('an error of a provider is passed on: without a request id, without Retry-After, in the form of the path', async () => {
  await start();
  const body = chatBody({ max_tokens: 5 });
  const hit = (path: string, fault: string, asked: object = body) =>
    gateway.call('POST', path, asked, { 'x-weighbridge-fault': fault });
  const busy = await hit(CHAT, 'http.429_retry_after_s; seconds=7');
  expect([busy.status, busy.headers.get('retry-after')]).toEqual([429, null]);
  expect(busy.json).toMatchObject({ error: { type: 'new_api_error', param: '', code: '' } });
  expect(busy.text).not.toContain(idOf(busy));
  const messages = await hit('/v1/messages', 'http.503');
  expect([messages.status, messages.json]).toMatchObject([503, { type: 'error', error: { type: '<nil>' } }]);
  expect(messages.text).toContain(`（请求 ID：${idOf(messages)}）`);
  const video = { model: 'orbit-2', prompt: 'x' };
  const task = await hit('/v1/videos', 'http.503', video);
  expect(task.json).toMatchObject({
    code: 'fail_to_fetch_task',
    message: expect.stringContaining('{"error":'),
    data: null,
  });
  const limited = await hit('/v1/videos', 'http.429_plain', video);
  expect(limited.json).toMatchObject({
    code: 'fail_to_fetch_task',
    message: expect.not.stringContaining('{'),
  });
});

test('a messages request needs no limit', async () => {
  await start();
  const messages = [{ role: 'user', content: 'x' }];
  expect((await gateway.call('POST', '/v1/messages', { model: 'cedar-haiku', messages })).status).toBe(200);
});

test('the reads of the account want token and user; a wrong token is told with status 200', async () => {
  await start();
  const { access_token, user_id } = gateway.running.ready;
  const read = async (headers: Record<string, string | null>) => {
    const { status, json } = await gateway.call('GET', '/api/user/self', undefined, headers);
    return [status, z.object({ success: z.boolean() }).parse(json).success];
  };
  const user = { 'new-api-user': String(user_id) };
  expect(await read({ authorization: access_token, ...user })).toEqual([200, true]);
  expect(await read({ authorization: null, ...user })).toEqual([401, false]);
  expect(await read({ authorization: `Bearer ${access_token}` })).toEqual([401, false]);
  expect(await read({ authorization: `Bearer ${access_token}`, 'new-api-user': '7' })).toEqual([401, false]);
  expect(await read({ authorization: 'Bearer wrong', ...user })).toEqual([200, false]);
  // The API key is no access token.
  expect(await read(user)).toEqual([200, false]);
});

test('pages are by position, newest first; both ends of a window are inside; filters narrow', async () => {
  await start();
  for (const model of ['aspen-mini', 'aspen', 'aspen-nano'])
    await gateway.call('POST', CHAT, chatBody({ model, max_tokens: 1 }));
  const all = await rows();
  expect(all.map(({ id }) => id)).toEqual([1, 2, 3]);
  const paged = async (p: number): Promise<readonly Row[]> =>
    page.parse((await gateway.call('GET', `/api/log/self?p=${p}&page_size=2`, undefined, own(gateway))).json)
      .data.items;
  expect([...(await paged(1)), ...(await paged(2))]).toEqual(all);
  expect(await log('&p=1')).toMatchObject({ page: 1, page_size: 100, total: 3 });
  const large = await gateway.call('GET', '/api/log/self?page_size=500', undefined, own(gateway));
  expect(page.parse(large.json).data.page_size).toBe(100);
  const [{ created_at = 0, request_id = '' } = {}] = all;
  const at = all.filter((one) => one.created_at === created_at).length;
  expect(await rows(`&start_timestamp=${created_at}&end_timestamp=${created_at}`)).toHaveLength(at);
  expect(await rows(`&end_timestamp=${created_at - 5}`)).toHaveLength(0);
  expect(await rows('&model_name=MINI')).toHaveLength(1);
  expect(await rows('&token_name=key-2')).toHaveLength(0);
  expect(await rows(`&request_id=${request_id}`)).toMatchObject([{ request_id }]);
  expect(await rows('&type=6')).toHaveLength(0);
});

test('a key reads its own rows without a page; 20 times in 20 minutes where the limit is on', async () => {
  await start(['read-limit']);
  await gateway.call('POST', CHAT, chatBody({ max_tokens: 1 }));
  const read = () => gateway.call('GET', '/api/log/token');
  expect((await read()).json).toMatchObject({ success: true, data: [{ id: 1, type: 2 }] });
  for (let more = 0; more < 19; more += 1) expect((await read()).status).toBe(200);
  const refused = await read();
  expect([refused.status, refused.text, refused.headers.get('retry-after')]).toEqual([429, '', null]);
  await gateway.control('POST', '/clock', { advance_s: 1200 });
  expect((await read()).status).toBe(200);
  const { access_token } = gateway.running.ready;
  expect(
    (await gateway.call('GET', '/api/log/token', undefined, { authorization: `Bearer ${access_token}` }))
      .status,
  ).toBe(401);
});

test('a refused call leaves no row, or one of type 5 where these are on', async () => {
  await start();
  await gateway.call('POST', CHAT, chatBody({ max_tokens: 100_000 }));
  expect(await rows()).toEqual([]);
  await start(['error-rows']);
  await gateway.call('POST', CHAT, chatBody({ max_tokens: 100_000 }));
  const [error] = await rows();
  expect(error).toMatchObject({ type: 5, quota: 0 });
  expect(JSON.parse(error?.other ?? '')).toMatchObject({
    channel_name: 'embedded',
    error_code: 'upstream_error',
  });
});

test('the rest of its reads', async () => {
  await start();
  await gateway.call('POST', '/v1/images/generations', { model: 'lumen-image-mini', prompt: 'x' });
  const json = async (path: string) => (await gateway.call('GET', path)).json;
  expect(await json('/api/status')).toMatchObject({
    data: { quota_per_unit: 500_000, quota_display_type: 'USD' },
  });
  expect(await json('/api/usage/token')).toMatchObject({
    data: {
      object: 'token_usage',
      total_granted: 0,
      total_used: 5500,
      total_available: -5500,
      unlimited_quota: true,
    },
  });
  expect(await json('/v1/dashboard/billing/usage')).toEqual({
    object: 'list',
    total_usage: 1.0999999999999999,
  });
  expect(await json('/v1/dashboard/billing/subscription')).toMatchObject({ hard_limit_usd: 100_000_000 });
  const models = z
    .object({ success: z.literal(true), data: z.array(z.looseObject({ id: z.string() })) })
    .strict();
  expect(
    models
      .loose()
      .parse(await json('/v1/models'))
      .data.map(({ id }) => id),
  ).toContain('aspen');
  expect(await json('/v1/models')).not.toHaveProperty('object');
  expect((await gateway.call('GET', '/v1/models', undefined, { authorization: null })).status).toBe(401);
});

test('billing faults act on its rows, in whole units', async () => {
  await start();
  const faults = [
    'bill.double_charge; variant=second_record',
    'bill.multiplier_hidden; factor="1.1"',
    'bill.unit_error; variant=cents_as_usd',
    'bill.amount_rounding; variant=up',
  ];
  for (const fault of faults)
    await gateway.call('POST', CHAT, chatBody({ max_tokens: 40 }), { 'x-weighbridge-fault': fault });
  const found = await rows();
  expect(found.length).toBeGreaterThan(4);
  const charged = await truth();
  for (const [id, units] of charged) {
    const ofCall = found.filter(({ request_id }) => request_id === id);
    expect(ofCall.reduce((sum, { quota }) => sum + quota, 0)).toBe(units);
  }
  const self = await gateway.call('GET', '/api/user/self', undefined, own(gateway));
  const spent = found.reduce((sum, { quota }) => sum + quota, 0);
  expect(self.json).toMatchObject({ data: { quota: 500_000_000 - spent, used_quota: spent } });
});

const reserved = z.object({ reserved_usd: z.string() });

test('nothing is held of a rich account; of others the prompt, 500 tokens at least, and the limit at the price of input', async () => {
  await start([], { latency: { ...latencyOf('fast'), ttft: { kind: 'fixed', ms: 60_000 } } });
  const held = async (balance_usd: string): Promise<string> => {
    const { apiKey, userId } = await gateway.newKey({ balance_usd });
    const left = new AbortController();
    const asked = fetch(`${gateway.running.ready.base_url}${CHAT}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(chatBody({ max_tokens: 1500, stream: true })),
      signal: left.signal,
    });
    // The head of a stream is sent when the call is accepted.
    await asked;
    const account = await gateway.control('GET', `/accounts/${userId}`);
    left.abort();
    return reserved.parse(account.json).reserved_usd;
  };
  expect(await held('10.01')).toBe('0');
  // (500 + 1500) × 0.15 USD a million.
  expect(await held('1')).toBe('0.0003');
});

test('a text row is dated by the end of its call, and a call whose client has left is charged in full', async () => {
  await start([], { latency: { ...latencyOf('fast'), ttft: { kind: 'fixed', ms: 300 } } });
  const body = chatBody({ max_tokens: 2 });
  const answered = gateway.call('POST', CHAT, body);
  const began = Math.floor(Date.now() / 1000);
  const { user_id } = gateway.running.ready;
  const account = z.object({ requests: z.number() });
  const accepted = async () =>
    account.parse((await gateway.control('GET', `/accounts/${user_id}`)).json).requests;
  await expect.poll(accepted).toBe(1);
  await gateway.control('POST', '/clock', { advance_s: 3600 });
  await answered;
  const [dated] = await rows();
  expect(dated?.created_at).toBeGreaterThanOrEqual(began + 3600);
  const left = new AbortController();
  const { base_url, api_key } = gateway.running.ready;
  const headers = { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' };
  const gone = fetch(base_url + CHAT, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
    signal: left.signal,
  });
  await expect.poll(accepted).toBe(2);
  left.abort();
  await expect(gone).rejects.toThrow();
  await expect.poll(async () => (await rows()).length).toBe(2);
  const [whole] = await rows();
  expect(whole).toMatchObject({ quota: dated?.quota, completion_tokens: dated?.completion_tokens });
});

test('faults of the price book and of records hit the reads that stand for them', async () => {
  await start();
  const busy = { 'x-weighbridge-fault': 'http.503' };
  for (const path of ['/api/pricing', '/api/log/token'])
    expect([path, (await gateway.call('GET', path, undefined, busy)).status]).toEqual([path, 503]);
});

test('an Idempotency-Key means nothing to it', async () => {
  await start();
  const again = { 'idempotency-key': 'k' };
  const body = { model: 'lumen-image-mini', prompt: 'x' };
  for (const _ of [1, 2]) await gateway.call('POST', '/v1/images/generations', body, again);
  expect(await rows()).toHaveLength(2);
});
