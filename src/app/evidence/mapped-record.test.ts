import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { recordFiles } from './keep-records.ts';
import { mappedRow } from './mapped-record.ts';
import { previewRecords } from './preview-records.ts';
import { RECORD_MAPPINGS } from './record-mapping.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mapped-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function file(name: string, content: unknown): string {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  writeFileSync(join(dir, name), text);
  return join(dir, name);
}

const NEW_API_ROW = {
  id: 1,
  created_at: 1_760_000_000,
  type: 2,
  content: 'what a user asked',
  username: 'somebody',
  group: 'plus',
  model_name: 'wb-chat-mini',
  quota: 83,
  prompt_tokens: 1_000,
  completion_tokens: 50,
  request_id: '202610090853201',
  other: '{"model_ratio":0.15,"cache_tokens":200,"ip":"10.1.2.3"}',
};

/** What the two kinds of a mapping's rows share. */
const CONSTANT = {
  refunded_amount: '0',
  usage_estimated: false,
  billing_status: 'settled',
  pricing_version: 'not told',
};

test('a log of new-api is read by its ready mapping: units, cached tokens in a text of JSON, rows left out', async () => {
  const anthropic = {
    ...NEW_API_ROW,
    request_id: 'b',
    other: '{"usage_semantic":"anthropic","cache_tokens":7,"cache_creation_tokens":3}',
  };
  const error = { ...NEW_API_ROW, type: 5, request_id: 'b' };
  const log = file('log.json', { success: true, data: { total: 3, items: [NEW_API_ROW, anthropic, error] } });
  const { shown, records, left } = await previewRecords([log], 'new-api');
  expect(shown).toEqual([
    {
      id: '202610090853201',
      request_id: '202610090853201',
      created_at: 1_760_000_000,
      model: 'wb-chat-mini',
      amount: '0.000166',
      reserved_amount: '0.000166',
      input_tokens: 1_000,
      output_tokens: 50,
      cache_read_tokens: 200,
      cache_write_tokens: 0,
      result: 'completed',
      pricebook_id: 'new-api',
      price_group: 'plus',
      ...CONSTANT,
    },
    expect.objectContaining({ id: 'b', input_tokens: 1_010, cache_read_tokens: 7, cache_write_tokens: 3 }),
  ]);
  expect(records).toBe(2);
  expect([...left]).toEqual([['type 5, other.usage_semantic null', 1]]);
  expect(JSON.stringify(shown)).not.toMatch(/asked|somebody|10\.1\.2\.3/);
});

test('spend logs of LiteLLM are read as CSV, a double as the amount that it stands for, and its own cache left out', async () => {
  const names =
    'request_id,startTime,model,spend,prompt_tokens,completion_tokens,cache_hit,metadata,messages';
  const metadata = '"{""status"":""failure"",""additional_usage_values"":{""cache_read_input_tokens"":4}}"';
  const rows = [
    `chatcmpl-1,2026-10-09 08:53:20.5,gpt-x,1.3350000000000001e-05,12,3,False,{},what a user asked`,
    `chatcmpl-2,2026-10-09T08:53:21Z,gpt-x,0,12,0,,${metadata},`,
    `chatcmpl-3,2026-10-09T08:53:22Z,gpt-x,0,12,0,True,{},`,
  ];
  const { shown, left } = await previewRecords([file('logs.csv', [names, ...rows].join('\n'))], 'litellm');
  expect(shown).toMatchObject([
    {
      created_at: 1_791_536_000,
      amount: '0.00001335',
      result: 'completed',
      cache_read_tokens: 0,
    },
    { created_at: 1_791_536_001, amount: '0', result: 'failed', cache_read_tokens: 4 },
  ]);
  expect([...left.values()]).toEqual([1]);
  expect(JSON.stringify(shown)).not.toContain('asked');
});

/** What the proxy noted of calls whose tokens and prices were known: plain, from the cache, written to it, a stream from it. */
const NOTED = [
  { amount: '0.0000144', model: 'aspen-mini', input_tokens: 16, output_tokens: 20 },
  { amount: '0.000158325', input_tokens: 1_941, cache_read_tokens: 1_931, cache_write_tokens: 0 },
  {
    amount: '0.0020782',
    model: 'cedar-haiku',
    input_tokens: 2_000,
    cache_read_tokens: 0,
    cache_write_tokens: 1_991,
  },
  { amount: '0.00024648', input_tokens: 2_000, cache_read_tokens: 1_991, cache_write_tokens: 0 },
  { amount: '0.0000372', model: 'birch-4.1-mini', input_tokens: 13, output_tokens: 20 },
];
const FAILED = { amount: '0', result: 'failed', input_tokens: 0 };

test.each([
  ['litellm-payload', 'payload.ndjson', [...NOTED, FAILED]],
  ['litellm', 'spend.ndjson', NOTED],
])('an export of %s that a real proxy wrote is read whole', async (mapping, name, expected) => {
  const { shown, left, torn } = await previewRecords([`test/corpus/litellm/${name}`], mapping);
  expect(shown).toMatchObject(expected);
  expect([[...left], torn]).toEqual([[], []]);
  // The id that every answer of the proxy has in x-litellm-call-id.
  for (const { request_id } of shown)
    expect(request_id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(JSON.stringify(shown)).not.toContain('MARKER');
});

test('an amount with digits of its own behind the twelfth stays as it is, whatever reckons it', async () => {
  const row = { n: 'a', t: 5, a: '0.1234567890123456' };
  const { shown } = await previewRecords(
    [file('rows.json', [row])],
    own({ amount: { from: 'a', double: true } }),
  );
  expect(shown).toMatchObject([{ amount: '0.1234567890123456' }]);
});

test('of several members the first that is there counts', async () => {
  const mapping = own({ model: { from: ['group', 'name'], else: 'none' } });
  const rows = [{ group: '', name: 'b' }, { group: 'a', name: 'b' }, {}].map((row) => ({
    n: 'x',
    t: 5,
    a: 1,
    ...row,
  }));
  const { shown } = await previewRecords([file('rows.json', rows)], mapping);
  expect(shown.map(({ model }) => model)).toEqual(['b', 'a', 'none']);
});

test('generations of OpenRouter are read one a line', async () => {
  const data = {
    id: 'gen-1',
    created_at: '2026-10-09T08:53:20.123Z',
    model: 'a/b',
    total_cost: 0.0012,
    native_tokens_prompt: 10,
    native_tokens_completion: 5,
    native_tokens_cached: null,
    cancelled: false,
  };
  const lines = [{ data }, { data: { ...data, id: 'gen-2', cancelled: true } }].map((row) =>
    JSON.stringify(row),
  );
  const { shown } = await previewRecords([file('gen.ndjson', `${lines.join('\n')}\n`)], 'openrouter');
  expect(shown).toMatchObject([
    { id: 'gen-1', request_id: 'gen-1', amount: '0.0012', cache_read_tokens: 0, result: 'completed' },
    { id: 'gen-2', result: 'cancelled' },
  ]);
});

function own(record: object, more: object = {}): string {
  const all = {
    id: 'n',
    request_id: 'n',
    created_at: 't',
    model: { value: 'm' },
    amount: 'a',
    reserved_amount: { value: '0' },
    refunded_amount: { value: '0' },
    input_tokens: { value: 1 },
    output_tokens: { value: 1 },
    cache_read_tokens: { value: 0 },
    cache_write_tokens: { value: 0 },
    usage_estimated: { value: false },
    result: { value: 'completed' },
    billing_status: { value: 'settled' },
    pricebook_id: { value: 'x' },
    pricing_version: { value: 'x' },
    ...record,
  };
  return file('own.yaml', { schema: 'weighbridge.records/1', ...more, kinds: [{ record: all }] });
}

test.each([
  [
    'a number that is none',
    {},
    { n: 'a', t: 5, a: 'dear' },
    /rows\.json:1: amount: expected a decimal with a point, found "dear"/,
  ],
  [
    'a factor on text',
    { amount: { from: 'a', times: '0.5' } },
    { n: 'a', t: 5, a: 'dear' },
    /amount: expected a number/,
  ],
  [
    'a member that is not there',
    {},
    { n: 'a', t: 5 },
    /amount: expected a, as the mapping says, found nothing there/,
  ],
  [
    'a moment of another form',
    { created_at: { from: 't', form: 'text' } },
    { n: 'a', t: 5, a: 1 },
    /created_at: expected a moment \(text\), found "5"/,
  ],
  [
    'a word without a meaning',
    { result: { from: 'n', values: { ok: 'completed' } } },
    { n: 'a', t: 5, a: 1 },
    /result: expected one of ok, found "a"/,
  ],
])('%s is refused with its row', async (_, record, row, message) => {
  await expect(previewRecords([file('rows.json', [row])], own(record))).rejects.toThrow(message);
});

test.each([
  [{ amount: { from: 'a', value: '1' } }, {}, /takes one of from, sum and value/],
  [{ amount: { from: 'a', times: 'half' } }, {}, /quoted decimal/],
  [{ amuont: 'a' }, {}, /unknown key.*amount/s],
  [{}, { rows: [] }, /rows/],
])('a mapping that is wrong is refused by its rule', async (record, more, message) => {
  await expect(previewRecords([file('rows.json', [])], own(record, more))).rejects.toThrow(message);
});

test('milliseconds, sums and factors are exact, and members of a table may have dots in their names', async () => {
  const mapping = own(
    {
      created_at: { from: 't', form: 'unix_ms' },
      amount: { sum: ['a', 'fee.usd'], times: '0.000000000001', else: 0 },
    },
    { rows: ['page.rows'] },
  );
  const rows = [
    { n: 'a', t: 1_760_000_000_999, a: '90071992547409931', 'fee.usd': 1 },
    { n: 'b', t: 1_000 },
  ];
  const { shown } = await previewRecords([file('rows.json', { page: { rows } })], mapping);
  expect(shown).toMatchObject([{ created_at: 1_760_000_000, amount: '90071.992547409932' }, { amount: '0' }]);
});

test('a group is kept where it is asked for alone; keys by their fingerprint, several tags as one group', () => {
  const hash = '88dc28d0f030c55ed4ab77ed8faf098196cb1c05df778539800c9f1243fe6b4b';
  const row = {
    request_id: 'r',
    startTime: '2026-10-09T08:53:21Z',
    model: 'm',
    spend: 1,
    prompt_tokens: 1,
    completion_tokens: 1,
    cache_hit: '',
    api_key: hash,
    team_id: 'red',
    request_tags: '["shop", "night", "shop", "User-Agent: curl/8"]',
    user: 'somebody',
  };
  const place = { file: 'logs.csv', line: 2 };
  const by = (name: string | null, changes: object = {}) => {
    const read = mappedRow({ ...row, ...changes }, RECORD_MAPPINGS.read('litellm'), place, name);
    return 'record' in read ? read.record['group'] : read.left;
  };
  expect(by(null)).toBeUndefined();
  expect(by('team')).toEqual({ by: 'team', name: 'red' });
  expect(by('team', { team_id: null })).toEqual({ by: 'team', name: null });
  expect(by('key')).toEqual({ by: 'key', name: hash.slice(0, 16) });
  expect(by('tag')).toEqual({ by: 'tag', name: 'night, shop' });
  expect(by('tag', { request_tags: ['User-Agent: curl'] })).toEqual({ by: 'tag', name: null });
  expect(JSON.stringify(by('user'))).not.toContain('somebody');
});

test('a group that the mapping does not name is refused with those that it does', async () => {
  await expect(recordFiles([], 'litellm', 'color')).rejects.toThrow(
    '--by must be one of these groups: key, team, tag, user, customer. It is color.',
  );
  await expect(recordFiles([], undefined, 'team')).rejects.toThrow('--by team needs --records-mapping.');
});

test('a value that may be what somebody wrote is told by its length and hash', async () => {
  const words = 'a long sentence that somebody wrote to a model';
  const refused = previewRecords([file('rows.json', [{ n: 'a', t: 5, a: words }])], own({}));
  await expect(refused).rejects.toThrow(/found a text of 48 characters \(sha256 [0-9a-f]{16}…\)/);
  const left = await previewRecords(
    [file('log.json', { data: { items: [{ ...NEW_API_ROW, type: words }] } })],
    'new-api',
  );
  expect([...left.left.keys()].join()).not.toContain(words);
});

test('the line of SQL and the callback of the page are those that the mapping and the example have', () => {
  const page = readFileSync('docs/records.md', 'utf8');
  const [, columns = ''] = /```sql\n\\copy \(SELECT (.*) FROM "LiteLLM_SpendLogs"\)/.exec(page) ?? [];
  const named = RECORD_MAPPINGS.read('litellm').kinds.flatMap(({ take, record, groups }) => [
    ...Object.keys(take ?? {}),
    ...Object.values(record).flatMap((rule) => [rule?.from ?? []].flat()),
    ...Object.values(groups ?? {}).map(({ from }) => from),
  ]);
  const wanted = new Set(named.map((path) => path.split('.')[0]));
  expect(columns.replaceAll('"', '').split(',').sort()).toEqual([...wanted].sort());
  expect(page).toContain('litellm_settings:\n  callbacks: [note_calls.note_calls]\n');
  expect(readFileSync('examples/litellm/note_calls.py', 'utf8')).toMatch(/^note_calls = NoteCalls\(\)$/m);
});

test('a mapping that is neither a file nor a name says the names', async () => {
  await expect(previewRecords([file('rows.json', [])], 'one-api')).rejects.toThrow(
    '--records-mapping must be a file or one of litellm, litellm-payload, new-api, openrouter, but it is one-api.',
  );
});

test('the mapping of the page reads a row, also one of a table with empty cells', async () => {
  const [, shown = ''] = /```yaml\n([\s\S]*?)```/.exec(readFileSync('docs/records.md', 'utf8')) ?? [];
  const mapping = file('page.yaml', shown);
  const row = {
    type: 2,
    request_id: 'r',
    time_ms: 1_760_000_000_999,
    model_name: 'm',
    quota: 83,
    state: 'error',
  };
  const list = [{ ...row, prompt_tokens: 5, completion_tokens: 1, other: '{"cache_tokens":2}' }];
  const read = await previewRecords([file('rows.json', { data: { items: list } })], mapping);
  const expected = { amount: '0.000166', input_tokens: 7, cache_read_tokens: 2, result: 'failed' };
  expect(read.shown).toMatchObject([{ ...expected, created_at: 1_760_000_000 }]);
  const names =
    'type,request_id,time_ms,model_name,quota,state,prompt_tokens,completion_tokens,other.cache_tokens';
  const cells = `${names}\n2,r,5,m,83,ok,5,1,\n3,r,5,m,83,ok,,1,\n`;
  const table = await previewRecords([file('rows.csv', cells)], mapping);
  expect(table.shown).toMatchObject([{ input_tokens: 5, cache_read_tokens: 0, result: 'completed' }]);
  expect([...table.left]).toEqual([['type "3"', 1]]);
});
