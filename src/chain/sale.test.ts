import { expect, test } from 'vitest';
import { markerOf } from '../core/marker.ts';
import {
  errorRow,
  judge,
  recordOf,
  START_MS,
  TOLD_TIMES,
  textRow,
} from '../reconcile/reconcile.test-support.ts';
import { salesOf } from './sale.ts';

const MINUTE_MS = 60_000;

test('a sale is a judged call with every id that its answer and its record told', () => {
  const row = textRow('a', { request_ids: ['req-a', 'up-a'], response_id: 'chatcmpl-a' });
  const record = { ...recordOf('a'), upstream_request_id: ['gen-1', 'gen-2'] };
  const [sale, ...others] = salesOf(judge({ rows: [row], sweeps: [{ records: [record] }] }), 'nonce');
  expect(others).toEqual([]);
  expect(sale).toEqual({
    call_id: 'call-a',
    request_id: 'req-a',
    markers: [markerOf('nonce', 'call-a')],
    ids: ['req-a', 'up-a', 'chatcmpl-a', 'rec-a', 'gen-1', 'gen-2'],
    model: 'text-1',
    from_ms: START_MS,
    to_ms: START_MS + 1000,
    tokens: [1000n, 100n, 0n, 0n],
    state: 'recorded',
    charged: 2_800_000_000n,
    surplus: [],
  });
});

test('a second charge of a request is told apart from the first', () => {
  const records = [recordOf('a'), recordOf('a', { id: 'rec-a2' })];
  for (const basis of ['ledger', 'records'] as const) {
    const sales = salesOf(judge({ rows: [textRow('a')], sweeps: [{ records }], basis }), null);
    expect(sales).toMatchObject([{ charged: 5_600_000_000n, surplus: [2_800_000_000n], markers: [] }]);
  }
});

test('what no record tells is unrecorded once its time has passed, waits before, and is let off where it failed', () => {
  const statesAt = (at_ms: number) =>
    Object.fromEntries(
      salesOf(
        judge({
          rows: [textRow('a'), textRow('b'), errorRow('c', 503)],
          sweeps: [{ records: [recordOf('b')], at_ms }],
          terms: TOLD_TIMES,
        }),
        null,
      ).map(({ call_id, state }) => [call_id, state]),
    );
  const told = { 'call-b': 'recorded', 'call-c': 'let_off' };
  expect(statesAt(START_MS + MINUTE_MS)).toEqual({ 'call-a': 'waiting', ...told });
  expect(statesAt(START_MS + 16 * MINUTE_MS)).toEqual({ 'call-a': 'unrecorded', ...told });
});

test('a record that is not settled is no sale yet', () => {
  const record = recordOf('a', { billing_status: 'pending', amount: '0', refunded_amount: '0' });
  const [sale] = salesOf(judge({ rows: [textRow('a')], sweeps: [{ records: [record] }] }), null);
  expect(sale).toMatchObject({ state: 'pending', charged: 0n });
});
