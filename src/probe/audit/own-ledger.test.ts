import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { INTENT_SCHEMA, LEDGER_SCHEMA } from '../../contracts/schema-names.ts';
import { unobservedCall } from '../../contracts/unobserved-call.ts';
import { OwnLedger } from './own-ledger.ts';

const HOUR = 3_600_000;
const NOON = Date.parse('2026-03-02T12:00:00.000Z');
const FILE = '2026-03-02-060000abcd-0.ndjson';

function ledgerFolder() {
  const dir = mkdtempSync(join(tmpdir(), 'own-ledger-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const header = {
    schema: LEDGER_SCHEMA,
    run_id: 'probe',
    instance: 'one',
    file: 0,
    segment: null,
    seed: null,
    clock: { wall: '2026-03-02T06:00:00.000Z', mono_ms: 0 },
    plan_hash: null,
    key_fp: null,
    cores: null,
    versions: { weighbridge: 'test', k6: 'none', go: 'none' },
  };
  const write = (line: object): void => appendFileSync(join(dir, FILE), `${JSON.stringify(line)}\n`);
  write(header);
  return { dir, write };
}

function intentOf(call_id: string, at_ms: number) {
  return {
    schema: INTENT_SCHEMA,
    run_id: 'probe',
    instance: 'one',
    call_id,
    logical_id: call_id,
    attempt: 1,
    kind: 'chat',
    model: 'aspen-mini',
    key_fp: null,
    at: new Date(at_ms).toISOString(),
    worst_case_usd: '0.01',
    prompt_bytes: 12,
    max_tokens: 8,
    units: null,
    watermark: null,
  };
}

function rowOf(call_id: string, at_ms: number) {
  return unobservedCall({
    run_id: 'probe',
    instance: 'one',
    call_id,
    logical_id: call_id,
    scenario: 'chat',
    kind: 'chat',
    path: '/v1/chat/completions',
    stream: false,
    model: 'aspen-mini',
    started_at: new Date(at_ms).toISOString(),
    end_ms: 20,
    outcome: 'ok',
    error_type: 'none',
    blame: 'none',
  });
}

const idsOf = (lines: readonly { readonly call_id: string }[]): string[] =>
  lines.map(({ call_id }) => call_id);

test('a line is read once, however many rounds ask for it', async () => {
  const { dir, write } = ledgerFolder();
  for (const id of ['a', 'b']) for (const line of [intentOf(id, NOON), rowOf(id, NOON)]) write(line);
  const own = new OwnLedger(dir);
  const span = { since_ms: NOON - HOUR, running_since_ms: NOON - HOUR };
  await own.readOn(NOON - HOUR);
  expect(own.lines_read).toBe(5);
  for (const line of [intentOf('c', NOON + 1), rowOf('c', NOON + 1)]) write(line);
  await own.readOn(NOON - HOUR);
  await own.readOn(NOON - HOUR);
  expect(own.lines_read).toBe(7);
  const { ledger, under_way } = await own.since(span);
  expect(idsOf(ledger.rows)).toEqual(['a', 'b', 'c']);
  expect(idsOf(ledger.intents)).toEqual(['a', 'b', 'c']);
  expect(under_way).toBe(0);
});

test('what was let go is kept from the oldest call that is under way', async () => {
  const { dir, write } = ledgerFolder();
  write(rowOf('old', NOON - 5 * HOUR));
  write(intentOf('video', NOON - 4 * HOUR));
  write(rowOf('after', NOON - 3 * HOUR));
  write(rowOf('new', NOON));
  const own = new OwnLedger(dir);
  await own.readOn(NOON - 24 * HOUR);
  const recent = { since_ms: NOON - HOUR, running_since_ms: NOON - 6 * HOUR };
  await own.forget(recent);
  expect(idsOf((await own.since(recent)).ledger.rows)).toEqual(['new']);
  const earlier = { ...recent, since_ms: NOON - 6 * HOUR };
  expect(await own.since(earlier)).toMatchObject({ under_way: 1 });
  expect(idsOf((await own.since(earlier)).ledger.rows)).toEqual(['after', 'new']);
  // Its row comes: the calls beside it are still there to be judged with it.
  write(rowOf('video', NOON - 4 * HOUR));
  await own.readOn(NOON - 24 * HOUR);
  const ended = await own.since(earlier);
  expect(ended.under_way).toBe(0);
  expect(idsOf(ended.ledger.rows)).toEqual(['after', 'new', 'video']);
  await own.forget({ since_ms: NOON - HOUR, running_since_ms: NOON - HOUR });
  expect(idsOf((await own.since(earlier)).ledger.rows)).toEqual(['new']);
});

test('a damaged line is told and the others count; files of days before are not opened', async () => {
  const { dir, write } = ledgerFolder();
  writeFileSync(join(dir, '2026-02-27-060000abcd-0.ndjson'), 'no ledger\n');
  appendFileSync(join(dir, FILE), '{"schema":"torn\n');
  write(rowOf('a', NOON));
  const own = new OwnLedger(dir);
  await own.readOn(NOON);
  const { ledger } = await own.since({ since_ms: NOON - HOUR, running_since_ms: NOON });
  expect(idsOf(ledger.rows)).toEqual(['a']);
  expect(ledger.problems).toMatchObject([{ line: 2, gap: false }]);
});
