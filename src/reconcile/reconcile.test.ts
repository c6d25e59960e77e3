import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Reconciliation } from '../contracts/reconciliation.ts';
import { formatInstant } from '../core/time.ts';
import type { ReconcileInput } from './input/reconcile-input.ts';
import {
  brief,
  cutRow,
  errorRow,
  IMAGE_RECORD,
  type InputSpec,
  imageRow,
  inputOf,
  intentOf,
  judge,
  recordOf,
  START_MS,
  TOLD_TIMES,
  textRow,
  VIDEO_RECORD,
  videoRow,
} from './reconcile.test-support.ts';
import { reconcile } from './reconcile.ts';

const HONEST: InputSpec = {
  rows: [
    textRow('a'),
    textRow('b', {
      started_at: formatInstant(START_MS + 1),
      request_ids: ['inner', 'req-b'],
      request_id: null,
    }),
    imageRow('c'),
    videoRow('d'),
    errorRow('e', 429),
    errorRow('f', 502),
    cutRow('g'),
    videoRow('h', { outcome: 'task_failed', error_type: 'task_failed' }),
  ],
  intents: [intentOf('killed')],
  sweeps: [
    {
      records: [
        recordOf('a'),
        recordOf('b'),
        recordOf('c', IMAGE_RECORD),
        recordOf('d', VIDEO_RECORD),
        recordOf('g', {
          result: 'incomplete',
          output_tokens: 40,
          amount: '0.00232',
          refunded_amount: '0.00768',
        }),
        recordOf('h', {
          ...VIDEO_RECORD,
          result: 'failed',
          billing_status: 'refunded',
          amount: '0',
          refunded_amount: '0.4',
        }),
        recordOf('killed', {
          result: 'cancelled',
          output_tokens: 0,
          amount: '0.002',
          refunded_amount: '0.008',
        }),
      ],
    },
  ],
};

/** Amounts inside are big integers, which JSON has not. */
function textOf(result: Reconciliation): string {
  return JSON.stringify(result, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
}

describe('an honest gateway', () => {
  test('gives no finding and nothing left to read', () => {
    const result = judge(HONEST);
    expect(brief(result)).toEqual([]);
    expect(result.gated).toBe(false);
    expect(result.inconclusive).toEqual([]);
    expect(result.wanted).toEqual([]);
    expect(result.calls.map(({ call_id, verdict, match }) => `${call_id} ${verdict} ${match}`)).toEqual([
      'call-a to_the_digit request_id',
      'call-c to_the_digit request_id',
      'call-d to_the_digit request_id',
      'call-e not_charged none',
      'call-f not_charged none',
      'call-g within_bounds request_id',
      'call-h to_the_digit request_id',
      'call-killed within_bounds open_intent',
      'call-b to_the_digit request_id',
    ]);
  });

  test('without a call or a record says so, once the records are read whole', () => {
    const read = judge({ rows: [], sweeps: [{ records: [] }] });
    expect(read.inconclusive.at(-1)).toMatch(/^there is nothing to check: no call, and no usage record/);
    const unread = judge({ rows: [], sweeps: [] });
    expect(unread.inconclusive.at(-1)).toBe('nothing could be checked');
  });

  test('shows the money: what was due, charged, refunded and left open', () => {
    const { money, coverage } = judge(HONEST);
    expect(money).toMatchObject({
      expected: '0.4256',
      charged: '0.42992',
      refunded: '0.43008',
      pending: '0',
      difference: '0',
      certain_over: '0',
      certain_under: '0',
      records: 7,
    });
    expect(coverage.to_the_digit).toBe(0.989951619);
    expect(coverage.within_bounds).toBe(0.010048381);
  });

  test('keeps the sum of a call term by term', () => {
    const call = judge(HONEST).calls.find(({ call_id }) => call_id === 'call-a');
    expect(call?.lines).toEqual([
      { meter: 'input_token', units: '1000', price: '2', per: '1000000', subtotal: '0.002' },
      { meter: 'output_token', units: '100', price: '8', per: '1000000', subtotal: '0.0008' },
    ]);
    expect(call).toMatchObject({ expected: '0.0028', charged: '0.0028', record_ids: ['rec-a'] });
  });

  test('the order of lines in the input does not matter', () => {
    const input = inputOf({ ...HONEST, sweeps: [...(HONEST.sweeps ?? []), ...(HONEST.sweeps ?? [])] });
    const expected = textOf(reconcile(input));
    function shuffled<Item>(items: readonly Item[]): fc.Arbitrary<readonly Item[]> {
      return fc.shuffledSubarray([...items], { minLength: items.length });
    }
    fc.assert(
      fc.property(
        shuffled(input.ledger.rows),
        shuffled(input.records),
        shuffled(input.reads),
        (rows, records, reads) => {
          const moved: ReconcileInput = { ...input, ledger: { ...input.ledger, rows }, records, reads };
          expect(textOf(reconcile(moved))).toBe(expected);
        },
      ),
    );
  });

  test('a faulty set gives the same findings in any order', () => {
    const input = inputOf({
      rows: [cutRow('a'), cutRow('b', { request_id: null, request_ids: [] }), textRow('c')],
      sweeps: [
        {
          records: [
            recordOf('a'),
            recordOf('a', { id: 'rec-a2' }),
            recordOf('x', { amount: '0.9' }),
            recordOf('y'),
            recordOf('z'),
            recordOf('c', { amount: '0.003' }),
          ],
        },
      ],
    });
    const expected = textOf(reconcile(input));
    expect(JSON.parse(expected)).toMatchObject({ gated: true });
    fc.assert(
      fc.property(fc.shuffledSubarray([...input.records], { minLength: input.records.length }), (records) => {
        expect(textOf(reconcile({ ...input, records }))).toBe(expected);
      }),
    );
  });
});

describe('a ledger that is not whole', () => {
  const problem = { file: 'i0-0.ndjson', line: 9, what: 'i0-0.ndjson lacks 1 row', gap: true };
  const spec: InputSpec = {
    rows: [textRow('a'), textRow('b'), cutRow('c', { request_id: null, request_ids: [] })],
    sweeps: [
      {
        records: [recordOf('a'), recordOf('c1', { amount: '0.5' }), recordOf('c2'), recordOf('x')],
        at_ms: START_MS + 48 * 3_600_000,
      },
    ],
    terms: TOLD_TIMES,
  };

  test.each(['exclusive', 'shared'] as const)(
    'proves nothing by what it lacks, on a key that is %s',
    (key) => {
      const input = inputOf({ ...spec, key });
      const result = reconcile({ ...input, ledger: { ...input.ledger, problems: [problem] } });
      expect(brief(result)).toEqual(['unrecorded_request no_record -0.0028 provisional']);
      expect(result.gated).toBe(false);
      expect(result.money).toMatchObject({ records: 1, foreign: { records: 0, amount: '0' } });
      expect(result.money.unattributed).toEqual({ records: 3, amount: '0.5056' });
      expect(result.completeness).toMatchObject({
        complete: false,
        reasons: [`ledger line 9: ${problem.what}`],
      });
      expect(result.calls.find(({ record_ids: [id] }) => id === 'rec-x')).toMatchObject({
        match: 'unattributed',
        verdict: 'not_checkable',
      });
    },
  );

  test('accuses where it is whole', () => {
    expect(brief(judge(spec))).toEqual([
      'phantom_record more_requests_than_calls open',
      'phantom_record record_without_call 0.5',
      'unrecorded_request no_record -0.0028',
    ]);
    expect(judge(spec).money.unattributed).toBeUndefined();
  });
});

test('a ledger with a gap is not complete, however complete the read', () => {
  const input = inputOf(HONEST);
  const problem = { file: 'i0-0.ndjson', line: 1, what: 'no file covers the part 1/2:1 of the run' };
  const withProblem = (gap: boolean) =>
    reconcile({ ...input, ledger: { ...input.ledger, problems: [{ ...problem, gap }] } }).completeness;
  expect(withProblem(false).complete).toBe(true);
  expect(withProblem(true)).toMatchObject({
    complete: false,
    reasons: [`ledger line 1: ${problem.what}`],
  });
});
