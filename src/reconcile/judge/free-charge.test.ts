import { describe, expect, test } from 'vitest';
import type { BillingTerms } from '../../contracts/billing-terms.ts';
import { NO_TERMS } from '../../contracts/billing-terms.ts';
import type { UsageRecord } from '../../contracts/interface.ts';
import {
  brief,
  cutRow,
  errorRow,
  judge,
  only,
  recordOf,
  START_MS,
  TOLD_TIMES,
  textRow,
  VIDEO_RECORD,
  videoRow,
} from '../reconcile.test-support.ts';

const DAY_MS = 86_400_000;

function policy(changes: Partial<BillingTerms['policy']>): Partial<BillingTerms> {
  return { policy: { ...NO_TERMS.policy, ...changes } };
}

describe('an empty answer', () => {
  const empty = textRow('a', {
    out_chars: 0,
    ttft_ms: null,
    usage: { input: 1000, output: 0, cache_read: 0, cache_write: 0, reasoning: null, raw: {} },
  });
  const charged = recordOf('a', { output_tokens: 0, amount: '0.002', refunded_amount: '0.008' });
  const free = recordOf('a', { output_tokens: 0, amount: '0', refunded_amount: '0.01' });

  test('that is charged is told as a fact, with what may be claimed', () => {
    const finding = only(judge({ rows: [empty], sweeps: [{ records: [charged] }] }));
    expect(finding).toMatchObject({
      class: 'charged_empty_output',
      severity: 'S4',
      direction: 'over',
      confidence: 'bounded',
      delta_exact: null,
      delta_min: '0',
      delta_max: '0.002',
    });
  });

  test('at no charge is no fault', () => {
    expect(brief(judge({ rows: [empty], sweeps: [{ records: [free] }] }))).toEqual([]);
  });

  test('is judged to the digit where the terms say what it costs', () => {
    const under = (empty_output: 'free' | 'charged', record: UsageRecord) =>
      brief(judge({ rows: [empty], sweeps: [{ records: [record] }], terms: policy({ empty_output }) }));
    expect(under('free', charged)).toEqual(['charged_empty_output declared_free 0.002']);
    expect(under('free', free)).toEqual([]);
    expect(under('charged', charged)).toEqual([]);
    expect(under('charged', free)).toEqual(['uncharged_success settled -0.002']);
  });

  test('is none where a tool was called or the model only reasoned', () => {
    const tool = { ...empty, finish: 'tool_calls' };
    const thought = {
      ...empty,
      usage: { input: 1000, output: 0, cache_read: 0, cache_write: 0, reasoning: 5, raw: {} },
    };
    for (const row of [tool, thought]) {
      expect(brief(judge({ rows: [row], sweeps: [{ records: [charged] }] }))).toEqual([]);
    }
  });

  test.each(['length', 'max_tokens'])('is none that our own limit ended (%s) before any text', (finish) => {
    const usage = { input: 1000, output: 16, cache_read: 0, cache_write: 0, reasoning: null, raw: {} };
    const record = recordOf('a', { output_tokens: 16, amount: '0.002128', refunded_amount: '0.007872' });
    const of = (row: typeof empty) => brief(judge({ rows: [row], sweeps: [{ records: [record] }] }));
    expect(of({ ...empty, usage, finish })).toEqual([]);
    expect(of({ ...empty, usage, finish: 'stop' })).toEqual(['charged_empty_output unsaid open']);
  });
});

describe('a server error', () => {
  const charged = recordOf('a', { output_tokens: 0, amount: '0.002', refunded_amount: '0.008' });

  test('is accused only where the terms call it free', () => {
    const of = (terms: Partial<BillingTerms>) =>
      brief(judge({ rows: [errorRow('a', 502)], sweeps: [{ records: [charged] }], terms }));
    expect(of({})).toEqual([]);
    expect(of(policy({ server_error: 'free' }))).toEqual(['charged_on_server_error declared_free 0.002']);
    const warrantOf = (assumed: readonly string[]) =>
      only(
        judge({
          rows: [errorRow('a', 502)],
          sweeps: [{ records: [charged] }],
          terms: { ...policy({ server_error: 'free' }), assumed },
        }),
      ).warrant;
    expect(warrantOf([])).toEqual({ kind: 'declaration', of: 'billing.policy.server_error' });
    expect(warrantOf(['server_error'])).toEqual({
      kind: 'declaration',
      of: '--assume-reading server_error',
    });
  });
});

describe('a cut stream', () => {
  const row = cutRow('a');
  const zero = recordOf('a', { output_tokens: 0, amount: '0', refunded_amount: '0.01' });
  const charged = recordOf('a', {
    result: 'incomplete',
    output_tokens: 40,
    amount: '0.00232',
    refunded_amount: '0.00768',
  });

  test('may be free unless the terms say that what was delivered is charged', () => {
    const of = (record: UsageRecord, terms: Partial<BillingTerms>) =>
      judge({ rows: [row], sweeps: [{ records: [record] }], terms });
    expect(brief(of(zero, {}))).toEqual([]);
    expect(only(of(zero, policy({ aborted: 'charged' })))).toMatchObject({ class: 'disconnect_undercharge' });
    expect(brief(of(charged, {}))).toEqual([]);
    expect(brief(of(charged, policy({ aborted: 'free' })))).toEqual([
      'disconnect_overcharge declared_free 0.00232',
    ]);
  });
});

describe('a failed task', () => {
  const failed = videoRow('a', { outcome: 'task_failed', error_type: 'task_failed' });
  const kept = recordOf('a', { ...VIDEO_RECORD, result: 'failed' });
  const back = recordOf('a', {
    ...VIDEO_RECORD,
    result: 'failed',
    billing_status: 'refunded',
    amount: '0',
    refunded_amount: '0.4',
  });

  test('that is still charged waits for its refund until the deadline', () => {
    const early = judge({ rows: [failed], sweeps: [{ records: [kept] }] });
    expect(only(early)).toMatchObject({ provisional: true, deadline_at: '2026-11-21T12:00:01.000Z' });
    expect(early.gated).toBe(false);
    expect(early.calls[0]?.verdict).toBe('provisional');
    expect(early.money).toMatchObject({ difference: '0', open: '0.4' });
    const told = judge({ rows: [failed], sweeps: [{ records: [kept] }], terms: TOLD_TIMES });
    expect(only(told)).toMatchObject({ provisional: true, deadline_at: '2026-11-21T00:00:01.000Z' });
    const spec = { rows: [failed], sweeps: [{ records: [kept], at_ms: START_MS + DAY_MS + 1000 }] };
    const untold = judge(spec);
    expect(only(untold)).toMatchObject({ provisional: true, deadline_at: null });
    expect(only(untold).next_step).toContain('billing.deadlines.refund');
    expect(untold.money).toMatchObject({ difference: '0', certain_over: '0', open: '0.4' });
    expect(untold.wanted).toEqual([]);
    const late = judge({ ...spec, terms: TOLD_TIMES });
    expect(only(late)).toMatchObject({ provisional: false, deadline_at: null, delta_exact: '0.4' });
    expect(late.gated).toBe(true);
    expect(late.money.difference).toBe('0.4');
  });

  const invoice = recordOf('a', { ...VIDEO_RECORD, result: 'accepted' });
  const note = recordOf('a', {
    ...VIDEO_RECORD,
    id: 'note-a',
    billing_status: 'credited',
    amount: '0',
    refunded_amount: '0.4',
  });

  test('whose charge a credit note gives back is charged nothing', () => {
    const result = judge({ rows: [failed], sweeps: [{ records: [invoice, note] }] });
    expect(result.findings.filter(({ severity }) => severity !== 'S4')).toEqual([]);
    expect(result.money).toMatchObject({ charged: '0', difference: '0', open: '0' });
  });

  test('whose credit note gives back half is charged the other half', () => {
    const half = { ...note, refunded_amount: '0.2' };
    const at_ms = START_MS + DAY_MS + 1000;
    const result = judge({
      rows: [failed],
      sweeps: [{ records: [invoice, half], at_ms }],
      terms: TOLD_TIMES,
    });
    expect(result.findings.filter(({ severity }) => severity !== 'S4')).toMatchObject([
      { class: 'partial_refund_wrong', delta_exact: '0.2', warrant: { kind: 'sentence' } },
    ]);
  });

  test('whose credit note gives back more than was charged is refunded twice', () => {
    const twice = { ...note, reserved_amount: '0', refunded_amount: '0.8' };
    const result = judge({ rows: [failed], sweeps: [{ records: [invoice, twice] }] });
    expect(result.findings.filter(({ severity }) => severity !== 'S4')).toMatchObject([
      { class: 'double_refund', delta_exact: '-0.4', direction: 'under' },
    ]);
    expect(result.money).toMatchObject({ charged: '-0.4', difference: '-0.4', open: '0' });
  });

  test('whose reserve was released without calling it a refund is silent', () => {
    const silent = { ...back, refunded_amount: '0' };
    expect(brief(judge({ rows: [failed], sweeps: [{ records: [silent] }] }))).toEqual([]);
  });

  test('that was refunded late is silent', () => {
    expect(brief(judge({ rows: [failed], sweeps: [{ records: [kept] }, { records: [back] }] }))).toEqual([]);
  });

  test('is final after the deadline of its own class', () => {
    const deadlines = { ...NO_TERMS.deadlines, by_class: { failed_task_not_refunded: 1000 } };
    const result = judge({ rows: [failed], sweeps: [{ records: [kept] }], terms: { deadlines } });
    expect(brief(result)).toEqual(['failed_task_not_refunded charged 0.4']);
  });
});
