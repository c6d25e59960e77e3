import type { CallRow } from '../../contracts/ledger-lines.ts';
import type { Probe } from '../../contracts/probe-plan.ts';
import { unobservedCall } from '../../contracts/unobserved-call.ts';
import type { BillView } from './bill-view.ts';
import type { DaemonView, ProbeView, TargetView } from './daemon-view.ts';
import type { ProbeRun } from './probe-run.ts';

export const VIEW_NOW = Date.parse('2026-11-20T10:00:00Z');

export function probeOf(changes: Partial<Probe>): Probe {
  return {
    name: 'chat-aspen-mini',
    api: 'chat',
    model: 'aspen-mini',
    stream: false,
    interval_ms: 60_000,
    timeout_ms: 30_000,
    max_tokens: 16,
    prompt: 'Say mill.',
    size: null,
    quality: null,
    seconds: null,
    task_timeout_ms: null,
    negative: null,
    ...changes,
  };
}

export function runOf(changes: Partial<ProbeRun>): ProbeRun {
  return {
    target: 'main',
    probe: 'chat-aspen-mini',
    started_ms: VIEW_NOW - 20_400,
    ended_ms: VIEW_NOW - 20_000,
    duration_ms: 400,
    error_type: 'none',
    blame: 'none',
    why: null,
    request_id: null,
    statuses: [200],
    retry_after_ms: null,
    phases: null,
    tls_not_after_ms: null,
    rows: [],
    spend: null,
    ...changes,
  };
}

export function probeViewOf(changes: Partial<ProbeView>): ProbeView {
  return {
    name: 'chat-aspen-mini',
    api: 'chat',
    model: 'aspen-mini',
    stream: false,
    interval_ms: 60_000,
    runs: [runOf({})],
    last_success_ms: VIEW_NOW - 20_000,
    next_ms: VIEW_NOW + 40_000,
    held: null,
    running_since_ms: null,
    price: null,
    day: { slots: [], first_tokens: [] },
    ...changes,
  };
}

export function billOf(changes: Partial<BillView>): BillView {
  return { at_ms: VIEW_NOW - 60_000, calls: 812, findings: 0, verdict: 'clean', groups: [], ...changes };
}

export function targetOf(changes: Partial<TargetView>): TargetView {
  return {
    name: 'main',
    root: 'https://gateway.example',
    probes: [probeViewOf({})],
    budget: null,
    tasks_open: [],
    credit_units: null,
    audit: null,
    ...changes,
  };
}

export function viewOf(changes: Partial<DaemonView>): DaemonView {
  return {
    version: '0.1.0',
    state: 'ready',
    not_ready: null,
    started_ms: VIEW_NOW - 3_600_000,
    now_ms: VIEW_NOW,
    reload: { successful: true, last_success_ms: VIEW_NOW - 3_600_000, problem: null },
    targets: [targetOf({})],
    ...changes,
  };
}

export function rowOf(changes: Partial<CallRow>): CallRow {
  return unobservedCall({
    run_id: 'r',
    instance: 'i',
    call_id: 'c',
    logical_id: 'c',
    scenario: 'probe',
    kind: 'chat',
    path: '/v1/chat/completions',
    stream: false,
    model: 'aspen-mini',
    started_at: '2026-11-20T09:59:39.600Z',
    end_ms: 400,
    status: 200,
    outcome: 'ok',
    error_type: 'none',
    blame: 'none',
    ...changes,
  });
}
