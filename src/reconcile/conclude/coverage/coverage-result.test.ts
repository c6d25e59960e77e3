import { describe, expect, test } from 'vitest';
import type { AgreedPrice } from '../../../contracts/billing-terms.ts';
import { formatInstant } from '../../../core/time.ts';
import { DEFAULT_TOLERANCES } from '../../input/reconcile-input.ts';
import {
  archivedBook,
  bookDocument,
  cutRow,
  IMAGE_RECORD,
  type InputSpec,
  imageRow,
  judge,
  recordOf,
  START_MS,
  TEXT_MODEL,
  textRow,
} from '../../reconcile.test-support.ts';

const SILENT = archivedBook(bookDocument({ rounding: undefined }));

/** Ten cheap text calls that are right, and one dear image whose number of images nobody told. */
const MOSTLY_UNCHECKED: InputSpec = {
  rows: [...names(10).map((name) => textRow(name)), imageRow('x', { units: null })],
  sweeps: [
    {
      records: [
        ...names(10).map((name) => recordOf(name)),
        recordOf('x', { ...IMAGE_RECORD, amount: '0.98', reserved_amount: '0.98' }),
      ],
    },
  ],
};

function names(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `n${index}`);
}

function textBill(count: number, changes: Partial<InputSpec> = {}): InputSpec {
  return {
    rows: names(count).map((name) => textRow(name)),
    sweeps: [{ records: names(count).map((name) => recordOf(name)) }],
    ...changes,
  };
}

test('charges are counted one by one: those of the price list, and all; what is free is none', () => {
  const right = textBill(3);
  expect(judge(right).coverage.charges).toEqual({ matched: 3, of: 3 });
  const extra = [recordOf('n0', { id: 'twice' }), recordOf('x', { ...IMAGE_RECORD, amount: '0.5' })];
  const more = [...names(3).map((name) => recordOf(name)), ...extra];
  const rows = [...names(3).map((name) => textRow(name)), imageRow('x'), textRow('free')];
  const free = recordOf('free', { amount: '0', refunded_amount: '0.01' });
  expect(judge({ rows, sweeps: [{ records: [...more, free] }] }).coverage.charges).toEqual({
    matched: 3,
    of: 5,
  });
  expect(judge({}).coverage.charges).toEqual({ matched: 0, of: 0 });
});

describe('shares', () => {
  test('weigh by charged USD, not by calls: ten right calls do not outweigh a dear one', () => {
    const { to_the_digit, not_checkable, within_bounds, provisional } = judge(MOSTLY_UNCHECKED).coverage;
    expect(to_the_digit).toBe(0.027777777);
    expect(not_checkable).toBe(0.972222223);
    expect([within_bounds, provisional]).toEqual([0, 0]);
  });

  test('rest on what the client saw, or on the record alone', () => {
    const { basis, to_the_digit } = judge(textBill(3)).coverage;
    expect(to_the_digit).toBe(1);
    expect(basis).toEqual({ client: 1, record: 0 });
    const ofRecords = judge(textBill(3, { rows: [], basis: 'records' })).coverage;
    expect(ofRecords.to_the_digit).toBe(1);
    expect(ofRecords.basis).toEqual({ client: 0, record: 1 });
  });

  test('are null where nothing was charged', () => {
    const { to_the_digit, basis, consistent } = judge({ rows: [], sweeps: [{ records: [] }] }).coverage;
    expect([to_the_digit, basis.client, basis.record, consistent]).toEqual([null, null, null, null]);
  });
});

describe('what rests on inference', () => {
  const silent = judge(textBill(30, { books: [SILENT] }));

  test('agrees within bounds, never exactly: a price that is told is met within a hundredth', () => {
    expect(silent.coverage).toMatchObject({ to_the_digit: 0, within_bounds: 1, consistent: 0 });
    expect(silent.inconclusive).toEqual([]);
  });

  test('is only consistent where the rounding makes up more than that, and gives no verdict', () => {
    const names = Array.from({ length: 30 }, (_, index) => `c${index}`);
    // $0.00285, $0.00295 and $0.00305 are due; each is charged without its last digit.
    const input = (index: number): number => 1025 + 50 * (index % 3);
    const rest = { output: 100, cache_read: 0, cache_write: 0, reasoning: null, raw: {} };
    const coarse = judge({
      rows: names.map((name, index) => textRow(name, { usage: { input: input(index), ...rest } })),
      sweeps: [
        {
          records: names.map((name, index) =>
            recordOf(name, {
              input_tokens: input(index),
              amount: ['0.0028', '0.0029', '0.003'][index % 3] ?? '',
              refunded_amount: ['0.0072', '0.0071', '0.007'][index % 3] ?? '',
            }),
          ),
        },
      ],
      books: [SILENT],
    });
    expect(coarse.coverage).toMatchObject({ to_the_digit: 0, within_bounds: 1, consistent: 1 });
    expect(coarse.gated).toBe(false);
    expect(coarse.inconclusive).toEqual([
      'too little could be checked to judge: only 0.0 % of the charged money; 100.0 % is only consistent with prices or a rounding inferred from itself',
    ]);
  });

  test('prices that were inferred are no more than consistent either, and told as inferred', () => {
    const { sha256, reading } = archivedBook();
    if ('unreadable' in reading) throw new Error('the book of the tests can be read');
    const { book } = reading;
    const inferred = { ...book, source: { ...book.source, kind: 'inferred' as const } };
    const { coverage } = judge(textBill(3, { books: [{ sha256, reading: { ...reading, book: inferred } }] }));
    expect(coverage).toMatchObject({
      to_the_digit: 0,
      within_bounds: 1,
      consistent: 1,
      prices: { published: 0, declared: 0, inferred: 1 },
    });
  });

  test('leaves it alone, too, whose rounding was agreed', () => {
    const agreed: AgreedPrice = {
      ...{ name: 'rounding', models: [TEXT_MODEL], endpoints: null, from: null, until: null },
      ...{ factor: null, prices: null, minimum: null },
      rounding: { scope: 'record', quantum: '0.00000001', mode: 'half_up', pre: [] },
    };
    const spec = { rows: [textRow('a')], sweeps: [{ records: [recordOf('a')] }], books: [SILENT] };
    expect(judge({ ...spec, terms: { agreed: [agreed] } }).coverage.to_the_digit).toBe(1);
    expect(judge(spec).coverage.to_the_digit).toBe(0);
    const doubled = [recordOf('a', { amount: '0.00280001' })];
    const wrong = judge({ ...spec, sweeps: [{ records: doubled }], terms: { agreed: [agreed] } });
    expect(wrong.findings.length).toBeGreaterThan(0);
  });

  test('leaves a bill alone whose book tells its rounding', () => {
    expect(judge(textBill(30)).coverage.consistent).toBe(0);
    expect(judge(textBill(30)).inconclusive).toEqual([]);
  });
});

test('the least share that must be checked is configurable, and the reason names what is largest', () => {
  const tolerances = (min_checked: number) => ({ ...DEFAULT_TOLERANCES, min_checked });
  expect(judge({ ...MOSTLY_UNCHECKED, tolerances: tolerances(0.027777777) }).inconclusive).toEqual([]);
  expect(judge({ ...MOSTLY_UNCHECKED, tolerances: tolerances(0.027777778) }).inconclusive).toEqual([
    'too little could be checked to judge: only 2.8 % of the charged money; 97.2 % could not: the number of images is not known',
  ]);
});

describe('what no record can decide', () => {
  const month = (texts: number, media: Readonly<Record<string, string>>, min_checked = 0.95) =>
    judge({
      basis: 'records',
      tolerances: { ...DEFAULT_TOLERANCES, min_checked },
      sweeps: [
        {
          records: [
            ...names(texts).map((name) => recordOf(name)),
            ...Object.entries(media).map(([name, amount]) =>
              recordOf(name, { ...IMAGE_RECORD, amount, reserved_amount: amount }),
            ),
          ],
        },
      ],
    });

  test('is not asked of records: a checked text is enough beside images that are dearer', () => {
    const { coverage, inconclusive } = month(10, { image: '0.98' });
    expect(coverage).toMatchObject({ to_the_digit: 0.027777777, untold: 0.972222223 });
    expect(coverage.not_checkable).toBe(coverage.untold);
    expect(inconclusive).toEqual([]);
  });

  test('is no excuse for what they can decide', () => {
    const unpriced = recordOf('u', { model: 'no-such-model', amount: '0.0028' });
    const result = judge({
      basis: 'records',
      tolerances: { ...DEFAULT_TOLERANCES, gate: 'S1' },
      sweeps: [{ records: [recordOf('a'), unpriced, recordOf('x', IMAGE_RECORD)] }],
    });
    expect(result.coverage.untold).toBe(0.78125);
    expect(result.inconclusive).toEqual([
      'too little could be checked to judge: only 10.9 % of the charged money; 78.1 % can\'t be checked without a log of your calls; 10.9 % could not: the book has no model "no-such-model"',
    ]);
  });

  test('leaves too little to judge where nearly all of a bill is of it, or all', () => {
    expect(month(1, { image: '3.5' }).inconclusive).toEqual([
      "too little could be checked to judge: only 0.08 % of the charged money; 99.92 % can't be checked without a log of your calls",
    ]);
    expect(month(1, { image: '3.5' }, 0).inconclusive).toEqual([]);
    expect(month(0, { image: '0.02' }).inconclusive).toEqual([
      "nothing could be checked: 100.0 % of the charged money can't be checked without a log of your calls",
    ]);
  });
});

describe('why money could not be checked', () => {
  test('is told with its share and calls, most money first', () => {
    const { coverage } = judge({
      rows: [textRow('a'), imageRow('b', { units: null }), textRow('c', { usage: null, prompt_bytes: null })],
      sweeps: [{ records: [recordOf('a'), recordOf('b', IMAGE_RECORD), recordOf('c', { input_tokens: 0 })] }],
    });
    expect(coverage.not_checkable_why).toEqual([
      { why: 'the number of images is not known', share: 0.78125, calls: 1 },
      { why: 'the size of its prompt is not known', share: 0.109375, calls: 1 },
    ]);
    expect(coverage.not_checkable).toBe(0.890625);
  });

  test('has at most ten reasons and a line for the rest, and its shares sum to all of it', () => {
    const models = names(13);
    const { coverage } = judge({
      rows: models.map((model) => textRow(model, { model })),
      sweeps: [{ records: models.map((model) => recordOf(model, { model })) }],
    });
    expect(coverage.not_checkable_why).toHaveLength(11);
    expect(coverage.not_checkable_why.at(-1)).toMatchObject({ why: '3 other reasons', calls: 3 });
    const total = coverage.not_checkable_why.reduce((sum, { share }) => sum + share, 0);
    expect(total).toBeCloseTo(coverage.not_checkable ?? 0, 9);
  });
});

test('prices count by how they are known', () => {
  expect(judge(textBill(2)).coverage.prices).toEqual({ published: 1, declared: 0, inferred: 0 });
  const agreed = judge(
    textBill(2, {
      terms: {
        agreed: [
          {
            name: 'discount',
            models: ['text-1'],
            endpoints: null,
            from: null,
            until: null,
            factor: '1',
            prices: null,
            rounding: null,
            minimum: null,
          },
        ],
      },
    }),
  );
  expect(agreed.coverage.prices).toEqual({ published: 0, declared: 1, inferred: 0 });
  expect(agreed.calls.map(({ grade }) => grade)).toEqual(['declared', 'declared']);
});

test('what is provisional names the moment at which the last of it becomes final', () => {
  const { coverage, findings } = judge({
    rows: [textRow('a'), textRow('b', { started_at: formatInstant(START_MS + 5_000) })],
    sweeps: [{ records: [] }],
  });
  expect(findings.every(({ provisional }) => provisional)).toBe(true);
  expect(coverage.provisional_until).toBe(formatInstant(START_MS + 5_000 + 1_000 + 15 * 60_000));
  expect(judge(textBill(1)).coverage.provisional_until).toBeNull();
});

test('twice the data is twice every count and the same shares', () => {
  const once = judge({
    rows: [textRow('a'), cutRow('b'), imageRow('c')],
    sweeps: [
      {
        records: [
          recordOf('a'),
          recordOf('b', {
            result: 'incomplete',
            output_tokens: 40,
            amount: '0.00232',
            refunded_amount: '0.00768',
          }),
          recordOf('c', IMAGE_RECORD),
        ],
      },
    ],
  }).coverage;
  const twice = judge({
    rows: ['a', 'A'].flatMap((a) => [textRow(a), cutRow(`${a}b`), imageRow(`${a}c`)]),
    sweeps: [
      {
        records: ['a', 'A'].flatMap((a) => [
          recordOf(a),
          recordOf(`${a}b`, {
            result: 'incomplete',
            output_tokens: 40,
            amount: '0.00232',
            refunded_amount: '0.00768',
          }),
          recordOf(`${a}c`, IMAGE_RECORD),
        ]),
      },
    ],
  }).coverage;
  expect(twice.to_the_digit).toBe(once.to_the_digit);
  expect(twice.exercised).toEqual(once.exercised.map((line) => ({ ...line, seen: line.seen * 2 })));
  const rowsOf = (coverage: typeof once) =>
    coverage.classes.filter(
      ({ class: name }) =>
        ![
          'page_gap_or_overlap',
          'currency_or_unit_error',
          'price_book_incoherent',
          'price_book_unreadable',
        ].includes(name),
    );
  expect(rowsOf(twice).map(({ checked }) => checked)).toEqual(rowsOf(once).map(({ checked }) => checked * 2));
});
