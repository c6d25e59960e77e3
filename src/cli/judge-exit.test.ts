import { expect, test } from 'vitest';
import { exitStatus } from '../core/exit-code.ts';
import type { Reconciliation } from '../core/reconciliation.ts';
import type { ClientVerdict, LoadResult, ObjectiveResult } from '../core/result.ts';
import { judgeExit } from './judge-exit.ts';

const VALID: ClientVerdict = {
  verdict: 'valid',
  reasons: [],
  schedule_lag_p99_ms: 1,
  cpu_max: 0.1,
  gc_ms: 0,
  rows_lost: 0,
};
const LIMITED: ClientVerdict = { ...VALID, verdict: 'client_limited', reasons: ['schedule lag p99 80 ms'] };

function load(...objectives: ObjectiveResult[]): LoadResult {
  const none = {
    ttft: null,
    ttfo: null,
    tpot: null,
    itl: null,
    e2e: null,
    e2e_planned: null,
    schedule_lag: null,
  };
  const total = {
    planned: 1,
    started: 1,
    dropped: 0,
    held: 0,
    ok: 1,
    outcomes: {},
    failures: [],
    asked_rate: null,
    achieved_rate: null,
    goodput: null,
    attainment: null,
    latency: none,
    tokens: null,
  };
  return { measured_s: 1, scenarios: [], kinds: [], total, objectives };
}

const time = (met: boolean): ObjectiveResult => ({
  scenario: 'chat',
  measure: 'ttft_ms',
  percentile: 95,
  max: 100,
  min: null,
  max_usd: null,
  actual: met ? 90 : 120,
  met,
});
const share: ObjectiveResult = {
  scenario: 'chat',
  measure: 'error_share',
  percentile: null,
  max: 0,
  min: null,
  max_usd: null,
  actual: 0.5,
  met: false,
};

function reconciliation(gated: boolean, inconclusive: string[] = []): Reconciliation {
  return {
    money: {
      expected: '0',
      charged: '0',
      charged_inexact: '0',
      refunded: '0',
      pending: '0',
      difference: '0',
      certain_over: '0',
      certain_under: '0',
      open: '0',
      records: 0,
      foreign: { records: 0, amount: '0' },
    },
    coverage: {
      to_the_digit: null,
      within_bounds: null,
      not_checkable: null,
      provisional: null,
      prices: { published: 0, declared: 0, inferred: 0 },
      settings: [],
    },
    findings: [],
    groups: gated
      ? [{ class: 'duplicate_charge', severity: 'S1', count: 2, provisional: 0, delta: '1', gates: true }]
      : [],
    completeness: {
      complete: true,
      pages: 1,
      records: 0,
      totals_records: 0,
      reads: 1,
      last_read_at: null,
      open_calls: 0,
      reasons: [],
    },
    calls: [],
    wanted: [],
    gated,
    inconclusive,
  };
}

const clean = {
  load: load(),
  client: VALID,
  reconciliation: reconciliation(false),
  halted: [],
  stopped: [],
  driven: 1,
};
const codes = (judged: Parameters<typeof judgeExit>[0]): number[] =>
  judgeExit(judged).map((exit) => exit.code);

test('a clean run holds no code and ends 0', () => {
  expect(codes(clean)).toEqual([]);
  expect(exitStatus([])).toBe(0);
});

test('findings outrank the cap, the cap outranks objectives, interruption outranks all three', () => {
  const all = {
    ...clean,
    load: load(share),
    reconciliation: reconciliation(true),
    halted: ['spend_cap', 'interrupted'],
  };
  expect(codes(all).toSorted()).toEqual([130, 4, 5, 6]);
  expect(exitStatus(codes(all))).toBe(130);
  expect(exitStatus(codes({ ...all, halted: ['spend_cap'] }))).toBe(5);
  expect(exitStatus(codes({ ...all, halted: ['spend_cap'], reconciliation: reconciliation(false) }))).toBe(6);
});

test('a starved client turns a missed time objective into 7, and leaves a missed share at 4', () => {
  expect(codes({ ...clean, load: load(time(false)) })).toEqual([4]);
  expect(codes({ ...clean, load: load(time(false)), client: LIMITED })).toEqual([7]);
  expect(codes({ ...clean, load: load(time(true)), client: LIMITED })).toEqual([7]);
  expect(codes({ ...clean, load: load(share), client: LIMITED })).toEqual([4]);
});

test('without an objective on time a starved client does not change the exit', () => {
  expect(codes({ ...clean, client: LIMITED })).toEqual([]);
});

test('no kind left to weigh, or an inconclusive audit, is 7', () => {
  const stopped = [{ scenario: 'chat', kind: 'chat' as const, model: 'm', reason: 'no request id' }];
  expect(judgeExit({ ...clean, stopped, driven: 0 })).toEqual([
    { code: 7, why: 'no kind could be weighed: chat: no request id' },
  ]);
  expect(codes({ ...clean, reconciliation: reconciliation(false, ['the read is not complete']) })).toEqual([
    7,
  ]);
});

test('a ledger that could not be written is a fault of ours', () => {
  expect(exitStatus(codes({ ...clean, halted: ['ledger_failed'] }))).toBe(1);
});
