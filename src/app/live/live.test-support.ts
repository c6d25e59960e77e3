import type { StateLine } from '../../contracts/ledger-lines.ts';
import { scenarioStateOf, stateOf } from '../../workload/plan.test-support.ts';
import type { Figures, LoadProgress, Progress } from '../notices/progress.ts';

/** A second of chats and videos: 9 of 10 due calls of each started, one of each failed. */
export function twoKindsAt(elapsedMs: number, over: Partial<StateLine> = {}): StateLine {
  const scenario = { planned: 10, started: 9, dropped: 1, held: 0, in_flight: 2, finished: 7, ok: 6 };
  return stateOf({
    elapsed_ms: elapsedMs,
    scenarios: [
      scenarioStateOf({ scenario: 'chat', ...scenario }),
      scenarioStateOf({ scenario: 'video', ...scenario }),
    ],
    reserved_usd: '0.5',
    final: false,
    ...over,
  });
}

export function figuresOf(changes: Partial<Figures> = {}): Figures {
  return {
    asked_rate: 2.5,
    started_rate: 2.4,
    planned: 58,
    started: 57,
    in_flight: 3,
    ok: 52,
    failed: 2,
    dropped: 1,
    held: 0,
    not_sent: 0,
    aborted: 0,
    ttft: { count: 24, p50_ms: 178.2, p95_ms: 327.25, p99_ms: 350 },
    e2e: { count: 24, p50_ms: 812.5, p95_ms: 1203, p99_ms: 1400 },
    tokens_per_s: { input: 640, output: 310.4 },
    ...changes,
  };
}

const VIDEO = figuresOf({
  asked_rate: 0.15,
  started_rate: 0.15,
  in_flight: 2,
  ok: 3,
  failed: 0,
  dropped: 0,
  ttft: null,
  e2e: { count: 1, p50_ms: 9202, p95_ms: 9202, p99_ms: 9202 },
  tokens_per_s: null,
});

export function loadOf(changes: Partial<LoadProgress> = {}): LoadProgress {
  return {
    instance: 'i0',
    elapsed_ms: 23_000,
    planned_ms: 60_000,
    planned_calls: null,
    drain_ms: 30_000,
    left_ms: 37_000,
    draining: false,
    halted: null,
    kinds: [
      { kind: 'chat', ...figuresOf() },
      { kind: 'messages', ...figuresOf({ failed: 0, dropped: 0 }) },
      { kind: 'image', ...figuresOf({ failed: 12, ttft: null, tokens_per_s: null }) },
      { kind: 'video', ...VIDEO },
    ],
    total: figuresOf({ failed: 14 }),
    errors: [
      { outcome: 'http_error', status: 429, error_code: 'rate_limited', count: 12, kinds: { image: 12 } },
      { outcome: 'timeout_idle', status: 200, error_code: null, count: 2, kinds: { chat: 2 } },
    ],
    errors_others: 0,
    objectives: [
      {
        ...{ scenario: 'chat', measure: 'ttft_ms', percentile: 95, max: 500, min: null },
        ...{ actual: 327.25, met: true },
      },
      {
        ...{ scenario: 'image', measure: 'error_share', percentile: null, max: 0.01, min: null },
        ...{ actual: 0.1875, met: false },
      },
    ],
    spend: { at_most_usd: '0.5', cap_usd: '2' },
    client: { cpu_cores: 0.231, sched_lag_ms: 2.1, timer_lag_ms: 1.2, rows_lost: 0 },
    sample: null,
    ...changes,
  };
}

export function progressOf(changes: Partial<Progress> = {}): Progress {
  return {
    schema: 'weighbridge.progress/1',
    event: 'progress',
    at: '2026-11-20T10:00:23.000Z',
    run_id: '20261120T100000Z-0000',
    command: 'audit',
    target: 'gateway.example',
    stage: 'load',
    load: loadOf(),
    settlement: null,
    verdict: null,
    ...changes,
  };
}
