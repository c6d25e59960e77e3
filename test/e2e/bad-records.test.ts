import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { runProgram } from '../../src/cli/program.ts';
import { bookDocument, recordOf } from '../../src/reconcile/reconcile.test-support.ts';
import { scratchDir } from '../support/run-weighbridge.ts';

const finding = z.object({ class: z.string(), request_id: z.string().nullable() });

const NOW_S = Math.floor(Date.now() / 1000);
const instant = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;

const of = (name: string, changes: Parameters<typeof recordOf>[1] = {}) =>
  recordOf(name, { created_at: NOW_S - 60, ...changes });

/** Judges these records, of the last hour, by no gateway. */
async function judged(records: readonly unknown[]) {
  const dir = scratchDir();
  const [file, book] = [join(dir, 'records.ndjson'), join(dir, 'book.json')];
  // Numbers that JSON.stringify would round are written by their digits.
  const text = records
    .map((record) => `${JSON.stringify({ created_at: NOW_S - 60, ...Object(record) })}\n`)
    .join('');
  writeFileSync(file, text.replaceAll(/"digits:([^"]+)"/g, '$1'));
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
      redraw: () => undefined,
      live: false,
      width: 100,
      env: {},
    },
  );
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
    { id: 'rec-little', request_id: 'req-little' },
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
