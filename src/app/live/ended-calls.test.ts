import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CallRow } from '../../contracts/ledger-lines.ts';
import { unobservedCall } from '../../contracts/unobserved-call.ts';
import { formatInstant } from '../../core/time.ts';
import { EndedCalls } from './ended-calls.ts';

const ZERO = Date.parse('2026-11-20T10:00:00.000Z');

function rowOf(id: string, startMs: number, changes: Partial<CallRow> = {}): CallRow {
  return unobservedCall({
    run_id: 'run-1',
    instance: 'i0',
    call_id: `i0/${id}/${changes.attempt ?? 1}`,
    logical_id: id,
    scenario: 'chat',
    kind: 'chat',
    path: '/v1/chat/completions',
    stream: true,
    model: 'm',
    started_at: formatInstant(ZERO + startMs),
    end_ms: 1_000,
    ttft_ms: 100,
    outcome: 'ok',
    error_type: 'none',
    blame: 'none',
    ...changes,
  });
}

const BUSY: Partial<CallRow> = {
  outcome: 'http_error',
  error_type: 'rate_limited',
  status: 429,
  error_code: 'rate_limited',
  ttft_ms: null,
};

const usage = (output: number) => ({
  input: 10,
  output,
  cache_read: null,
  cache_write: null,
  reasoning: null,
  raw: null,
});

function callsOf(rows: readonly CallRow[]): EndedCalls {
  const calls = new EndedCalls((scenario) => (scenario === 'chat' ? 'chat' : null));
  calls.add(rows.map((row) => JSON.stringify(row)));
  return calls;
}

test('times and failures are those of the report, over a whole run', async () => {
  const [name = ''] = readdirSync('reports/sample');
  const run = join('reports/sample', name);
  const calls = new EndedCalls((scenario) => (scenario === 'chat' ? 'chat' : null));
  const text = readFileSync(join(run, 'calls/i0-0.ndjson'), 'utf8');
  for (const line of text.split('\n').filter((each) => each.startsWith('{"schema":"weighbridge.call/1"')))
    calls.add([line]);
  const { load } = JSON.parse(readFileSync(join(run, 'result.json'), 'utf8'));
  const chat = load.kinds.find(({ kind }: { kind: string }) => kind === 'chat');
  const { ttft, e2e } = calls.figures('chat', 60);
  expect(ttft).toEqual({
    count: chat.latency.ttft.count,
    p50_ms: chat.latency.ttft.p50,
    p95_ms: chat.latency.ttft.p95,
    p99_ms: chat.latency.ttft.p99,
  });
  expect(e2e?.p95_ms).toBe(chat.latency.e2e.p95);
  const { input, output } = chat.tokens;
  expect(calls.figures('chat', 1).tokens_per_s).toEqual({ input, output });
  expect(calls.failures()).toEqual({ errors: chat.failures.map(() => expect.anything()), others: 0 });
  expect(calls.sample()).toBeNull();
});

test('a call that is made again waits for its last attempt, and its first one is no failure', () => {
  const first = rowOf('a', 0, { ...BUSY, end_ms: 50 });
  expect(callsOf([first]).failures().errors).toEqual([
    { outcome: 'http_error', status: 429, error_code: 'rate_limited', count: 1, kinds: { chat: 1 } },
  ]);
  const calls = callsOf([first, rowOf('a', 2_000, { attempt: 2 })]);
  expect(calls.failures()).toEqual({ errors: [], others: 0 });
  const { ttft, e2e } = calls.figures('chat', 10);
  expect([ttft?.p50_ms, e2e?.p50_ms]).toEqual([2_100, 3_000]);
});

test('of an attempt whose earlier ones are not known there is no time', () => {
  const { ttft, e2e } = callsOf([rowOf('a', 2_000, { attempt: 2 })]).figures('chat', 10);
  expect([ttft, e2e]).toEqual([null, null]);
});

test('calls that we cut or never sent are no failures, and have no times', () => {
  const cut = { ttft_ms: null, error_type: 'none' } as const;
  const calls = callsOf([
    rowOf('a', 0, { ...cut, outcome: 'aborted' }),
    rowOf('b', 0, { ...cut, outcome: 'interrupted' }),
    rowOf('c', 0, { ...cut, outcome: 'not_sent' }),
  ]);
  expect(calls.failures()).toEqual({ errors: [], others: 0 });
  expect(calls.figures(null, 10)).toEqual({ ttft: null, e2e: null, tokens_per_s: null });
});

test('what ended before the window is forgotten, and failures are not', () => {
  const rows = [rowOf('a', 0, BUSY), rowOf('b', 0), rowOf('c', 8_000, { usage: usage(40) })];
  const calls = callsOf(rows);
  calls.forgetBefore(ZERO + 5_000);
  const { e2e, tokens_per_s } = calls.figures('chat', 4);
  expect(e2e?.count).toBe(1);
  expect(tokens_per_s).toEqual({ input: 2.5, output: 10 });
  expect(calls.failures().errors.map(({ count }) => count)).toEqual([1]);
});

test('many rows are a sample that says so: rare failures stay, sums stand for all', () => {
  const good = Array.from({ length: 1_000 }, (_, n) => rowOf(`g${n}`, n, { usage: usage(7) }));
  const calls = callsOf([...good.slice(0, 501), rowOf('bad', 0, BUSY), ...good.slice(501)]);
  expect(calls.sample()).toEqual({ read: 251, rows: 1_001 });
  expect(calls.failures().errors.map(({ count }) => count)).toEqual([1]);
  expect(calls.figures('chat', 1).tokens_per_s?.output).toBe(7_000);
});

test('a target that gives each answer a code of its own takes no memory without end', () => {
  const rows = Array.from({ length: 250 }, (_, n) => rowOf(`b${n}`, 0, { ...BUSY, error_code: `e${n}` }));
  const { errors, others } = callsOf(rows).failures();
  expect([errors.length, others]).toEqual([10, 240]);
});
