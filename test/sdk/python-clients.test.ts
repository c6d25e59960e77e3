import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { pythonTool } from '../support/python-tool.ts';
import { type SdkBench, startBench } from './clients.ts';
import { usageOf } from './usage-of.ts';

const PROGRAM = join(import.meta.dirname, 'python/clients.py');
const told = z.looseObject({
  case: z.string(),
  request_id: z.string().optional(),
  text: z.string().optional(),
  whole: z.string().optional(),
  input: z.number().optional(),
  output: z.number().optional(),
});
const account = z.object({ user_id: z.number() });
const made = z.object({ api_key: z.string() });

let bench: SdkBench;
let cases: ReadonlyMap<string, z.infer<typeof told>>;

// Python needs seconds to load both clients: all cases are asked for at once.
beforeAll(async () => {
  bench = await startBench();
  const { user_id } = account.parse(await bench.control('POST', '/accounts', { balance_usd: '0' }));
  const poor = made.parse(await bench.control('POST', '/keys', { user_id }));
  const { base_url, api_key } = bench.gateway.ready;
  const { stdout } = await promisify(execFile)(pythonTool('openai'), [PROGRAM], {
    env: {
      PATH: process.env['PATH'],
      WB_URL: base_url,
      WB_KEY: api_key,
      WB_OTHER_KEY: poor.api_key,
      PYTHONDONTWRITEBYTECODE: '1',
    },
  });
  const lines = stdout.trimEnd().split('\n');
  cases = new Map(lines.map((line) => told.parse(JSON.parse(line))).map((each) => [each.case, each]));
}, 120_000);
afterAll(() => bench.gateway.close());

function toldOf(name: string): z.infer<typeof told> {
  const found = cases.get(name);
  if (found === undefined) throw new Error(`expected ${name}, found ${[...cases.keys()].join(', ')}`);
  return found;
}

test.each([
  ['chat_plain', { finish: 'stop' }],
  ['chat_streamed', { finish: 'stop', usages: 1 }],
  ['chat_stream_helper', { finish: 'stop' }],
  ['responses_plain', { finish: 'completed', cut: ['incomplete', 'max_output_tokens', 2] }],
  ['responses_streamed', { finish: 'response.completed', first: 'response.created', numbered: true }],
  ['messages_plain', { finish: 'max_tokens', output: 3 }],
  ['messages_stream_helper', { finish: 'end_turn' }],
])('%s: the client reads it whole, and its record agrees', async (name, facts) => {
  const { text, whole = text, request_id, input, output, ...rest } = toldOf(name);
  expect({ output, ...rest }).toMatchObject(facts);
  expect(text).toMatch(/\w+/);
  expect(text).toBe(whole);
  const records = await usageOf(bench, request_id);
  expect(records).toMatchObject([{ result: 'completed', billing_status: 'settled' }]);
  if (output !== undefined) expect(records[0]?.output_tokens).toBe(output);
  if (input !== undefined) expect(records[0]?.input_tokens).toBe(input);
});

test('image and video: read whole, and charged as listed', async () => {
  const [image, video] = [toldOf('image_generated'), toldOf('video_downloaded')];
  expect([image['png'], video['finish'], video['film']]).toEqual([true, 'completed', 'ftyp']);
  expect(await usageOf(bench, image.request_id)).toMatchObject([{ amount: '0.25' }]);
  expect(await usageOf(bench, video.request_id)).toMatchObject([{ amount: '0.8', refunded_amount: '0' }]);
});

test('errors are those that both clients have classes for, with their codes', () => {
  expect(toldOf('errors')).toEqual({
    case: 'errors',
    unknown_key: { class: 'AuthenticationError', status: 401, code: '' },
    no_credit: { class: 'APIStatusError', status: 402, code: 'insufficient_user_quota' },
    no_model: { class: 'NotFoundError', status: 404, code: 'model_not_found' },
    no_claude: { class: 'NotFoundError', status: 404, code: null },
  });
});
