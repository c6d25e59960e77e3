import { expect, test } from 'vitest';
import type { Finding } from '../../contracts/finding.ts';
import { findingOf, judgedCallOf } from '../../contracts/reconciliation.test-support.ts';
import type { JudgedCall, RecordFacts } from '../../contracts/reconciliation.ts';
import type { PaidCall } from '../../reconcile/records/paid-call.ts';
import { type AuditState, NOTHING_AUDITED } from './audit-state.ts';
import { auditTally, REST_MS } from './audit-tally.ts';

const MINUTE = 60_000;
const ENDED = 10_000_000;

function callOf(call_id: string, over: Partial<PaidCall> = {}): PaidCall {
  return {
    call_id,
    logical_id: call_id,
    attempt: 1,
    kind: 'chat',
    text: true,
    model: 'm',
    started_at: '',
    started_ms: ENDED - 1000,
    ended_ms: ENDED,
    row: null,
    outcome: 'ok',
    request_ids: [`r-${call_id}`],
    linked_ids: [],
    prompt_bytes: null,
    units: null,
    ...over,
  };
}

function recordOf(role: NonNullable<RecordFacts['role']>): RecordFacts {
  const amount = { text: '0.0125' };
  return {
    id: 'u',
    request_id: 'r',
    created_at: 1,
    model: 'm',
    result: 'success',
    billing_status: role,
    role,
    amount,
    reserved: amount,
    refunded: amount,
    input: null,
    output: null,
    cache_read: null,
    cache_write: null,
    usage_estimated: false,
    pricebook_id: 'pb',
    pricing_version: 'v1',
  };
}

interface Round {
  readonly calls?: readonly PaidCall[];
  readonly judged?: readonly Partial<JudgedCall>[];
  readonly findings?: readonly Partial<Finding>[];
  readonly state?: AuditState;
  readonly after_ms?: number;
  readonly forget_before_ms?: number;
}

function round({
  calls = [callOf('a')],
  judged = [{}],
  findings = [],
  state = NOTHING_AUDITED,
  ...rest
}: Round = {}) {
  return auditTally({
    state,
    calls,
    judged: {
      calls: judged.map((each) => judgedCallOf({ call_id: 'a', record: recordOf('settled'), ...each })),
      findings: findings.map((each) => findingOf({ call_id: 'a', ...each })),
    },
    deadlines: { text_ms: 15 * MINUTE, task_ms: 24 * 60 * MINUTE },
    now_ms: ENDED + (rest.after_ms ?? MINUTE),
    forget_before_ms: rest.forget_before_ms ?? 0,
  });
}

test('a clean call is final at once, and counts once over all rounds', () => {
  const first = round();
  expect(first).toMatchObject({ verdicts: ['to_the_digit'], open: 0 });
  const second = round({ state: first.state });
  expect(second).toMatchObject({ verdicts: [], settled: [], open: 0 });
});

test('a call stays open while its record may still come, however it is put', () => {
  for (const judged of [
    { verdict: 'provisional' },
    { verdict: 'not_checkable' },
    { verdict: 'not_charged' },
  ] as const)
    expect(round({ judged: [{ ...judged, record: null }] }), judged.verdict).toMatchObject({
      verdicts: [],
      open: 1,
    });
  expect(round({ judged: [] })).toMatchObject({ verdicts: [], open: 1 });
  expect(round({ judged: [{ verdict: 'finding' }], findings: [{ provisional: true }] })).toMatchObject({
    verdicts: [],
    mismatches: [],
    open: 1,
  });
});

test('after its deadline each gets the verdict that it has; what still waits later cannot be checked', () => {
  const after_ms = 16 * MINUTE;
  expect(round({ after_ms, judged: [{ verdict: 'not_checkable' }] }).verdicts).toEqual(['not_checkable']);
  expect(round({ after_ms, judged: [{ verdict: 'not_charged' }] }).verdicts).toEqual(['within_bounds']);
  expect(round({ after_ms, judged: [{ verdict: 'provisional' }] }).open).toBe(1);
  const late = 15 * MINUTE + REST_MS + 1;
  expect(round({ after_ms: late, judged: [{ verdict: 'provisional' }] }).verdicts).toEqual(['not_checkable']);
  // A task has a day.
  const video = callOf('a', { kind: 'video', text: false });
  expect(round({ calls: [video], after_ms: late, judged: [{ verdict: 'not_charged' }] }).open).toBe(1);
});

test('a settled record is told with what it is timed by, and its charge counts, once', () => {
  const pending = round({ judged: [{ record: recordOf('pending'), verdict: 'provisional' }] });
  expect(pending.settled).toEqual([]);
  const settled = round({ state: pending.state, after_ms: 9000 });
  expect(settled.settled).toMatchObject([{ request_ids: ['r-a'], ended_ms: ENDED, usd: 12_500_000_000n }]);
  expect(round({ state: settled.state }).settled).toEqual([]);
});

test('each finding of an own call counts once, though its evidence and id grow', () => {
  const judged = [{ verdict: 'finding' }] as const;
  const first = round({ judged, findings: [{ id: 'f1' }] });
  expect(first).toMatchObject({ verdicts: ['finding'], mismatches: ['duplicate'] });
  const grown = round({
    judged,
    findings: [{ id: 'f2' }, { id: 'f3', class: 'token_mismatch' }],
    state: first.state,
  });
  expect(grown.mismatches).toEqual(['tokens']);
  expect(grown.classes).toEqual(
    new Map([
      ['duplicate_charge', 1],
      ['token_mismatch', 1],
    ]),
  );
  const again = round({ judged, findings: [{ id: 'f4' }], state: grown.state });
  expect(again.mismatches).toEqual([]);
});

test('a finding over other calls, or over none, is no mismatch of ours; one that names only our request is', () => {
  const tally = round({
    findings: [
      { call_id: null, request_id: 'r-foreign' },
      { call_id: null, request_id: null, class: 'totals_disagree_records' },
      { call_id: null, request_id: 'r-a', class: 'state_regression' },
    ],
  });
  expect(tally.mismatches).toEqual(['amount']);
  expect([...tally.classes.values()]).toEqual([1, 1, 1]);
});

test('a call that the window has left behind is remembered as long as it may be read again', () => {
  const { state } = round({ findings: [{}] });
  const other = { calls: [callOf('b')], judged: [], state };
  const later = round(other).state;
  expect(Object.keys(later.calls).sort()).toEqual(['a', 'b']);
  expect(later.findings).toEqual(state.findings);
  const back = round({ state: later, findings: [{}] });
  expect({ verdicts: back.verdicts, mismatches: back.mismatches }).toEqual({ verdicts: [], mismatches: [] });
  const gone = round({ ...other, forget_before_ms: ENDED + 10 * MINUTE }).state;
  expect(Object.keys(gone.calls)).toEqual(['b']);
  expect(gone.findings).toEqual({});
});
