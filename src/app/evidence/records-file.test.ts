import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { recordOf } from '../../reconcile/reconcile.test-support.ts';
import { RECORD_COLUMNS } from './record-tables.ts';
import { type RecordRead, recordsOf } from './records-file.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'records-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function file(name: string, text: string): string {
  writeFileSync(join(dir, name), text);
  return join(dir, name);
}

function csv(
  changes: Readonly<Record<string, string>> = {},
  columns: readonly string[] = RECORD_COLUMNS,
): string {
  const record: Readonly<Record<string, unknown>> = { ...recordOf('a'), currency: 'USD', ...changes };
  return `${columns.join(',')}\n${columns.map((name) => record[name]).join(',')}\n`;
}

function json(name: string, changes: Readonly<Record<string, unknown>> = {}): string {
  return `${JSON.stringify({ ...recordOf(name), ...changes })}\n`;
}

/** The fields of a usage record but these. */
function without(...names: readonly string[]): string {
  return RECORD_COLUMNS.filter((name) => !names.includes(name)).join(', ');
}

async function read(path: string): Promise<readonly RecordRead[]> {
  const records: RecordRead[] = [];
  for await (const record of recordsOf(path)) records.push(record);
  return records;
}

test('records, lists and pages are the same records', async () => {
  const [a, b] = [recordOf('a'), recordOf('b')];
  const lines = [a, { ...b, currency: 'EUR' }, { data: [a, b], currency: 'USD' }]
    .map((each) => JSON.stringify(each))
    .join('\n');
  expect(await read(file('r.ndjson', `${lines}\n`))).toEqual([
    { line: 1, record: a, currency: null },
    { line: 2, record: b, currency: 'EUR' },
    { line: 3, record: a, currency: 'USD' },
    { line: 3, record: b, currency: 'USD' },
  ]);
  expect(await read(file('r.json', JSON.stringify([a], null, 2)))).toEqual([
    { line: 1, record: a, currency: null },
  ]);
  const page = { data: [a, b], currency: 'USD', has_more: false };
  expect(await read(file('page.json', JSON.stringify(page, null, 2)))).toEqual([
    { line: 1, record: a, currency: 'USD' },
    { line: 1, record: b, currency: 'USD' },
  ]);
  expect(await read(file('r.csv', csv()))).toEqual([{ line: 2, record: a, currency: null }]);
});

test('no number is rounded: 2^63 tokens and amounts of many digits stay texts', async () => {
  const [tokens, amount] = ['9223372036854775808', '0.12345678901234567890'];
  const many = json('a').replace('1000', tokens).replace('"0.0028"', amount);
  expect(await read(file('r.ndjson', many))).toMatchObject([
    { record: { input_tokens: '9223372036854775808', amount: '0.12345678901234567890' } },
  ]);
  const cells = csv({ input_tokens: '9223372036854775808', amount: '-0.123456789012345678' });
  expect(await read(file('r.csv', cells))).toMatchObject([
    { record: { input_tokens: '9223372036854775808', amount: '-0.123456789012345678', output_tokens: 100 } },
  ]);
});

test('an unknown status, an empty cell and a foreign currency are data, which a judgement tells of', async () => {
  const cells = csv({ billing_status: 'odd', reserved_amount: '', currency: 'EUR' }, [
    ...RECORD_COLUMNS,
    'currency',
  ]);
  const number = file('r.ndjson', json('a', { currency: 978, amount: null, model: '' }));
  expect(await read(number)).toMatchObject([{ currency: '978', record: { amount: null, model: '' } }]);
  const [only] = await read(file('r.csv', cells));
  expect(only).toMatchObject({ currency: 'EUR', record: { billing_status: 'odd' } });
  expect(only !== undefined && 'record' in only && 'reserved_amount' in only.record).toBe(false);
});

test.each<[string, string, string]>([
  ['r.ndjson', `${json('a')}{"id": 1,}\n`, ':2: expected one JSON object, found text that is not JSON'],
  ['r.ndjson', `${json('a')}7\n`, ':2: expected a record, which is a JSON object'],
  [
    'r.ndjson',
    '{"schema":"weighbridge.usage-record/1","record":{}}\n',
    ':1: expected a usage record, found a line of a run folder, which holds all reads',
  ],
  [
    'r.ndjson',
    `${json('a')}{"data":[${json('b').trim()},7]}\n`,
    ':2: expected a page of records, found no record as item 1 of data',
  ],
  ['r.ndjson', '{"data":null}\n', ':1: expected a page of records, found no record in data'],
  ['r.parquet', 'PAR1 and no more', ':1: expected a Parquet file, found another or a part of one'],
  [
    'r.ndjson',
    `{"id":${'['.repeat(50_000)}${']'.repeat(50_000)}}\n`,
    ':1: expected records in JSON, found text that is not JSON',
  ],
  ['r.json', '[{}', ':1: expected records in JSON, found text that is not JSON'],
  ['r.csv', 'id,amount\n1,2\n', `:1: expected a usage record, the columns lack ${without('id', 'amount')}`],
  ['r.ndjson', `${json('a')}{}\n`, `:2: expected a usage record, row 2 lacks ${without()}`],
  ['r.ndjson', '{"error":{"message":"no"}}\n', `:1: expected a usage record, row 1 lacks ${without()}`],
  ['r.ndjson', json('a', { amount: undefined }), ':1: expected a usage record, row 1 lacks amount'],
  ['r.json', `[${json('a')},{"id":"b"}]`, `:2: expected a usage record, row 2 lacks ${without('id')}`],
  [
    'r.json',
    `[{"data":[${json('a')},${json('b', { model: undefined, created_at: undefined })}]}]`,
    ':1: expected a usage record, item 1 of data in row 1 lacks model, created_at',
  ],
  ['r.csv', '', ':1: expected a row of column names, found nothing'],
  ['r.csv', csv({}, [...RECORD_COLUMNS, 'id']), ':1: expected each column once, found id twice'],
  ['r.csv', `${csv()}1,2\n`, ':3: expected CSV with one row of column names'],
  ['r.csv', csv({ amount: 'free' }), ':2: amount: expected a decimal with a point, found "free"'],
  ['r.csv', csv({ input_tokens: '1.5' }), ':2: input_tokens: expected a whole number, found "1.5"'],
  [
    'r.csv',
    csv({ usage_estimated: 'perhaps' }),
    ':2: usage_estimated: expected true or false, found "perhaps"',
  ],
])('%s that is none is refused with file and line (%#)', async (name, text, what) => {
  const path = file(name, text);
  await expect(read(path)).rejects.toMatchObject({
    code: 'records_corrupt',
    exitCode: 2,
    message: expect.stringContaining(`${path}${what}`),
  });
});

test('pages that end before the last one are told', async () => {
  const page = (name: string, has_more: boolean) => JSON.stringify({ data: [recordOf(name)], has_more });
  const whole = file('whole.ndjson', `${page('a', true)}\n${page('b', false)}\n`);
  expect(await read(whole)).toHaveLength(2);
  const half = file('half.ndjson', `${page('a', false)}\n${page('b', true)}\n`);
  const list = file('half.json', `[${page('a', true)}]`);
  const said = 'expected the page after this one, which says has_more, found none';
  expect((await read(half)).at(-1)).toEqual({ line: 2, torn: `${half}:2: ${said}` });
  const laidOut = file('laid-out.json', JSON.stringify(JSON.parse(page('a', true)), null, 2));
  expect((await read(laidOut)).at(-1)).toEqual({ line: 1, torn: `${laidOut}:1: ${said}` });
  expect((await read(list)).at(-1)).toEqual({ line: 1, torn: `${list}:1: ${said}` });
});

test('a torn last line is told, and a missing file refused', async () => {
  const path = file('r.ndjson', `${json('a')}{"id": "a`);
  expect((await read(path)).at(-1)).toEqual({
    line: 2,
    torn: `${path}:2: expected one JSON object, found a part of one`,
  });
  await expect(read(join(dir, 'none'))).rejects.toMatchObject({ code: 'records_missing' });
});

test('a line that goes over many chunks is read whole', async () => {
  const long = { ...recordOf('a'), model: 'ä'.repeat(8_000_000) };
  const path = file('r.ndjson', `${JSON.stringify(long)}\n${JSON.stringify(recordOf('b'))}\n`);
  expect((await read(path)).map((one) => 'record' in one && one.record)).toEqual([long, recordOf('b')]);
});
