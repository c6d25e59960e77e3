import { expect, test } from 'vitest';
import type { CallRow } from '../../contracts/ledger-lines.ts';
import type { PriceBound } from '../../contracts/plan.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import { brief, inputOf, only, recordOf, TEXT_MODEL, textRow } from '../reconcile.test-support.ts';
import { reconcile } from '../reconcile.ts';

/** The prices of the book; 4,000 tokens at most. */
const BOUND: PriceBound = {
  model: TEXT_MODEL,
  kind: 'chat',
  per_input_token: '2000000',
  per_output_token: '8000000',
  fixed: '0',
  max_output_tokens: 4000,
  limit_obeyed: true,
};

/** A call of 1,000 input tokens that was allowed 100 tokens of output, for which the cap held $0.0148. */
function judged(
  output: number | null,
  bound: Partial<PriceBound> = {},
  row: Partial<CallRow> = {},
): Reconciliation {
  const usage = { input: 1000, output, cache_read: 0, cache_write: 0, reasoning: null, raw: {} };
  const amount = output === null ? '0.0028' : (0.002 + output * 0.000008).toFixed(6);
  const input = inputOf({
    rows: [textRow('a', { usage, worst_case_usd: '0.0148', ...row })],
    sweeps: [
      {
        records: [
          recordOf('a', {
            output_tokens: output ?? 100,
            amount,
            reserved_amount: amount,
            refunded_amount: '0',
          }),
        ],
      },
    ],
  });
  return reconcile({ ...input, plan: { cap: { bounds: [{ ...BOUND, ...bound }] } } });
}

test('a call within its limit, and one whose limit was never shown to bind, are no finding', () => {
  expect(brief(judged(100))).toEqual([]);
  expect(brief(judged(101, { limit_obeyed: false }))).toEqual([]);
  expect(brief(judged(101, {}, { max_tokens: null }))).toEqual([]);
  expect(brief(judged(null))).toEqual([]);
  expect(brief(judged(5000, {}, { worst_case_usd: null }))).toEqual([]);
});

test('output above a limit that was obeyed in the trial is a finding that gates, with call and record as evidence', () => {
  const result = judged(101);
  expect(only(result)).toMatchObject({
    class: 'settle_above_reserve',
    rule: 'output_above_limit',
    severity: 'S2',
    confidence: 'proved',
    direction: 'over',
    delta_min: '0',
    delta_max: '0.000008',
    evidence: ['call:call-a', 'record:rec-a', 'request:req-a'],
    request_id: 'req-a',
    call_id: 'call-a',
  });
  expect(result.gated).toBe(true);
  expect(result.calls[0]?.verdict).toBe('finding');
});

test('usage that costs more than the worst case is a finding over what was charged above it', () => {
  expect(only(judged(2000, { limit_obeyed: false }))).toMatchObject({
    class: 'settle_above_reserve',
    rule: 'usage_above_worst_case',
    delta_min: '0.0032',
    delta_max: '0.0032',
  });
});

test('a call whose record is missing tells of it all the same', () => {
  const input = inputOf({
    rows: [
      textRow('a', {
        usage: { input: 1000, output: 101, cache_read: 0, cache_write: 0, reasoning: null, raw: {} },
        worst_case_usd: '0.0148',
      }),
    ],
    sweeps: [{ records: [] }],
  });
  const result = reconcile({ ...input, plan: { cap: { bounds: [BOUND] } } });
  expect(brief(result)).toContain('settle_above_reserve output_above_limit open');
});
