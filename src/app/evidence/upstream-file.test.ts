import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  bookDocument,
  cutRow,
  errorRow,
  recordOf,
  START_S,
  textRow,
} from '../../reconcile/reconcile.test-support.ts';
import { readUpstream } from '../../reconcile/records/upstream-calls.ts';
import { keepUpstream, type UpstreamFlags } from './keep-upstream.ts';
import { readUpstreamFile, type UpstreamOptions } from './upstream-file.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'upstream-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function file(name: string, content: unknown): string {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  writeFileSync(join(dir, name), text);
  return join(dir, name);
}

const ndjson = (...rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const read = (content: string, options: UpstreamOptions = {}, name = 'bill') =>
  readUpstreamFile(file(name, content), options);

const JOURNAL_LINE = {
  ...{ schema: 'weighbridge.journal/1', type: 'call', request_id: 'up-1', marker: 'wb00000000000000aa' },
  ...{
    received_at: '2026-11-20T12:00:00.000Z',
    amount: '0.002',
    model: 'm',
    input_tokens: 7,
    output_tokens: 3,
  },
};

const GENERATION = {
  data: {
    ...{ id: 'gen-1', created_at: '2026-11-20T12:00:00.000000+00:00', model: 'lab/m', total_cost: 1.335e-5 },
    ...{ native_tokens_prompt: 7, native_tokens_completion: 3, native_tokens_cached: 2, cancelled: false },
    prompt: 'what a user asked',
  },
};

const SPEND_ROW =
  'request_id,startTime,model,spend,prompt_tokens,completion_tokens,cache_hit,metadata\n' +
  'chatcmpl-1,2026-11-20T12:00:00Z,m,0.002,7,3,False,{}\n';

test('what kind of file it is, its first entry tells', async () => {
  expect(await read(ndjson(JOURNAL_LINE))).toMatchObject({
    kind: 'journal',
    calls: [{ ids: ['up-1'], marker: 'wb00000000000000aa', cost: '0.002', input: 7, output: 3 }],
  });
  const record = recordOf('a', { created_at: START_S, cache_read_tokens: 5 });
  const asRecord = {
    kind: 'records',
    mapping: null,
    calls: [
      {
        ids: ['req-a', 'rec-a'],
        marker: null,
        model: 'text-1',
        at: '2026-11-20T12:00:00.000Z',
        cost: '0.0028',
        input: 1000,
        cache_read: 5,
      },
    ],
  };
  expect(await read(ndjson(record))).toMatchObject(asRecord);
  expect(await read(JSON.stringify([record]))).toMatchObject(asRecord);
  expect(await read(JSON.stringify({ data: [record], has_more: false }))).toMatchObject(asRecord);
  const generation = await read(ndjson(GENERATION));
  expect(generation).toMatchObject({
    kind: 'rows',
    mapping: 'openrouter',
    calls: [{ ids: ['gen-1'], model: 'lab/m', cost: '0.00001335', input: 7, output: 3, cache_read: 2 }],
  });
  expect(JSON.stringify(generation)).not.toContain('what a user asked');
  expect(await read(SPEND_ROW)).toMatchObject({
    kind: 'rows',
    mapping: 'litellm',
    calls: [{ ids: ['chatcmpl-1'] }],
  });
});

test('a bill that tells sums is a line for each, in the days of its zone', async () => {
  const activity = (day: string, usage: number | string) => ({
    ...{ date: day, model_permaslug: 'lab/m', endpoint_id: 'e', provider_name: 'p', usage },
    ...{ prompt_tokens: 7, completion_tokens: 3, requests: 2 },
  });
  const bill = JSON.stringify({ data: [activity('2026-11-20', 1.335e-5), activity('2026-11-21', 0.5)] });
  const day = { ids: [], model: 'lab/m', at: '2026-11-20T00:00:00.000Z', until: '2026-11-21T00:00:00.000Z' };
  const read_ = { kind: 'bill', mapping: 'openrouter-activity', notes: [] };
  expect(await read(bill)).toMatchObject({
    ...read_,
    calls: [{ ...day, cost: '0.00001335' }, { cost: '0.5' }],
  });
  expect(await read(bill, { mapping: 'openrouter-activity' })).toMatchObject(read_);
  const usage = {
    start_time: 1_795_132_800,
    end_time: 1_795_219_200,
    results: [{ input_tokens: 1, output_tokens: 2, num_model_requests: 1, model: 'm' }],
  };
  await expect(read(JSON.stringify({ data: [usage] }), { mapping: 'openai-usage' })).rejects.toMatchObject({
    code: 'upstream_without_amounts',
  });
  const fine = JSON.stringify({ data: [activity('2026-11-20', '0.00000000012345')] });
  await expect(read(fine)).rejects.toThrow(
    /amount: expected USD of at most 12 decimals, found "0.00000000012345"/,
  );
});

test('rows before the first that a mapping takes, and all that it leaves out, are counted', async () => {
  const row = {
    id: 1,
    created_at: START_S,
    type: 2,
    model_name: 'm',
    quota: 83,
    prompt_tokens: 7,
    completion_tokens: 3,
    request_id: 'r',
    other: '{}',
  };
  const log = JSON.stringify({ data: { items: [{ ...row, type: 5 }, row, { ...row, type: 6 }] } });
  expect(await read(log)).toMatchObject({
    mapping: 'new-api',
    calls: [{ ids: ['r'], cost: '0.000166' }],
    notes: expect.arrayContaining([expect.stringMatching(/^1 row is left out by the mapping: type 5/)]),
  });
});

test('a ledger is priced by the price list of the provider, and asks for one', async () => {
  const book = file('book.json', bookDocument());
  const calls = join(dir, 'calls');
  mkdirSync(calls);
  const rows = [textRow('a', { response_id: 'chatcmpl-a' }), cutRow('b'), errorRow('c', 429)];
  writeFileSync(join(calls, 'a.ndjson'), ndjson(...rows));
  const ledger = await readUpstreamFile(dir, { pricebook: book });
  expect(ledger).toMatchObject({
    kind: 'ledger',
    calls: [
      { ids: ['req-a', 'chatcmpl-a', 'call-a'], cost: '0.0028', input: 1000, output: 100 },
      { cost: null, input: null },
      { cost: '0' },
    ],
  });
  expect(await readUpstreamFile(join(calls, 'a.ndjson'), { pricebook: book })).toEqual(ledger);
  await expect(readUpstreamFile(dir, {})).rejects.toMatchObject({
    code: 'upstream_pricebook_missing',
    exitCode: 2,
  });
  await expect(readUpstreamFile(dir, { pricebook: join(dir, 'none') })).rejects.toMatchObject({
    code: 'book_missing',
  });
  const broken = file('broken.json', '{"no": "book"}');
  await expect(readUpstreamFile(dir, { pricebook: broken })).rejects.toMatchObject({
    code: 'book_unreadable',
  });
});

test('a bill that cannot be read to its last row is refused with file and row', async () => {
  const [right, other] = [recordOf('a'), recordOf('b')];
  const cases: readonly (readonly [string, string, string | RegExp])[] = [
    ['records_corrupt', ndjson(right, { ...other, amount: 'free' }), /bill:2: amount: expected USD/],
    [
      'records_corrupt',
      ndjson(right, { ...other, amount: '0.0000000000001' }),
      /bill:2: amount: expected USD of at most 12/,
    ],
    [
      'records_corrupt',
      ndjson(right, { ...other, currency: 'EUR' }),
      /bill:2: expected amounts in USD, found EUR/,
    ],
    ['records_corrupt', ndjson(right, { ...other, id: '', request_id: '' }), /bill:2: expected an id/],
    ['records_corrupt', ndjson(right, { id: 'b' }), /bill:2: expected a usage record/],
    [
      'journal_corrupt',
      ndjson(JOURNAL_LINE, { ...JOURNAL_LINE, amount: 'free' }),
      /bill:2: expected a line of/,
    ],
    [
      'upstream_unknown',
      ndjson({ day: '2026-11-20', cost: '3' }),
      /usage records: .*lacks id.*litellm: .*new-api: /,
    ],
    ['upstream_unknown', 'day,model,cost\n2026-11-20,m,3\n', 'is not known'],
    ['upstream_unknown', '', 'is not known'],
  ];
  for (const [code, text, message] of cases)
    await expect(read(text)).rejects.toMatchObject({
      code,
      exitCode: 2,
      message:
        typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message),
    });
  await expect(readUpstreamFile(join(dir, 'none'), {})).rejects.toMatchObject({ code: 'upstream_missing' });
});

test('what a record holds in reserve, or gave back, is no cost', async () => {
  const pending = recordOf('a', { billing_status: 'pending', amount: '0.01' });
  const failed = recordOf('b', {
    ...{ billing_status: 'refunded', result: 'failed' },
    ...{ amount: '0.01', reserved_amount: '0.01', refunded_amount: '0.01' },
  });
  expect((await read(ndjson(pending, failed))).calls).toMatchObject([{ cost: null }, { cost: '0' }]);
});

test('the run folder keeps what was read and declared, and no path', async () => {
  const kept = join(dir, 'run');
  mkdirSync(kept);
  const said: string[] = [];
  const keep = (flags: UpstreamFlags) => keepUpstream(kept, flags, (line) => said.push(line));
  const mapping = file(
    'own.yaml',
    readFileSync(join(import.meta.dirname, 'record-mappings/openrouter.yaml'), 'utf8'),
  );
  await keep({
    upstream: file('bill', ndjson(GENERATION)),
    upstreamMapping: mapping,
    upstreamModel: ['fast=lab/m'],
    upstreamWhole: true,
  });
  const header = {
    kind: 'rows',
    mapping: 'own.yaml',
    whole: true,
    models: [{ sold: 'fast', bought: 'lab/m' }],
  };
  expect(await readUpstream(join(kept, 'upstream.ndjson'))).toMatchObject({
    header,
    calls: [{ ids: ['gen-1'] }],
  });
  expect(readFileSync(join(kept, 'upstream.ndjson'), 'utf8')).not.toContain(dir);
  expect(said).toEqual([`upstream: 1 line read (rows of ${mapping})`]);
  // Without the flag the folder stays as it is.
  await keep({});
  expect(await readUpstream(join(kept, 'upstream.ndjson'))).toMatchObject({ header });
  await expect(keep({ upstreamWhole: true })).rejects.toMatchObject({ code: 'upstream_missing' });
  for (const text of ['fast', '=m', 'fast=', 'a=b=c'])
    await expect(keep({ upstream: 'x', upstreamModel: [text] })).rejects.toMatchObject({
      code: 'upstream_model_invalid',
      message: expect.stringContaining(JSON.stringify(text)),
    });
});
