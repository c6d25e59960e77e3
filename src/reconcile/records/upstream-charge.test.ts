import { expect, test } from 'vitest';
import { brief, cutRow, judge, recordOf, textRow } from '../reconcile.test-support.ts';

/** A cut stream whose record charges $0.0028: what 1,000 tokens in and 100 out cost. */
function judged(callId: string, output: number, amount = '0.0028') {
  const upstream = new Map([[callId, { marker: 'wb', input: 1000, output }]]);
  const record = recordOf('a', {
    amount,
    refunded_amount: '0',
    reserved_amount: amount,
    result: 'incomplete',
  });
  return judge({ rows: [cutRow('a')], sweeps: [{ records: [record] }], upstream });
}

test('a cut call is judged to the digit by what the gateway behind the target counted of it', () => {
  const right = judged('call-a', 100);
  expect(brief(right)).toEqual([]);
  expect(right.calls).toMatchObject([{ verdict: 'to_the_digit', expected_hi: '0.0028' }]);
  // Half of it came out.
  const dear = judged('call-a', 50);
  expect(dear.findings).toMatchObject([{ class: 'disconnect_overcharge', delta_min: '0.0004' }]);
});

test('the count of another call says nothing', () => {
  const other = judged('call-b', 50);
  expect(brief(other)).toEqual([]);
  expect(other.calls).toMatchObject([{ verdict: 'within_bounds' }]);
});

test('an answer that ended without usage is judged by that count too', () => {
  const result = judge({
    rows: [textRow('a', { usage: null })],
    sweeps: [{ records: [recordOf('a')] }],
    upstream: new Map([['call-a', { marker: 'wb', input: 1000, output: 100 }]]),
  });
  expect(result.calls).toMatchObject([{ verdict: 'to_the_digit', expected_hi: '0.0028' }]);
});
