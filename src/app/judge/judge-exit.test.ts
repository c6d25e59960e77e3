import { expect, test } from 'vitest';
import { exitStatus } from '../../contracts/exit-code.ts';
import type { LoadResult, ObjectiveResult } from '../../contracts/load-result.ts';
import { reconciliationOf } from '../../contracts/reconciliation.test-support.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import type { ClientVerdict } from '../../contracts/result.ts';
import { judgeExit } from './judge-exit.ts';

const VALID: ClientVerdict = {
  verdict: 'valid',
  reasons: [],
  schedule_lag_p99_ms: 1,
  cpu_max: 0.1,
  gc_ms: 0,
  rows_lost: 0,
  cores: 2,
  cpu_p95: 0.1,
  gc_share: 0,
  timer_lag_p99_ms: 1,
  run_queue_p99_ms: 0.1,
  open_files_max: 10,
  open_files_limit: 1024,
  rss_max_bytes: 1,
  dropped_by_client: 0,
  rps_limit: null,
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
    good: 1,
    retries: { calls: 0, attempts: 0 },
    streams: null,
    stages: null,
    usd_per_1000_good: null,
    usd_per_1000_good_at_most: false,
    aborted_usd: null,
  };
  return { measured_s: 1, scenarios: [], kinds: [], total, failed_downloads: [], objectives };
}

const time = (met: boolean): ObjectiveResult => ({
  scenario: 'chat',
  measure: 'ttft_ms',
  percentile: 95,
  max: 100,
  min: null,
  max_usd: null,
  actual: met ? 90 : 120,
  actual_usd: null,
  actual_at_most: false,
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
  actual_usd: null,
  actual_at_most: false,
  met: false,
};

function reconciliation(gated: boolean, inconclusive: string[] = []): Reconciliation {
  return reconciliationOf({
    groups: gated
      ? [
          {
            class: 'duplicate_charge',
            severity: 'S1',
            count: 2,
            provisional: 0,
            delta: '1',
            gates: true,
            gating: 2,
            rows: 2,
            causes: 2,
          },
        ]
      : [],
    gated,
    inconclusive,
  });
}

const clean = {
  load: load(),
  client: VALID,
  reconciliation: reconciliation(false),
  halted: [],
  capped: [],
  gaps: [],
  unclosed: [],
  unjudged: [],
  failure: null,
  no_success: null,
  abortMessage: null,
  stopped: [],
  driven: 1,
};
const codes = (judged: Parameters<typeof judgeExit>[0]): number[] =>
  judgeExit(judged).map((exit) => exit.code);

test('that no call succeeded stands beside what else holds, each in its place of the order', () => {
  const no_success = { code: 4, why: 'no call succeeded' };
  expect(codes({ ...clean, no_success, halted: ['quota_exhausted'] })).toEqual([4, 6]);
  expect(exitStatus(codes({ ...clean, no_success, halted: ['quota_exhausted'] }))).toBe(6);
  const refused = { code: 3, why: 'the target refused every call' };
  expect(exitStatus(codes({ ...clean, no_success: refused, halted: ['interrupted'] }))).toBe(3);
});

test('a clean run holds no code and ends 0', () => {
  expect(codes(clean)).toEqual([]);
  expect(exitStatus([])).toBe(0);
});

test('findings outrank the cap, the cap outranks objectives, interruption outranks all three', () => {
  const all = {
    ...clean,
    load: load(share),
    reconciliation: reconciliation(true),
    halted: ['spend_cap', 'interrupted'] as const,
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
    { code: 7, why: 'no kind of call could be tried: chat: no request id' },
  ]);
  expect(codes({ ...clean, reconciliation: reconciliation(false, ['the read is not complete']) })).toEqual([
    7,
  ]);
});

test('a ledger that could not be written is a fault of ours', () => {
  expect(exitStatus(codes({ ...clean, halted: ['ledger_failed'] }))).toBe(1);
});

test.for([
  ['spend_cap', 6, /spend cap was reached/],
  ['reserve_exceeded', 6, /more than its reserve/],
  ['credit_kept', 6, /quota fell under the share/],
  ['quota_exhausted', 6, /insufficient_user_quota/],
  ['stop_rule_429', 4, /refused with 429/],
  ['stop_rule_5xx', 4, /with a 5xx/],
  ['script_aborted', 4, /ended the run$/],
  ['interrupted', 130, /partial/],
  ['ledger_failed', 1, /could not be written/],
] as const)('a run halted by %s ends %i and says why', ([reason, code, why]) => {
  expect(judgeExit({ ...clean, halted: [reason] })).toEqual([{ code, why: expect.stringMatching(why) }]);
});

test('what a script said when it ended the run is told', () => {
  const [exit] = judgeExit({ ...clean, halted: ['script_aborted'], abortMessage: 'test aborted: enough' });
  expect(exit).toEqual({ code: 4, why: expect.stringMatching(/ended the run: test aborted: enough$/) });
});

test('a cap that kept calls back ends 6, names what it stopped and tells which call did not fit', () => {
  const why = 'one video call to m can cost up to $2';
  const capped = [
    { scope: 'kind' as const, name: 'video calls of model m', calls: 2, why },
    { scope: 'scenario' as const, name: 'scenario chat', calls: 3, why: null },
    { scope: 'model' as const, name: 'model m/large', calls: 1, why: null },
  ];
  expect(judgeExit({ ...clean, capped })).toEqual([
    { code: 6, why: `the spend cap stopped video calls of model m; 2 calls were not sent: ${why}` },
    { code: 6, why: 'the spend cap of scenario chat was reached; 3 calls were not sent' },
    { code: 6, why: 'the spend cap of model m/large was reached; 1 call was not sent' },
  ]);
  const last = { scope: 'run' as const, name: '', calls: 1, why };
  expect(judgeExit({ ...clean, halted: ['spend_cap'], capped: [last] })).toEqual([
    { code: 6, why: `the spend cap was reached; no further call was started: ${why}` },
  ]);
});

test('a search whose rates had too few calls neither met nor missed an objective', () => {
  const why = 'chat: 3 calls to judge ttft_ms p95 by';
  expect(judgeExit({ ...clean, load: load(time(false)), unjudged: [why] })).toEqual([
    { code: 7, why: `no capacity was found: ${why}` },
  ]);
});

test('a load engine that was killed ends with 1, and leaves no conclusion', () => {
  const killed = [
    { code: 1, why: expect.stringMatching(/without closing its ledger \(i0\)/) },
    { code: 7, why: expect.stringMatching(/in flight when the ledger of i0 broke off has no row/) },
  ];
  expect(judgeExit({ ...clean, unclosed: ['i0'] })).toEqual(killed);
  expect(exitStatus(judgeExit({ ...clean, unclosed: ['i0'] }).map(({ code }) => code))).toBe(1);
  // Seen to break off: said once.
  const failure = { code: 1, why: 'the load engine broke off' };
  expect(judgeExit({ ...clean, failure, unclosed: ['i0'] })).toEqual(killed);
  expect(judgeExit({ ...clean, failure })).toEqual([failure]);
});

const bound = (changes: Partial<ObjectiveResult>): ObjectiveResult => ({ ...share, max: null, ...changes });

test('costs that are not known leave their objective open, costs that are too high miss it', () => {
  const cost = bound({ measure: 'usd_per_1000_good', max_usd: '1.5', actual: null });
  const [open] = judgeExit({ ...clean, load: load(cost) });
  expect(open).toEqual({
    code: 7,
    why: expect.stringMatching(/not measured, at most 1.5 asked; what the calls/),
  });
  const [missed] = judgeExit({ ...clean, load: load({ ...cost, actual_usd: '1.6' }) });
  expect(missed).toEqual({ code: 4, why: 'chat: usd_per_1000_good is 1.6, at most 1.5 asked' });
});

test.for(['goodput_rate', 'attainment_share'] as const)('a starved client does not judge %s', (measure) => {
  const missed = load(bound({ measure, min: 0.9 }));
  expect(judgeExit({ ...clean, load: missed })).toEqual([
    { code: 4, why: `chat: ${measure} is 0.5, at least 0.9 asked` },
  ]);
  expect(codes({ ...clean, load: missed, client: LIMITED })).toEqual([7]);
});

test('an upper bound of what calls cost misses no objective, and can meet one', () => {
  const cost = bound({ measure: 'usd_per_1000_good', max_usd: '1.5', actual: null, actual_at_most: true });
  expect(judgeExit({ ...clean, load: load({ ...cost, actual_usd: '1.6' }) })).toEqual([
    {
      code: 7,
      why: 'chat: usd_per_1000_good is at most 1.6, at most 1.5 asked; what the calls cost is not fully known',
    },
  ]);
  expect(codes({ ...clean, load: load({ ...cost, actual_usd: '1.4', met: true }) })).toEqual([]);
});

test('a run of which nothing was measured is no clean one, and what ended its starts says why itself', () => {
  const loaded = load();
  const idle = { ...clean, load: { ...loaded, total: { ...loaded.total, started: 0, ok: 0 } } };
  expect(judgeExit(idle)).toEqual([
    { code: 7, why: 'nothing was measured: no call was started in the measured time' },
  ]);
  expect(codes({ ...idle, halted: ['interrupted'] })).toEqual([130]);
  const turns = { ...idle.load.total, outcomes: { ok: 2 } };
  expect(codes({ ...idle, load: { ...idle.load, total: turns } })).toEqual([]);
});

test('an objective on a percentile says that it is judged by rank', () => {
  const missed = load({ ...time(false), actual: 120 });
  expect(judgeExit({ ...clean, load: missed })).toEqual([
    { code: 4, why: 'chat: ttft_ms p95 (by rank) is 120, at most 100 asked' },
  ]);
});

test('a ledger of which a part is missing leaves no conclusion, and says which', () => {
  expect(judgeExit({ ...clean, gaps: ['no file covers the part 1/2:1 of the run'] })).toEqual([
    { code: 7, why: 'the ledger is not whole: no file covers the part 1/2:1 of the run' },
  ]);
});

test('one finding is one, and a share is told in six digits', () => {
  const one = reconciliation(true);
  const groups = one.groups.map((group) => ({ ...group, count: 1, gating: 1 }));
  expect(judgeExit({ ...clean, reconciliation: { ...one, groups } })).toEqual([
    { code: 5, why: '1 finding at or above the gate' },
  ]);
  expect(judgeExit({ ...clean, load: load({ ...share, actual: 0.10256410256410256 }) })).toEqual([
    { code: 4, why: 'chat: error_share is 0.102564, at most 0 asked' },
  ]);
});
