import { describe, expect, test } from 'vitest';
import type { Severity } from '../../contracts/fault-class.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import { DEFAULT_TOLERANCES } from '../input/reconcile-input.ts';
import {
  archivedBook,
  bookDocument,
  brief,
  cutRow,
  type InputSpec,
  inputOf,
  judge,
  only,
  recordOf,
  START_MS,
  START_S,
  TEXT_MODEL,
  TOLD_TIMES,
  textRow,
} from '../reconcile.test-support.ts';
import { reconcile } from '../reconcile.ts';

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
      terms: TOLD_TIMES,
    });
    expect(brief(late)).toEqual(['unrecorded_request no_record -0.0028']);
    expect(late.money).toMatchObject({ difference: '-0.0028', certain_under: '0.0028' });
    expect(only(late)).toMatchObject({ severity: 'S2', direction: 'under', confidence: 'proved' });
  });

  describe('for which nobody told how long a record takes', () => {
    const at_ms = START_MS + 3 * 3_600_000;
    const judged = (missing: number, recorded: number): Reconciliation => {
      const names = Array.from({ length: recorded }, (_, index) => `r${index}`);
      const lost = Array.from({ length: missing }, (_, index) => `lost${index}`);
      return judge({
        rows: [...names, ...lost].map((name) => textRow(name)),
        sweeps: [{ records: names.map((name) => recordOf(name)), at_ms }],
      });
    };

    test('a call waits for it, however long', () => {
      const result = judged(1, 1);
      expect(only(result)).toMatchObject({ provisional: true, deadline_at: null });
      expect(only(result).next_step).toContain('billing.deadlines');
      expect(result.gated).toBe(false);
      expect(result.money).toMatchObject({ difference: '0', certain_under: '0' });
    });

    test('it is an exception where nearly all others of its model have theirs', () => {
      expect(only(judged(1, 100))).toMatchObject({
        ...{ provisional: false, severity: 'S3', confidence: 'bounded' },
        warrant: { kind: 'habit' },
      });
      expect(judged(3, 100).gated).toBe(false);
    });
  });

  test('a call that its price list prices at nothing needs none', () => {
    const priced = (price: string) => {
      const models = [{ id: TEXT_MODEL, kind: 'text', unit: 'per_1m_tokens', input: price, output: price }];
      const books = [archivedBook(bookDocument({ models }))];
      const at_ms = START_MS + 16 * MINUTE_MS;
      return brief(
        judge({ rows: [textRow('a')], books, sweeps: [{ records: [], at_ms }], terms: TOLD_TIMES }),
      );
    };
    expect(priced('0')).toEqual([]);
    expect(priced('2')).toHaveLength(1);
  });

  test('a finding at the gate decides the audit, one below it does not', () => {
    const spec: InputSpec = {
      rows: [textRow('a'), textRow('b')],
      sweeps: [{ records: [recordOf('b')], at_ms: START_MS + 16 * MINUTE_MS }],
      terms: TOLD_TIMES,
    };
    const gatedAt = (gate: Severity) => judge({ ...spec, tolerances: { ...DEFAULT_TOLERANCES, gate } }).gated;
    expect([gatedAt('S1'), gatedAt('S2'), gatedAt('S3')]).toEqual([false, true, true]);
  });

  test('one record stands for one call, also where two calls were given the same id', () => {
    const result = judge({
      rows: [textRow('a'), textRow('b', { request_id: 'req-a', request_ids: ['req-a'] })],
      sweeps: [{ records: [recordOf('a')], at_ms: START_MS + 16 * MINUTE_MS }],
      terms: TOLD_TIMES,
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

  describe('a ledger of another program of which no call has a record', () => {
    const LATE_MS = START_MS + 16 * MINUTE_MS;
    const names = ['a', 'b', 'c', 'd', 'e'];
    const whose = (read: string | null, ledger: string | null, count = names.length): Reconciliation => {
      const input = inputOf({
        rows: names.slice(0, count).map((name) => textRow(name, { key_fp: ledger })),
        sweeps: [{ records: [recordOf('x', { input_tokens: 7, amount: '0.1' })], at_ms: LATE_MS }],
        key: 'shared',
      });
      return reconcile({ ...input, reads: input.reads.map((line) => ({ ...line, key_fp: read })) });
    };

    test('accuses nobody where nothing ties the records to its calls', () => {
      for (const strange of [whose('key-1', null), whose('key-1', 'key-2'), whose(null, 'key-2')]) {
        expect(strange.findings).toEqual([]);
        expect(strange.inconclusive).toEqual([
          'no call of this ledger has a record: see whether key, target and time are those of the calls',
        ]);
      }
    });

    test('accuses nobody either where its calls were told no id', () => {
      const noId = { request_id: null, request_ids: [] };
      const other = { input_tokens: 7, output_tokens: 3, amount: '0.000038' };
      const input = inputOf({
        rows: names.map((name) => textRow(name, noId)),
        sweeps: [{ records: [recordOf('x', other), recordOf('y', other)], at_ms: LATE_MS }],
        key: 'shared',
      });
      const strange = reconcile(input);
      expect(strange.matching.map(({ pass }) => pass)).toEqual(['none', 'foreign']);
      expect(strange.findings).toEqual([]);
      expect(strange.gated).toBe(false);
    });

    test('lacks its records where its calls name the key, or are few', () => {
      expect(brief(whose('key-1', 'key-1'))).toHaveLength(5);
      expect(brief(whose('key-1', null, 4))).toHaveLength(4);
    });

    test('lacks them in a run of ours, and where one call has its record', () => {
      const input = inputOf({
        rows: names.map((name) => textRow(name)),
        sweeps: [{ records: [], at_ms: LATE_MS }],
      });
      expect(brief(reconcile({ ...input, plan: { cap: { bounds: [] } } }))).toHaveLength(5);
      const six = [...names, 'f'].map((name) => textRow(name));
      expect(
        brief(judge({ rows: six, sweeps: [{ records: [recordOf('f')], at_ms: LATE_MS }] })),
      ).toHaveLength(5);
    });

    test('waits for them as long as they may come, and clears no open item', () => {
      const spec: InputSpec = { rows: names.map((name) => textRow(name)), sweeps: [{ records: [] }] };
      const early = judge({ ...spec, suspense: { run_id: 'one', opening: [] } });
      expect(early.findings.filter(({ provisional }) => provisional)).toHaveLength(5);
      const late = judge({
        ...spec,
        sweeps: [{ records: [], at_ms: LATE_MS }],
        suspense: { run_id: 'two', opening: early.suspense ?? [] },
      });
      expect(late.suspense?.map(({ state }) => state)).toEqual(Array(5).fill('overdue'));
    });
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
