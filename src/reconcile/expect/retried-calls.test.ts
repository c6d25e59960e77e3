import { expect, test } from 'vitest';
import { NO_TERMS } from '../../contracts/billing-terms.ts';
import type { CallRow } from '../../contracts/ledger-lines.ts';
import { brief, cutRow, errorRow, judge, only, recordOf, textRow } from '../reconcile.test-support.ts';

/** Attempts of one call. */
function attempts(...rows: readonly CallRow[]): readonly CallRow[] {
  return rows.map((row, index) => ({ ...row, logical_id: 'call-a', attempt: index + 1 }));
}

const PROMPT_ONLY = { output_tokens: 0, amount: '0.002', refunded_amount: '0.008' };

test('an attempt that failed and was charged, as the one that was answered was, is told below the gate', () => {
  const spec = {
    rows: attempts(errorRow('a', 502), textRow('b')),
    sweeps: [{ records: [recordOf('a', PROMPT_ONLY), recordOf('b')] }],
  };
  const result = judge(spec);
  expect(only(result)).toMatchObject({
    class: 'retry_double_charge',
    rule: 'status_502',
    severity: 'S4',
    confidence: 'bounded',
    delta_min: '0',
    delta_max: '0.002',
    request_id: 'req-a',
  });
  // A 5xx does not prove that nothing was charged (interface §7).
  expect(result.gated).toBe(false);
  expect(result.money).toMatchObject({
    expected: '0.0028',
    charged: '0.0048',
    certain_over: '0',
    open: '0.002',
  });
  const policy = { ...NO_TERMS.policy, server_error: 'free' } as const;
  expect(brief(judge({ ...spec, terms: { policy } }))).toEqual([
    'charged_on_server_error declared_free 0.002',
  ]);
});

test('where only the answered attempt is charged, nothing is wrong', () => {
  const back = {
    billing_status: 'refunded',
    result: 'failed',
    output_tokens: 0,
    amount: '0',
    refunded_amount: '0.01',
  };
  const rows = attempts(errorRow('a', 502), textRow('b'));
  expect(brief(judge({ rows, sweeps: [{ records: [recordOf('b')] }] }))).toEqual([]);
  expect(brief(judge({ rows, sweeps: [{ records: [recordOf('a', back), recordOf('b')] }] }))).toEqual([]);
});

test('an attempt that was charged and never answered again is judged by itself', () => {
  const rows = attempts(errorRow('a', 502), errorRow('b', 502));
  const records = [recordOf('a', PROMPT_ONLY), recordOf('b', PROMPT_ONLY)];
  expect(brief(judge({ rows, sweeps: [{ records }] }))).toEqual([]);
});

test('an attempt that the client gave up may have been answered in full', () => {
  const rows = attempts(cutRow('a'), textRow('b'));
  const cut = { result: 'incomplete', output_tokens: 40, amount: '0.00232', refunded_amount: '0.00768' };
  expect(brief(judge({ rows, sweeps: [{ records: [recordOf('a', cut), recordOf('b')] }] }))).toEqual([]);
});

test('attempts of different calls are none of one another', () => {
  const rows = [errorRow('a', 502), textRow('b', { attempt: 2 })];
  expect(brief(judge({ rows, sweeps: [{ records: [recordOf('a', PROMPT_ONLY), recordOf('b')] }] }))).toEqual(
    [],
  );
});

test('an attempt whose connection was lost is told below the gate: its answer may have been on its way', () => {
  const lost = errorRow('a', 502, { status: null, outcome: 'net_error', error_type: 'connect_reset' });
  const result = judge({
    rows: attempts(lost, textRow('b')),
    sweeps: [{ records: [recordOf('a', PROMPT_ONLY), recordOf('b')] }],
  });
  expect(only(result)).toMatchObject({
    class: 'retry_double_charge',
    rule: 'connection_lost',
    severity: 'S4',
    delta_min: '0',
    delta_max: '0.002',
  });
});
