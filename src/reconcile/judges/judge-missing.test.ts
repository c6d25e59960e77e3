import { describe, expect, test } from 'vitest';
import type { Severity } from '../../core/fault-class.ts';
import type { Reconciliation } from '../../core/reconciliation.ts';
import {
  brief,
  cutRow,
  type InputSpec,
  judge,
  only,
  recordOf,
  START_MS,
  START_S,
  textRow,
} from '../reconcile.test-support.ts';
import { DEFAULT_TOLERANCES } from '../reconcile-input.ts';

const MINUTE_MS = 60_000;

describe('records that are missing or too many', () => {
  test('a call without a record waits, then is unrecorded', () => {
    const early = judge({ rows: [textRow('a'), textRow('b')], sweeps: [{ records: [recordOf('b')] }] });
    expect(brief(early)).toEqual(['unrecorded_request no_record -0.0028 provisional']);
    expect(early.wanted).toEqual([
      { read: 'request', request_id: 'req-a', why: 'the last sweep did not show its record' },
    ]);
    expect(early.money.difference).toBe('0');
    const late = judge({
      rows: [textRow('a'), textRow('b')],
      sweeps: [{ records: [recordOf('b')], at_ms: START_MS + 16 * MINUTE_MS }],
    });
    expect(brief(late)).toEqual(['unrecorded_request no_record -0.0028']);
    expect(late.money).toMatchObject({ difference: '-0.0028', certain_under: '0.0028' });
    expect(only(late)).toMatchObject({ severity: 'S2', direction: 'under', confidence: 'proved' });
  });

  test('a finding at the gate decides the audit, one below it does not', () => {
    const spec: InputSpec = {
      rows: [textRow('a'), textRow('b')],
      sweeps: [{ records: [recordOf('b')], at_ms: START_MS + 16 * MINUTE_MS }],
    };
    const gatedAt = (gate: Severity) => judge({ ...spec, tolerances: { ...DEFAULT_TOLERANCES, gate } }).gated;
    expect([gatedAt('S1'), gatedAt('S2'), gatedAt('S3')]).toEqual([false, true, true]);
  });

  test('one record stands for one call, also where two calls were given the same id', () => {
    const result = judge({
      rows: [textRow('a'), textRow('b', { request_id: 'req-a', request_ids: ['req-a'] })],
      sweeps: [{ records: [recordOf('a')], at_ms: START_MS + 16 * MINUTE_MS }],
    });
    expect(brief(result)).toEqual(['unrecorded_request no_record -0.0028']);
  });

  test('a read of the request id alone supplies a late record; one that finds nothing asks for a sweep', () => {
    const spec: InputSpec = { rows: [textRow('a')], sweeps: [{ records: [] }] };
    const at_ms = START_MS + 2 * MINUTE_MS;
    const found = judge({ ...spec, requests: [{ request_id: 'req-a', records: [recordOf('a')], at_ms }] });
    expect(brief(found)).toEqual([]);
    expect(found.wanted).toEqual([]);
    const empty = judge({ ...spec, requests: [{ request_id: 'req-a', records: [], at_ms }] });
    expect(empty.wanted).toEqual([{ read: 'sweep', why: '1 call waits for a record' }]);
  });

  test('an incomplete read proves no loss', () => {
    const result = judge({
      rows: [textRow('a')],
      sweeps: [{ records: [], complete: false, at_ms: START_MS + 16 * MINUTE_MS }],
    });
    expect(result.gated).toBe(false);
    expect(result.inconclusive).toContain('no sweep of the usage records is complete');
    expect(result.wanted).toEqual([{ read: 'sweep', why: 'no sweep of the usage records is complete' }]);
  });

  test('nor does one that saw other records', () => {
    const result = judge({
      rows: [textRow('a'), textRow('b')],
      sweeps: [{ records: [recordOf('b')], complete: false, at_ms: START_MS + 16 * MINUTE_MS }],
    });
    expect(brief(result)).toEqual(['unrecorded_request no_record -0.0028 provisional']);
    expect(result.gated).toBe(false);
  });

  test('a cut stream is waited for only shortly', () => {
    const at = (at_ms: number): Reconciliation =>
      judge({ rows: [cutRow('a')], sweeps: [{ records: [], at_ms }] });
    expect(at(START_MS + 5_000).wanted).toHaveLength(1);
    expect(at(START_MS + 12_000).wanted).toEqual([]);
    expect(at(START_MS + 12_000).findings).toEqual([]);
  });

  test('a record without a call is a phantom on an exclusive key, foreign on a shared one', () => {
    const spec: InputSpec = {
      rows: [textRow('a')],
      sweeps: [
        {
          records: [
            recordOf('a'),
            recordOf('x', { amount: '0.5', reserved_amount: '0.5', refunded_amount: '0' }),
          ],
        },
      ],
    };
    const exclusive = judge(spec);
    expect(brief(exclusive)).toEqual(['phantom_record record_without_call 0.5']);
    expect(only(exclusive)).toMatchObject({ confidence: 'proved', direction: 'over', request_id: 'req-x' });
    const shared = judge({ ...spec, key: 'shared' });
    expect(brief(shared)).toEqual([]);
    expect(shared.money).toMatchObject({
      charged: '0.0028',
      records: 1,
      foreign: { records: 1, amount: '0.5' },
    });
    expect(shared.coverage.to_the_digit).toBe(1);
  });

  test('records from before the first call are not of this ledger', () => {
    const before = recordOf('x', { created_at: START_S - 1 });
    const result = judge({ rows: [textRow('a')], sweeps: [{ records: [recordOf('a'), before] }] });
    expect(brief(result)).toEqual([]);
    expect(result.money.foreign).toEqual({ records: 1, amount: '0.0028' });
  });

  test('foreign records may break every rule without a finding', () => {
    const foreign = recordOf('x', {
      billing_status: 'odd',
      pricing_version: 'v0',
      amount: '0.1234567890123',
      refunded_amount: '9',
    });
    const result = judge({
      rows: [textRow('a')],
      sweeps: [{ records: [recordOf('a'), foreign] }],
      key: 'shared',
    });
    expect(brief(result)).toEqual([]);
  });
});
