import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** Stands in every text that must not be kept. */
export const MARKER = 'MARKER-of-a-person';

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
type Row = { readonly [key: string]: Json };
const anyJson: z.ZodType<Json> = z.json();
const anyRow = z.record(z.string(), anyJson);

function objectOf(value: Json | undefined): Row {
  const object = anyRow.safeParse(value);
  return object.success ? object.data : {};
}

export interface ForeignRow {
  /** All members that the program is known to write. */
  readonly row: Row;
  /** Members that hold JSON as a text. */
  readonly texts?: readonly string[];
  /** Row n of a bill that charges more than m-1 costs by $1 and $3 a million tokens, by no whole number of tokens, `call-n` its id. */
  readonly dear: (row: Row, n: number) => Row;
}

/** The row with the marker in every text that is not named, at whatever depth, and in members that nobody knows. */
export function planted(
  row: Row,
  { kept, texts }: { readonly kept: readonly string[]; readonly texts: readonly string[] },
): Row {
  const mark = (value: Json, at: string): Json => {
    if (kept.includes(at)) return value;
    if (typeof value === 'string') return `${MARKER} at ${at}`;
    if (Array.isArray(value)) return value.map((each: Json) => mark(each, at));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries([
      ...Object.entries(value).map(([key, held]) => [key, mark(held, at === '' ? key : `${at}.${key}`)]),
      ['never_heard_of', `${MARKER} at ${at}`],
    ]);
  };
  const whole = mark(row, '');
  if (typeof whole !== 'object' || whole === null) return row;
  return Object.fromEntries(
    Object.entries(whole).map(([key, held]) => [key, texts.includes(key) ? JSON.stringify(held) : held]),
  );
}

const NEW_API: Row = {
  id: 7,
  user_id: 3,
  created_at: 1_791_015_331,
  type: 2,
  content: 'what was charged, in words',
  username: 'somebody',
  token_name: 'my laptop',
  model_name: 'm-1',
  quota: 0,
  prompt_tokens: 1_200,
  completion_tokens: 85,
  use_time: 2,
  is_stream: true,
  channel: 4,
  channel_name: 'a reseller',
  token_id: 9,
  group: 'default',
  ip: '10.1.2.3',
  request_id: 'call-1',
  other: { model_ratio: 0.5, cache_tokens: 0, request_path: '/v1/chat', admin_info: { use_channel: ['4'] } },
};

const OPENROUTER: Row = {
  id: 'call-1',
  upstream_id: 'chatcmpl-1',
  total_cost: 0,
  cache_discount: null,
  upstream_inference_cost: 0,
  provider_name: 'Example',
  created_at: '2026-10-03T08:15:31Z',
  model: 'm-1',
  app_id: 12,
  external_user: 'somebody',
  streamed: true,
  cancelled: false,
  finish_reason: 'stop',
  native_finish_reason: 'end_turn',
  native_tokens_prompt: 1_200,
  native_tokens_completion: 85,
  native_tokens_cached: 0,
  origin: 'https://shop.example',
  http_referer: 'https://shop.example/cart',
  user_agent: 'shop/1.0 (somebody)',
  session_id: 's-1',
};

/** The first row of an export that a real proxy wrote, its texts of JSON taken apart. */
function exported(name: string, texts: readonly string[] = []): Row {
  const [line = ''] = readFileSync(join(import.meta.dirname, '../corpus/litellm', name), 'utf8').split('\n');
  const row = anyRow.parse(JSON.parse(line));
  return Object.fromEntries(
    Object.entries(row).map(([key, held]) => [
      key,
      texts.includes(key) && typeof held === 'string' ? anyJson.parse(JSON.parse(held)) : held,
    ]),
  );
}

/** What a call of m-1 costs by prices of ours. */
const TOKENS = { prompt_tokens: 1_200, completion_tokens: 85, model_group: 'm-1' };
const SPEND_TEXTS = ['metadata', 'messages', 'proxy_server_request', 'request_tags', 'response'];
const SPEND = exported('spend.ndjson', SPEND_TEXTS);
const PAYLOAD = exported('payload.ndjson');

/** The right sum is $0.001455. */
export const FOREIGN_ROWS: Readonly<Record<string, ForeignRow>> = {
  'new-api': {
    row: NEW_API,
    texts: ['other'],
    dear: (row, n) => ({ ...row, request_id: `call-${n}`, quota: 2_000 }),
  },
  openrouter: { row: OPENROUTER, dear: (row, n) => ({ ...row, id: `call-${n}`, total_cost: 0.004 }) },
  litellm: {
    row: SPEND,
    texts: SPEND_TEXTS,
    dear: (row, n) => ({
      ...row,
      ...TOKENS,
      startTime: '2026-10-03 08:15:30.120000+00:00',
      spend: 0.004,
      metadata: { ...objectOf(row['metadata']), litellm_call_id: `call-${n}` },
    }),
  },
  'litellm-payload': {
    row: PAYLOAD,
    dear: (row, n) => ({
      ...row,
      ...TOKENS,
      startTime: 1_791_015_330.12,
      response_cost: 0.004,
      litellm_call_id: `call-${n}`,
    }),
  },
};

export interface ForeignLedger {
  readonly file: string;
  readonly text: string;
  /** Of `--columns`. */
  readonly columns?: string;
}

function attribute(key: string, value: string | number): Json {
  return { key, value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value } };
}

const SPAN: Json = {
  traceId: '5b8efff798038103d269b633813fc60c',
  spanId: 'eee19b7ec3c1b174',
  name: MARKER,
  kind: 3,
  startTimeUnixNano: '1791015330120000000',
  endTimeUnixNano: '1791015331620000000',
  attributes: [
    attribute('gen_ai.operation.name', 'chat'),
    attribute('gen_ai.request.model', 'm-1'),
    attribute('gen_ai.response.id', 'answer-1'),
    attribute('gen_ai.usage.input_tokens', 1200),
    attribute('gen_ai.usage.output_tokens', 85),
    attribute('gen_ai.input.messages', MARKER),
    attribute('gen_ai.output.messages', MARKER),
    attribute('gen_ai.system_instructions', MARKER),
    attribute('enduser.id', MARKER),
    attribute('client.address', MARKER),
    attribute('http.response.header.set-cookie', MARKER),
    attribute('error.message', MARKER),
  ],
  status: { message: MARKER },
  events: [{ name: MARKER, attributes: [attribute('gen_ai.prompt', MARKER)] }],
};

const LANGFUSE: Json = {
  id: 'obs-1',
  traceId: MARKER,
  type: 'GENERATION',
  name: MARKER,
  startTime: '2026-10-03T08:15:30.120Z',
  endTime: '2026-10-03T08:15:31.620Z',
  model: 'm-1',
  modelParameters: { max_tokens: 256, user: MARKER },
  input: [{ role: 'user', content: MARKER }],
  output: { content: MARKER },
  usageDetails: { input: 1200, output: 85, total: 1285 },
  level: 'DEFAULT',
  statusMessage: MARKER,
  metadata: { response_id: 'answer-1', user: MARKER },
  userId: MARKER,
  tags: [MARKER],
};

/** One call of each, known to the bill as answer-1. */
export const FOREIGN_LEDGERS: Readonly<Record<string, ForeignLedger>> = {
  otel: {
    file: 'spans.ndjson',
    text: `${JSON.stringify({
      resourceSpans: [
        { resource: { attributes: [attribute('host.name', MARKER)] }, scopeSpans: [{ spans: [SPAN] }] },
      ],
    })}\n`,
  },
  litellm: {
    file: 'logs.json',
    text: JSON.stringify([
      planted(
        { ...SPEND, ...TOKENS, model: 'm-1', request_id: 'answer-1', startTime: '2026-10-03 08:15:30+00:00' },
        {
          kept: [
            ...['request_id', 'call_type', 'model', 'startTime', 'endTime', 'status', 'cache_hit'],
            ...['custom_llm_provider', 'metadata.status'],
          ],
          texts: SPEND_TEXTS,
        },
      ),
    ]),
  },
  langfuse: { file: 'observations.json', text: JSON.stringify({ data: [LANGFUSE] }) },
  csv: {
    file: 'calls.csv',
    text: `id,at,in,out,prompt,user,answer\nanswer-1,2026-10-03 08:15:30,1200,85,${MARKER},${MARKER},"${MARKER}\n${MARKER}"\n`,
    columns: `columns:
  call_id: id
  response_id: id
  started_at: at
  kind: { value: chat }
  model: { value: m-1 }
  outcome: { value: ok }
  input_tokens: in
  output_tokens: out
`,
  },
};
