import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import { parseAmount } from '../../../core/amount.ts';
import { latencyOf } from '../../latency/latency-preset.ts';
import {
  type Answer,
  chatBody,
  startTestGateway,
  type TestGateway,
} from '../../parts/gateway.test-support.ts';

const CHAT = '/v1/chat/completions';
const LONG = Array.from({ length: 1400 }, (_, index) => `word${index}`).join(' ');
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const row = z.looseObject({
  request_id: z.string(),
  spend: z.number(),
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  model: z.string(),
  model_id: z.string(),
  api_key: z.string(),
  startTime: z.string(),
  status: z.enum(['success', 'failure']),
  litellm_call_id: z.string(),
  metadata: z.looseObject({}),
});
type Row = z.infer<typeof row>;
const models = z.object({
  data: z.array(
    z.object({
      model_name: z.string(),
      litellm_params: z.looseObject({ model: z.string() }),
      model_info: z.looseObject({ id: z.string(), mode: z.string() }),
    }),
  ),
});
const call = z.looseObject({ request_id: z.string(), amount: z.string() });
const journal = z.object({ lines: z.array(z.looseObject({ type: z.string() })) });

let gateway: TestGateway;
const open: TestGateway[] = [];

async function start(switches: readonly string[] = [], options: object = {}): Promise<TestGateway> {
  gateway = await startTestGateway({ worn: { name: 'litellm', switches: new Set(switches) }, ...options });
  open.push(gateway);
  return gateway;
}
afterEach(async () => {
  await Promise.all(open.splice(0).map(({ running }) => running.close()));
});

async function rows(query = '', headers: Record<string, string> = {}): Promise<readonly Row[]> {
  return z.array(row).parse((await gateway.call('GET', `/spend/logs${query}`, undefined, headers)).json);
}

function callIdOf({ headers }: Answer): string {
  return headers.get('x-litellm-call-id') ?? '';
}

const bodyId = z.looseObject({ id: z.string() });

test('the row of a call bears the id of its answer, and the double that its header told', async () => {
  await start();
  const messages = [{ role: 'user', content: 'hello there' }];
  const answers = [
    await gateway.call('POST', CHAT, chatBody({ max_tokens: 20 })),
    await gateway.call('POST', '/v1/responses', { model: 'birch-4.1', input: 'x', max_output_tokens: 7 }),
    await gateway.call('POST', '/v1/messages', { model: 'cedar-sonnet', messages, max_tokens: 9 }),
  ];
  const found = (await rows()).toReversed();
  expect(found.map(({ request_id }) => request_id)).toEqual(answers.map(({ json }) => bodyId.parse(json).id));
  for (const [index, answer] of answers.entries()) {
    const told = found[index];
    expect(callIdOf(answer)).toMatch(UUID);
    expect(told).toMatchObject({ litellm_call_id: callIdOf(answer), status: 'success', cache_hit: 'False' });
    expect(Number(answer.headers.get('x-litellm-response-cost'))).toBe(told?.spend);
    expect(answer.headers.get('x-litellm-model-id')).toBe(told?.model_id);
    expect(answer.headers.get('llm_provider-x-request-id')).toMatch(/^req_[0-9a-f]{32}$/);
    expect(answer.headers.get('x-litellm-version')).toMatch(/^\d+\.\d+\.\d+$/);
    for (const name of ['x-request-id', 'request-id', 'x-oneapi-request-id'])
      expect(answer.headers.get(name)).toBeNull();
  }
  // 9 × 0.15 + 20 × 0.6 millionths, added as doubles.
  expect(found[0]?.spend).toBe(9 * 1.5e-7 + 20 * 6e-7);
  expect(answers[0]?.headers.get('x-litellm-response-cost')).toBe('1.3350000000000001e-05');
});

test('the spend is what the journal says, to its twelve places', async () => {
  await start();
  for (const model of ['aspen-mini', 'cedar-opus', 'juniper "quoted" model', "kelp's finest"])
    await gateway.call('POST', CHAT, chatBody({ model, max_tokens: 33 }));
  await gateway.call('POST', '/v1/images/generations', { model: 'lumen-image-mini', prompt: 'x', n: 2 });
  const { lines } = journal.parse((await gateway.control('GET', '/journal')).json);
  const charged = new Map(
    lines.map((line) => call.parse(line)).map((line) => [line.request_id, line.amount]),
  );
  const found = await rows();
  expect(found).toHaveLength(5);
  expect(found[0]).toMatchObject({ spend: 0.022, call_type: 'aimage_generation' });
  for (const { litellm_call_id, spend } of found)
    expect(parseAmount(spend.toFixed(12))).toBe(parseAmount(charged.get(litellm_call_id)));
});

test('a stream tells no cost in its headers, and has its row all the same', async () => {
  await start();
  const answer = await gateway.call('POST', CHAT, chatBody({ stream: true, max_tokens: 5 }));
  expect(answer.headers.get('x-litellm-response-cost')).toBeNull();
  expect(answer.headers.get('x-litellm-model-id')).toMatch(/^[0-9a-f]{64}$/);
  const [told] = await rows();
  expect(told).toMatchObject({ litellm_call_id: callIdOf(answer), completion_tokens: 5 });
  expect(answer.text).toContain(told?.request_id);
});

test('the model map tells prices of a token as floats, by which each row can be computed', async () => {
  await start();
  const listed = models.parse((await gateway.call('GET', '/model/info')).json).data;
  const of = (name: string) => listed.find(({ model_name }) => model_name === name)?.model_info;
  expect(of('aspen-mini')).toMatchObject({
    input_cost_per_token: 1.5e-7,
    output_cost_per_token: 6e-7,
    cache_read_input_token_cost: 7.5e-8,
    cache_creation_input_token_cost: null,
    mode: 'chat',
  });
  expect(of('cedar-sonnet')).toMatchObject({ cache_creation_input_token_cost: 3.75e-6 });
  expect(of('lumen-image-mini')).toMatchObject({ mode: 'image_generation', output_cost_per_image: 0.011 });
  expect(of('quartz-lite:i2v')).toMatchObject({
    mode: 'video_generation',
    output_cost_per_second: 0.018,
    output_cost_per_second_720p: 0.036,
  });
  expect(of('quartz-lite:i2v')).not.toHaveProperty('output_cost_per_second_480p');
  const one = await gateway.call('GET', `/model/info?litellm_model_id=${of('aspen')?.id}`);
  expect(models.parse(one.json).data.map(({ model_name }) => model_name)).toEqual(['aspen']);
});

test('cached tokens stand inside the prompt, and in the metadata', async () => {
  await start();
  const messages = [
    { role: 'user', content: LONG },
    { role: 'user', content: 'and now?' },
  ];
  for (const _ of [1, 2]) await gateway.call('POST', CHAT, { model: 'cedar-haiku', messages, max_tokens: 2 });
  const [read, written] = await rows();
  const usage = z.looseObject({
    usage_object: z.looseObject({
      cache_read_input_tokens: z.number(),
      cache_creation_input_tokens: z.number(),
    }),
  });
  const [readUsage, writtenUsage] = [read, written].map((one) => usage.parse(one?.metadata).usage_object);
  const cached = writtenUsage?.cache_creation_input_tokens ?? 0;
  expect(cached).toBeGreaterThan(1024);
  expect(readUsage).toMatchObject({ cache_read_input_tokens: cached, cache_creation_input_tokens: 0 });
  expect(read?.prompt_tokens).toBe(written?.prompt_tokens);
  const plain = (read?.prompt_tokens ?? 0) - cached;
  const output = (read?.completion_tokens ?? 0) * 4e-6;
  expect(read?.spend).toBeCloseTo(plain * 8e-7 + cached * 8e-8 + output, 15);
  expect(written?.spend).toBeCloseTo(plain * 8e-7 + cached * 1e-6 + output, 15);
});

test('tags, end user and session of a request come back in its row', async () => {
  await start();
  const told = { user: 'u-7', metadata: { tags: ['job:1', 'b'] } };
  await gateway.call('POST', CHAT, chatBody({ max_tokens: 1, ...told }), { 'x-litellm-session-id': 's-1' });
  const [marked] = await rows();
  expect(marked).toMatchObject({
    end_user: 'u-7',
    request_tags: ['job:1', 'b'],
    session_id: 's-1',
    user: 'user-1001',
  });
  expect([marked?.['messages'], marked?.['response'], marked?.['team_id']]).toEqual([{}, {}, null]);
});

test('the group of a key is its team', async () => {
  await start();
  const { apiKey } = await gateway.newKey({ key: { group: 'plus' } });
  const headers = { authorization: `Bearer ${apiKey}` };
  await gateway.call('POST', CHAT, chatBody({ max_tokens: 1 }), headers);
  expect(await rows('', headers)).toMatchObject([
    { team_id: 'plus', metadata: { user_api_key_team_id: 'plus' } },
  ]);
});

test('rows keep the prompt only where that is on', async () => {
  await start(['stored-prompts']);
  await gateway.call('POST', CHAT, chatBody({ max_tokens: 1 }));
  expect((await rows())[0]).toMatchObject({ messages: [{ role: 'user', content: 'hello there' }] });
});

test('a call that is refused has a row of status failure that costs nothing', async () => {
  await start();
  const refused = await gateway.call('POST', CHAT, chatBody({ max_tokens: 100_000 }));
  expect((await rows())[0]).toMatchObject({ status: 'failure', spend: 0, request_id: callIdOf(refused) });
});

test('a video has its row when it ends, under its own id', async () => {
  await start([], { latency: { ...latencyOf('fast'), video_run: { kind: 'fixed', ms: 60_000 } } });
  const made = await gateway.call('POST', '/v1/videos', { model: 'orbit-2', prompt: 'x', seconds: '4' });
  const { id } = bodyId.parse(made.json);
  expect(made.headers.get('x-litellm-model-id')).toMatch(/^[0-9a-f]{64}$/);
  expect(await rows()).toEqual([]);
  await gateway.control('POST', `/tasks/${id}/fail`, {});
  expect(await rows()).toMatchObject([{ request_id: id, spend: 0, status: 'failure' }]);
});

test('days end where they begin; with both dates the answer is sums unless they are refused', async () => {
  await start();
  await gateway.call('POST', CHAT, chatBody({ max_tokens: 20 }));
  const today = new Date();
  const day = (ahead: number): string =>
    new Date(today.getTime() + ahead * 86_400_000).toISOString().slice(0, 10);
  const until = (end: string) => `?start_date=${day(-1)}&end_date=${end}&summarize=false`;
  expect(await rows(until(day(2)))).toHaveLength(1);
  expect(await rows(until(day(0)))).toHaveLength(0);
  const sums = await gateway.call('GET', `/spend/logs?start_date=${day(-1)}&end_date=${day(2)}`);
  const [{ spend } = { spend: 0 }] = await rows();
  const summed = z.array(z.looseObject({ startTime: z.string(), spend: z.number() })).parse(sums.json);
  expect(summed[0]).toMatchObject({ spend, models: { 'aspen-mini': spend }, users: { 'user-1001': spend } });
  expect(summed.at(-1)).toEqual({ startTime: day(2), spend: 0, users: {}, models: {} });
  const wrong = await gateway.call('GET', '/spend/logs?start_date=x&end_date=y');
  expect([wrong.status, wrong.json]).toMatchObject([500, { error: { type: 'internal_error', code: '500' } }]);
});

test('pages of rows need both dates; filters narrow them', async () => {
  await start();
  for (const model of ['aspen-mini', 'aspen', 'aspen-nano'])
    await gateway.call('POST', CHAT, chatBody({ model, max_tokens: 1 }));
  const all = await rows();
  const page = z.object({
    data: z.array(row),
    total: z.number(),
    page: z.number(),
    page_size: z.number(),
    total_pages: z.number(),
  });
  const window = 'start_date=2020-01-01&end_date=2100-01-01%2000:00:00';
  const read = async (query: string) =>
    page.parse((await gateway.call('GET', `/spend/logs/v2?${window}&${query}`)).json);
  expect(await read('page=2&page_size=2')).toEqual({
    data: all.slice(2),
    total: 3,
    page: 2,
    page_size: 2,
    total_pages: 2,
  });
  expect((await read('model=aspen')).data.map(({ model }) => model)).toEqual(['aspen']);
  expect((await read('status_filter=failure')).total).toBe(0);
  expect((await gateway.call('GET', '/spend/logs/v2')).status).toBe(400);
  expect((await gateway.call('GET', `/spend/logs/v2?${window}&page_size=1001`)).status).toBe(422);
  const [first] = all;
  expect(await rows(`?request_id=${first?.request_id}`)).toEqual([first]);
  expect(await rows(`?request_id=${first?.litellm_call_id}`)).toEqual([first]);
  expect(await rows(`?api_key=${first?.api_key}`)).toEqual(all);
  expect(await rows(`?api_key=${gateway.running.ready.api_key}`)).toEqual(all);
  expect(await rows('?api_key=other')).toEqual([]);
});

test('a key reads the rows of its user, the master key those of all', async () => {
  await start();
  const { apiKey } = await gateway.newKey();
  const other = { authorization: `Bearer ${apiKey}` };
  await gateway.call('POST', CHAT, chatBody({ max_tokens: 1 }));
  await gateway.call('POST', CHAT, chatBody({ max_tokens: 1 }), other);
  expect(await rows()).toHaveLength(1);
  expect(await rows('', other)).toHaveLength(1);
  expect(await rows('', { authorization: `Bearer ${gateway.running.ready.access_token}` })).toHaveLength(2);
});

test('a key tells its spend and its budget', async () => {
  await start();
  const { apiKey } = await gateway.newKey({ key: { limit_usd: '0.5', models: ['aspen-mini'] } });
  const headers = { authorization: `Bearer ${apiKey}` };
  await gateway.call('POST', CHAT, chatBody({ max_tokens: 20 }), headers);
  const [{ spend, api_key } = { spend: 0, api_key: '' }] = await rows('', headers);
  const info = await gateway.call('GET', '/key/info', undefined, headers);
  expect(info.json).toMatchObject({
    key: api_key,
    info: { spend: Number(spend.toFixed(12)), max_budget: 0.5, models: ['aspen-mini'], status: 'active' },
  });
  expect((await gateway.call('GET', `/key/info?key=${api_key}`, undefined, headers)).json).toMatchObject({
    key: api_key,
  });
  expect((await gateway.call('GET', '/key/info?key=none', undefined, headers)).status).toBe(404);
});

test('health is told to anyone', async () => {
  await start();
  const read = async (path: string) =>
    (await gateway.call('GET', path, undefined, { authorization: null })).json;
  expect(await read('/health/readiness')).toMatchObject({ status: 'healthy' });
  expect(await read('/health/liveliness')).toBe("I'm alive!");
});

test('faults of the price book and of records hit the reads that stand for them', async () => {
  await start();
  const faults = ['bill.book_incoherent', 'http.503'];
  const right = (await gateway.call('GET', '/model/info')).text;
  const wrong = await gateway.call('GET', '/model/info', undefined, {
    'x-weighbridge-fault': faults[0] ?? '',
  });
  expect([wrong.status, wrong.text === right]).toEqual([200, false]);
  const busy = await gateway.call('GET', '/spend/logs', undefined, {
    'x-weighbridge-fault': faults[1] ?? '',
  });
  expect(busy.status).toBe(503);
});

test('errors have its form: the code is the status as a text', async () => {
  await start();
  const told = async (body: object, headers: Record<string, string | null> = {}, path = CHAT) => {
    const { status, json } = await gateway.call('POST', path, body, headers);
    return [status, json];
  };
  const body = chatBody({ max_tokens: 5 });
  expect(await told(body, { authorization: null })).toMatchObject([
    401,
    { error: { type: 'auth_error', param: null, code: '401' } },
  ]);
  expect(await told(body, { authorization: 'Bearer x' })).toMatchObject([
    401,
    { error: { type: 'token_not_found_in_db', param: 'key', code: '401' } },
  ]);
  expect(await told(chatBody({ model: 'none' }))).toMatchObject([
    400,
    { error: { code: '400', param: null } },
  ]);
  const { apiKey } = await gateway.newKey({ key: { models: ['aspen'] } });
  expect(await told(body, { authorization: `Bearer ${apiKey}` })).toMatchObject([
    403,
    { error: { type: 'key_model_access_denied', param: 'model' } },
  ]);
  const poor = await gateway.newKey({ key: { limit_usd: '0.000000001' } });
  expect(await told(body, { authorization: `Bearer ${poor.apiKey}` })).toMatchObject([
    422,
    { error: { type: 'budget_exceeded', code: '422' } },
  ]);
  expect(await told({ model: 'none', messages: [], max_tokens: 1 }, {}, '/v1/messages')).toMatchObject([
    400,
    { type: 'error', error: { type: 'invalid_request_error' } },
  ]);
  for (const path of ['/v1/usage', '/pricing.usd.json', '/api/status'])
    expect((await gateway.call('GET', path)).json).toEqual({ detail: 'Not Found' });
  expect((await gateway.call('GET', CHAT)).json).toEqual({ detail: 'Method Not Allowed' });
});

test('an error of a provider has the form of the path, and keeps Retry-After', async () => {
  await start();
  const headers = { 'x-weighbridge-fault': 'http.429_retry_after_s; seconds=7' };
  const busy = await gateway.call('POST', CHAT, chatBody(), headers);
  expect([busy.status, busy.headers.get('retry-after')]).toEqual([429, '7']);
  expect(busy.json).toMatchObject({ error: { type: 'throttling_error', code: '429' } });
  expect(busy.text).not.toContain('request id');
  const messages = await gateway.call('POST', '/v1/messages', { ...chatBody(), max_tokens: 1 }, headers);
  expect(messages.json).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } });
});

test('billing faults act on its rows; a second row cannot bear the same id', async () => {
  await start();
  const double = { 'x-weighbridge-fault': 'bill.double_charge; variant=second_record' };
  const answer = await gateway.call('POST', CHAT, chatBody({ max_tokens: 9 }), double);
  const found = await rows();
  expect(found).toHaveLength(2);
  expect(new Set(found.map(({ request_id }) => request_id)).size).toBe(2);
  expect(found.map(({ litellm_call_id }) => litellm_call_id)).toEqual([callIdOf(answer), callIdOf(answer)]);
  const dearer = { 'x-weighbridge-fault': 'bill.multiplier_hidden; factor="1.1"' };
  const more = await gateway.call('POST', CHAT, chatBody({ max_tokens: 9 }), dearer);
  const [wrong] = await rows();
  expect(wrong?.spend).toBeCloseTo((found[0]?.spend ?? 0) * 1.1, 12);
  expect(Number(more.headers.get('x-litellm-response-cost'))).toBe(wrong?.spend);
});
