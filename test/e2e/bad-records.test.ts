import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { UNWATCHED } from '../../src/app/notices/unwatched.test-support.ts';
import { runProgram } from '../../src/cli/program.ts';
import { bookDocument, recordOf } from '../../src/reconcile/reconcile.test-support.ts';
import { scratchDir } from '../support/run-weighbridge.ts';

const finding = z.object({ class: z.string(), request_id: z.string().nullable() });

const NOW_S = Math.floor(Date.now() / 1000);
const instant = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;

const of = (name: string, changes: Parameters<typeof recordOf>[1] = {}) =>
  recordOf(name, { created_at: NOW_S - 60, ...changes });

/** Reconciles a file of records of the last hour, by no gateway. */
async function reconciled(name: string, text: string) {
  const dir = scratchDir();
  const [file, book] = [join(dir, name), join(dir, 'book.json')];
  writeFileSync(file, text);
  writeFileSync(book, JSON.stringify(bookDocument()));
  const said: string[] = [];
  const code = await runProgram(
    [
      'reconcile',
      '--from',
      instant(NOW_S - 3_600),
      '--to',
      instant(NOW_S),
      '--records',
      file,
      '--pricebook',
      book,
      '--out',
      dir,
      '--json',
    ],
    {
      out: (line) => said.push(line),
      err: (line) => said.push(line),
      ...UNWATCHED,
      width: 100,
      env: {},
    },
  );
  return { code, said, file, dir };
}

async function judged(records: readonly unknown[]) {
  // Numbers that JSON.stringify would round are written by their digits.
  const text = records
    .map((record) => `${JSON.stringify({ created_at: NOW_S - 60, ...Object(record) })}\n`)
    .join('');
  const { code, said } = await reconciled('records.ndjson', text.replaceAll(/"digits:([^"]+)"/g, '$1'));
  const last = z.object({ dir: z.string() }).parse(JSON.parse(said.at(-1) ?? ''));
  const findings = readFileSync(join(last.dir, 'findings.ndjson'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => finding.parse(JSON.parse(line)));
  return { code, said: said.join('\n'), findings: findings.map((one) => `${one.class} ${one.request_id}`) };
}

test('each record that is odd is told as a finding, and the right one beside it is not', async () => {
  const { findings, code, said } = await judged([
    of('right'),
    of('of another month', { created_at: NOW_S - 3_601, amount: '9' }),
    of('of the second at the end', { created_at: NOW_S, amount: '9' }),
    { ...of('tokens'), input_tokens: 'digits:9223372036854775808' },
    of('negative', { amount: '-0.0028' }),
    of('comma', { amount: '0,0028' }),
    { ...of('number'), amount: 0.0028 },
    of('status', { billing_status: 'odd', amount: '0' }),
    { ...of('euro'), currency: 'EUR' },
    { ...of('little'), amount: null, input_tokens: null },
  ]);
  expect(findings.filter((one) => one.endsWith(' req-right'))).toEqual([]);
  expect(findings).toEqual(
    expect.arrayContaining([
      'unknown_records req-tokens',
      'negative_component req-negative',
      'precision_loss req-comma',
      'precision_loss req-number',
      'unknown_records req-status',
      'unknown_status null',
      'unknown_records req-little',
    ]),
  );
  expect(findings.some((one) => one.startsWith('currency_or_unit_error'))).toBe(true);
  expect(said).toMatch(/8 records read\n {2}2 more are dated outside the period: (on|from) \d{4}-\d\d-\d\d/);
  expect(findings.filter((one) => one.includes('of another month') || one.includes('at the end'))).toEqual(
    [],
  );
  expect(code).toBe(5);
});

const PACKAGES = { name: 'somebody', version: '1.0.0', dependencies: { left: '^1.0.0' } };

test.each<[string, string, string]>([
  ['package.json', JSON.stringify(PACKAGES), ':1: expected a usage record, row 1 lacks id, request_id, '],
  [
    'list.json',
    JSON.stringify([of('a'), PACKAGES], null, 2),
    ':2: expected a usage record, row 2 lacks id, ',
  ],
  [
    'models.json',
    JSON.stringify({ object: 'list', data: [{ id: 'm' }] }),
    ':1: expected a usage record, item 0 of data in row 1 lacks request_id, ',
  ],
  ['laid-out.json', JSON.stringify(PACKAGES, null, 2), ':1: expected a usage record, row 1 lacks id, '],
  ['few.csv', 'id,request_id,amount\n1,2,3\n', ':1: expected a usage record, the columns lack model, '],
])('%s, which holds no usage records, is refused with file, row and what is missing', async (...given) => {
  const [name, text, what] = given;
  const { code, said, file, dir } = await reconciled(name, text);
  expect(code).toBe(2);
  expect(said.join('\n')).toContain(`error: ${file}${what}`);
  expect(said.at(-1)).toContain('"code":"records_corrupt"');
  expect(readdirSync(dir).toSorted()).toEqual(['book.json', name].toSorted());
});
