import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { UNWATCHED } from '../src/app/notices/unwatched.test-support.ts';
import { runProgram } from '../src/cli/program.ts';
import { bookDocument, recordOf, START_S, textRow } from '../src/reconcile/reconcile.test-support.ts';
import { ROOT } from './support/run-weighbridge.ts';

const PAGE = readFileSync(join(ROOT, 'docs/chain.md'), 'utf8');
const DAY_S = 86_400;

const ndjson = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** Three calls sold on two days; the second was bought twice, and one was bought that nobody here paid. */
function world() {
  const dir = mkdtempSync(join(tmpdir(), 'wb-chain-page-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const file = (name: string, text: string): string => {
    writeFileSync(join(dir, name), text);
    return join(dir, name);
  };
  const sold = [
    { ...recordOf('a'), upstream_request_id: 'up-a' },
    { ...recordOf('b'), upstream_request_id: 'up-b' },
    { ...recordOf('c', { created_at: START_S + DAY_S }), upstream_request_id: 'up-c' },
  ];
  const names = Object.keys(recordOf('a')).concat('upstream_request_id');
  const csv = [names, ...sold.map((record) => Object.values(record).map(String))];
  const buy = (name: string, changes: object = {}) => ({
    ...recordOf(name, { id: `up-${name}`, request_id: `up-${name}`, amount: '0.0019', refunded_amount: '0' }),
    ...changes,
  });
  const bill = [
    buy('a'),
    buy('b-first', { output_tokens: 0, amount: '0.0008', upstream_request_id: 'up-b' }),
    buy('b'),
    buy('c', { created_at: START_S + DAY_S }),
    buy('other', { amount: '0.5', output_tokens: 9000 }),
  ];
  const spend = bill.map(({ request_id, created_at, model, amount, input_tokens, output_tokens }) =>
    [
      request_id,
      new Date(created_at * 1000).toISOString(),
      model,
      amount,
      input_tokens,
      output_tokens,
      'False',
      '{}',
    ].join(),
  );
  const head = 'request_id,startTime,model,spend,prompt_tokens,completion_tokens,cache_hit,metadata';
  mkdirSync(join(dir, 'bought'));
  const rows = ['a', 'b', 'c'].map((name) =>
    textRow(name, { request_id: `up-${name}`, request_ids: [`up-${name}`], response_id: null }),
  );
  writeFileSync(join(dir, 'bought/a.ndjson'), ndjson(rows));
  const prices = JSON.stringify(bookDocument());
  const tokens: Readonly<Record<string, string>> = {
    'sales.csv': file('sales.csv', csv.map((row) => `${row.join()}\n`).join('')),
    'prices.json': file('prices.json', prices),
    'provider-prices.json': file('provider-prices.json', prices),
    'bill.ndjson': file('bill.ndjson', ndjson(bill)),
    'spend.csv': file('spend.csv', [head, ...spend].map((row) => `${row}\n`).join('')),
    'bought/': join(dir, 'bought'),
  };
  return { dir, tokens };
}

async function ran(
  command: string,
  dir: string,
  tokens: Readonly<Record<string, string>>,
  ...flags: readonly string[]
) {
  const said: string[] = [];
  const args = command.split(' ').slice(1);
  const code = await runProgram(
    [
      ...args.map((word) => tokens[word] ?? word),
      '--out',
      join(dir, 'out'),
      '--state',
      join(dir, 'state'),
      ...flags,
    ],
    { out: (line) => said.push(line), err: (line) => said.push(line), ...UNWATCHED, width: 300, env: {} },
  );
  return { code, said };
}

test('every command of the page runs as shown, and says what is shown', async () => {
  const { dir, tokens } = world();
  const commands = [...PAGE.matchAll(/^ {4}(weighbridge .+)$/gm)].map(([, line]) => line ?? '');
  const [shown = '', ...others] = commands;
  const first = await ran(shown, dir, tokens);
  const [, block = ''] = /^ {4}weighbridge .+\n\n((?: {4}.+\n)+)/m.exec(PAGE) ?? [];
  expect(first.said.join('\n')).toContain(block.replace(/^ {4}/gm, '').trim());
  expect(first.code).toBe(0);
  expect(others.length).toBeGreaterThan(2);
  const codes = [];
  for (const command of others) {
    const { code, said } = await ran(command, dir, tokens);
    expect({ command, said: said.join('\n') }).not.toMatchObject({ said: expect.stringContaining('error:') });
    codes.push([code, command.includes('--upstream-whole')]);
  }
  // What nobody here paid is unbilled only where all are declared to be here.
  expect(codes).toEqual(codes.map(([, whole]) => [whole ? 5 : 0, whole]));
});

test('--gate decides which findings of the chain make exit 5, and a later report shows the same', async () => {
  const { dir, tokens } = world();
  const command =
    'weighbridge reconcile --month 2026-11 --records sales.csv --pricebook prices.json --upstream bill.ndjson --upstream-whole';
  const gated = await ran(command, dir, tokens);
  expect(gated).toMatchObject({ code: 5 });
  expect(gated.said.join('\n')).toContain('5: the chain: 1 call unbilled ($0.5)');
  for (const gate of ['S1', 'S3:0.6', 'S3:0:duplicate_charge'])
    expect((await ran(command, dir, tokens, '--gate', gate)).code).toBe(0);
  expect((await ran(command, dir, tokens, '--gate', 'S2:0.4')).code).toBe(5);
});
