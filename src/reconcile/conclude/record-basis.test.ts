import { describe, expect, test } from 'vitest';
import { NO_TERMS } from '../../contracts/billing-terms.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import {
  archivedBook,
  bookDocument,
  brief,
  IMAGE_MODEL,
  IMAGE_RECORD,
  type InputSpec,
  judge,
  recordOf,
  START_MS,
  TOLD_TIMES,
  VIDEO_RECORD,
} from '../reconcile.test-support.ts';

const DAY_MS = 86_400_000;
const audit = (records: readonly unknown[], terms: InputSpec['terms'] = {}) =>
  judge({ basis: 'records', key: 'shared', sweeps: [{ records, at_ms: START_MS + 2 * DAY_MS }], terms });

const CACHED = { cache_read_tokens: 200, refunded_amount: '0' };
const INSIDE = { ...CACHED, amount: '0.0025' };
const BESIDE = { ...CACHED, amount: '0.0029' };
const INPUT_TOO_SMALL = { ...CACHED, amount: '0.0011', input_tokens: 100 };

function cacheSetting({ coverage }: Reconciliation) {
  return coverage.settings.find(({ name }) => name === 'input_includes_cache');
}

describe('a bill without a ledger', () => {
  test('is judged record by record: tokens at the price to the digit, units not at all', () => {
    const result = audit([
      recordOf('a'),
      recordOf('b', { input_tokens: 0, output_tokens: 100, amount: '0.0008', refunded_amount: '0.0092' }),
      recordOf('c', { ...IMAGE_RECORD, amount: '0.16', reserved_amount: '0.16' }),
      recordOf('d', VIDEO_RECORD),
    ]);
    expect(brief(result)).toEqual([]);
    expect(result.calls.map(({ call_id, basis, verdict }) => [call_id, basis, verdict])).toEqual([
      [null, 'record', 'to_the_digit'],
      [null, 'record', 'to_the_digit'],
      [null, 'record', 'not_checkable'],
      [null, 'record', 'not_checkable'],
    ]);
    expect(new Set(result.calls.map(({ match_why }) => match_why))).toEqual(
      new Set(['no ledger: the records of one request, judged by themselves']),
    );
    expect(result.money.charged).toBe('0.5636');
    expect(result.gated).toBe(false);
  });

  test.each([
    ['beside', '0.0029'],
    ['inside', '0.0025'],
  ])('takes cached tokens to be %s the input where charges to the digit show it', (_, amount) => {
    const cached = { amount, cache_read_tokens: 200, refunded_amount: '0' };
    const result = judge({
      basis: 'records',
      key: 'shared',
      books: [archivedBook(bookDocument({ usage_semantics: undefined }))],
      sweeps: [{ records: [recordOf('a', cached), recordOf('b')], at_ms: START_MS + 2 * DAY_MS }],
    });
    expect(brief(result)).toEqual([]);
    expect(result.money).toMatchObject({ difference: '0', open: '0' });
  });

  test.each([
    ['some inside and some beside', [INSIDE, BESIDE, INSIDE]],
    [
      'inside, but for one record that holds more cached tokens than input',
      [INSIDE, INSIDE, INPUT_TOO_SMALL],
    ],
  ])('accuses nobody whose records count cached tokens %s', (_, records) => {
    const result = judge({
      basis: 'records',
      key: 'shared',
      books: [archivedBook(bookDocument({ usage_semantics: undefined }))],
      sweeps: [
        {
          records: records.map((changes, index) => recordOf(`${index}`, changes)),
          at_ms: START_MS + 2 * DAY_MS,
        },
      ],
    });
    expect(brief(result)).toEqual([]);
    expect(cacheSetting(result)).toMatchObject({ value: 'yes', also: ['no'], basis: 'records' });
  });

  test('sees where cached tokens stand through a rounding that nobody tells', () => {
    const names = Array.from({ length: 30 }, (_, n) => `${n}`);
    const result = judge({
      basis: 'records',
      key: 'shared',
      books: [archivedBook(bookDocument({ usage_semantics: undefined, rounding: undefined }))],
      sweeps: [
        {
          // Rounded up to a millionth of a dollar.
          records: names.map((name, n) => {
            const exact = 2_000n * 1_000n + 201n * 500n + BigInt(100 + n) * 8_000n;
            const amount = `0.00${String((exact + 999n) / 1_000n).padStart(4, '0')}`;
            return recordOf(name, {
              ...{ amount, cache_read_tokens: 201, refunded_amount: '0', output_tokens: 100 + n },
            });
          }),
          at_ms: START_MS + 2 * DAY_MS,
        },
      ],
    });
    expect(brief(result)).toEqual([]);
    expect(cacheSetting(result)).toMatchObject({ value: 'no', also: [], basis: 'records' });
  });

  test('takes cached tokens as declared; that most prices contradict it is said, and accuses nobody', () => {
    const of = (input_tokens: 'with_cache' | 'without_cache', records: readonly unknown[]): Reconciliation =>
      judge({
        basis: 'records',
        key: 'shared',
        books: [archivedBook(bookDocument({ usage_semantics: undefined }))],
        sweeps: [{ records, at_ms: START_MS + 2 * DAY_MS }],
        terms: { readings: { ...NO_TERMS.readings, input_tokens, output_tokens: 'with_reasoning' } },
      });
    const [one, two] = [recordOf('a', BESIDE), recordOf('b', INSIDE)];
    expect(brief(of('without_cache', [one]))).toEqual([]);
    expect(brief(of('with_cache', [one, two]))).toEqual(['cache_double_charge cache_both 0.0004']);
    const contradicted = of('with_cache', [one]);
    const counts = '0 records with cached tokens are priced with them inside input_tokens, 1 beside it';
    expect(brief(contradicted)).toEqual([]);
    expect(contradicted.inconclusive).toEqual([
      `billing.readings.input_tokens is declared as with_cache, but ${counts}`,
    ]);
    expect(cacheSetting(contradicted)).toMatchObject({ value: 'yes', also: ['no'], basis: 'declared' });
  });

  test('accuses nobody of a credit that stands alone', () => {
    const result = audit([recordOf('a'), recordOf('b', { amount: '-0.0028', reserved_amount: '0' })]);
    expect(result).toMatchObject({ gated: false });
    expect(result.findings).toMatchObject([{ class: 'negative_component', severity: 'S4' }]);
    expect(result.money).toMatchObject({ charged: '0', difference: '0', open: '-0.0028' });
  });

  test('makes no charge the expectation of itself: an image and a video charged double stay open', () => {
    const { calls, money, coverage, findings, inconclusive } = audit([
      recordOf('a'),
      recordOf('b', { ...IMAGE_RECORD, amount: '0.04', reserved_amount: '0.04' }),
      recordOf('c', { ...VIDEO_RECORD, amount: '0.8', reserved_amount: '0.8' }),
    ]);
    const [text, image, video] = calls;
    expect(text).toMatchObject({ verdict: 'to_the_digit', expected: '0.0028' });
    expect(image).toMatchObject({ expected: null, expected_lo: '0.02', expected_hi: null, lines: [] });
    expect(video).toMatchObject({ expected: null, expected_lo: '0.1', expected_hi: null, lines: [] });
    expect(image?.why).toBe(
      "can't be checked without a log of your calls: a record tells neither number, size nor quality of images",
    );
    expect(video?.why).toBe(
      "can't be checked without a log of your calls: a record tells neither seconds nor resolution of a video",
    );
    expect(image?.money).toMatchObject({ charged: '0.04', expected: null, difference: '0', open: '0.04' });
    expect(money).toMatchObject({
      ...{ expected: '0.0028', charged: '0.8428', charged_inexact: '0.84', difference: '0' },
      ...{ certain_over: '0', certain_under: '0', open: '0.84' },
    });
    expect(coverage.of_records).toEqual([
      { kind: 'text', charged: '0.0028', checked: '0.0028', untold: '0' },
      { kind: 'image', charged: '0.04', checked: '0', untold: '0.04' },
      { kind: 'video', charged: '0.8', checked: '0', untold: '0.8' },
    ]);
    expect([coverage.within_bounds, coverage.untold]).toEqual([0, coverage.not_checkable]);
    expect(findings).toEqual([]);
    // 0.3 % of the money: too little, whatever the images and videos are.
    expect(inconclusive).toHaveLength(1);
  });

  test('shows wrong sums, doubles, leaks and what no price makes', () => {
    const result = audit(
      [
        recordOf('dear', { amount: '0.0056', refunded_amount: '0.0044' }),
        recordOf('twice'),
        recordOf('twice', { id: 'rec-again' }),
        recordOf('held', { billing_status: 'pending', amount: '0', refunded_amount: '0' }),
        recordOf('failed', { ...VIDEO_RECORD, result: 'failed' }),
        recordOf('odd', { ...IMAGE_RECORD, amount: '0.0333', reserved_amount: '0.0333' }),
      ],
      TOLD_TIMES,
    );
    expect(brief(result)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^amount_mismatch .* 0\.0028$/),
        'amount_mismatch no_multiple_of_a_price open',
        expect.stringMatching(/^duplicate_charge .* 0\.0028$/),
        expect.stringMatching(/^failed_task_not_refunded .* 0\.4$/),
        expect.stringMatching(/^reservation_leak pending_past_deadline /),
      ]),
    );
    expect(result.findings).toHaveLength(5);
    expect(
      result.findings.flatMap(({ evidence }) => evidence).filter((of) => of.startsWith('call:')),
    ).toEqual([]);
  });

  test('judges each record that names no request: none is another user’s, and no two of them are one request', () => {
    const nameless = { ...recordOf('x'), id: '', request_id: '' };
    const { created_at: _, ...undated } = recordOf('y', { request_id: '', amount: '0.0056' });
    const result = audit([recordOf('a'), { amount: '5' }, {}, undated, nameless, { ...nameless }]);
    expect(result.money.foreign.records).toBe(0);
    expect(result.calls.filter(({ match }) => match === 'foreign')).toEqual([]);
    const told = result.findings.filter((one) => one.class === 'unknown_records');
    expect(told).toHaveLength(3);
    expect(result.findings.map((one) => one.class)).toContain('amount_mismatch');
    expect(result.findings.map((one) => one.class)).not.toContain('duplicate_charge');
    expect(result.gated).toBe(true);
  });

  test('accuses nobody of a record without a call', () => {
    const result = judge({
      basis: 'records',
      key: 'exclusive',
      sweeps: [
        { records: [recordOf('a', { model: IMAGE_MODEL, ...IMAGE_RECORD })], at_ms: START_MS + DAY_MS },
      ],
    });
    expect(brief(result)).toEqual([]);
  });

  test('is all records of its key, so that one that has gone is missed', () => {
    const [early, late] = [START_MS + DAY_MS, START_MS + 2 * DAY_MS];
    const result = judge({
      basis: 'records',
      key: 'shared',
      sweeps: [
        { records: [recordOf('a'), recordOf('b')], at_ms: early },
        { records: [recordOf('a')], at_ms: late },
      ],
    });
    expect(brief(result)).toEqual(['state_regression vanished -0.0028']);
  });
});
