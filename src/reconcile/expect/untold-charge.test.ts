import { describe, expect, test } from 'vitest';
import type { UsageRecord } from '../../contracts/interface.ts';
import type { ModelPrice } from '../../contracts/price-book.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import type { PaidKind } from '../../core/call-kind.ts';
import { plainModel } from '../../pricebook/adapters/plain-model.ts';
import {
  archivedBook,
  bookDocument,
  brief,
  IMAGE_MODEL,
  IMAGE_RECORD,
  judge,
  only,
  recordOf,
  START_MS,
  TEXT_MODEL,
  VIDEO_MODEL,
  VIDEO_RECORD,
} from '../reconcile.test-support.ts';

type Changes = { readonly [F in keyof UsageRecord]?: unknown };

/** A month of one record of images, by these prices of their model. */
function month(record: Changes, ...models: readonly ModelPrice[]): Reconciliation {
  const { sha256, reading } = archivedBook();
  if ('unreadable' in reading) throw new Error('the book of the tests can be read');
  const named = new Set(models.map(({ model }) => model));
  const kept = reading.book.models.filter(({ model }) => !named.has(model));
  const book = { ...reading.book, models: [...kept, ...models] };
  const records = [recordOf('a'), { ...recordOf('x'), ...IMAGE_RECORD, ...record }];
  return judge({
    basis: 'records',
    key: 'shared',
    books: [{ sha256, reading: { ...reading, book } }],
    sweeps: [{ records, at_ms: START_MS + 2 * 86_400_000 }],
  });
}

const lineOf = ({ calls }: Reconciliation) => calls.find(({ request_id }) => request_id === 'req-x');

function images(
  components: ModelPrice['components'],
  endpoints: readonly PaidKind[] | null = null,
): ModelPrice {
  return plainModel(IMAGE_MODEL, 'image', components, { endpoints });
}

const image = (price: string, options: Partial<ModelPrice['components'][number]> = {}) =>
  ({ meter: 'image', price, per: '1', ...options }) as const;

describe('a charge is possible', () => {
  test('where some number of images or seconds at one price makes it, and else a finding', () => {
    const said = (...amounts: readonly string[]) =>
      amounts.map((amount) => brief(month({ amount, reserved_amount: amount })).length);
    expect(said('0.02', '0.04', '0.08', '0.22', '100')).toEqual([0, 0, 0, 0, 0]);
    expect(said('0.03', '0.0001', '0.0200001', '100.01')).toEqual([1, 1, 1, 1]);
    const seconds = (amount: string) => brief(month({ ...VIDEO_RECORD, amount, reserved_amount: amount }));
    expect(seconds('0.9')).toEqual([]);
    expect(seconds('0.95')).toEqual(['amount_mismatch no_multiple_of_a_price open']);
  });

  test('whatever else is wrong with its record', () => {
    const both = month({ amount: 0.03, reserved_amount: '0.03' });
    expect(brief(both)).toEqual([
      'amount_mismatch no_multiple_of_a_price open',
      'precision_loss amount:number open',
    ]);
    // A factor that nobody told may make it of more images.
    expect(both.findings.map(({ severity }) => severity)).toEqual(['S4', 'S4']);
    expect(both.gated).toBe(false);
  });

  test('by a price for the call and one for each image together, rounded once', () => {
    const prices = images([{ meter: 'request', price: '0.01', per: '1' }, image('0.033333333333')]);
    const said = (amount: string) => brief(month({ amount, reserved_amount: amount }, prices)).length;
    expect(['0.04333333', '0.07666667', '0.11'].map(said)).toEqual([0, 0, 0]);
    expect(['0.03333333', '0.08666667'].map(said)).toEqual([1, 1]);
  });

  test('by the price of all other sizes, and by that of a tier of service', () => {
    const sizes = images([image('0.07', { size: '1024x1024' }), image('0.05')]);
    const batch = { ...images([image('0.03')]), when: { service_tier: 'batch' }, priority: 1 };
    const said = (amount: string) => brief(month({ amount, reserved_amount: amount }, sizes, batch)).length;
    expect(['0.05', '0.07', '0.03'].map(said)).toEqual([0, 0, 0]);
    expect(['0.04', '0.11'].map(said)).toEqual([1, 1]);
  });

  test('in parts, where a price counts parts of a second or a task did not complete', () => {
    const said = (record: Changes, ...models: readonly ModelPrice[]) =>
      month(
        { ...VIDEO_RECORD, amount: '0.45', reserved_amount: '0.45', ...record },
        ...models,
      ).findings.filter(({ rule }) => rule === 'no_multiple_of_a_price').length;
    const unit_rounding = { mode: 'ceil', step: '0.5', at_least: '0' } as const;
    const parts = { meter: 'video_second', price: '0.1', per: '1', unit_rounding } as const;
    expect(said({}, plainModel(VIDEO_MODEL, 'video', [parts]))).toBe(0);
    expect(said({ result: 'expired' })).toBe(0);
    expect(said({})).toBe(1);
  });

  test('by no price of a version that was not archived', () => {
    expect(brief(month({ amount: '0.0333', pricing_version: 'v0' }))).toEqual([]);
  });
});

test('an edit makes one image, so that a price bounds it: a second one is certainly too much', () => {
  const prices = images([image('0.02', { quality: 'low' }), image('0.03')], ['image_edit', 'image_edit_job']);
  const twice = month({ amount: '0.06', reserved_amount: '0.06' }, prices);
  expect(only(twice)).toMatchObject({
    rule: 'no_multiple_of_a_price',
    severity: 'S1',
    confidence: 'bounded',
    direction: 'over',
    delta_min: '0.03',
    delta_max: '0.04',
  });
  expect(twice.money).toMatchObject({ certain_over: '0.03', certain_under: '0', open: '0.03' });
  expect(lineOf(twice)).toMatchObject({ expected: null, expected_lo: '0.02', expected_hi: '0.03' });
  expect(brief(month({ amount: '0.03', reserved_amount: '0.03' }, prices))).toEqual([]);
});

test('what costs less than one image is certainly too little', () => {
  const { money, findings } = month({ amount: '0.015', reserved_amount: '0.015' });
  expect(findings).toMatchObject([{ direction: 'under', delta_exact: null }]);
  expect(money).toMatchObject({ charged: '0.0178', certain_under: '0.005', open: '0.02' });
});

test('charged = expected + certain over − certain under + open, row by row', () => {
  for (const amount of ['0.02', '0.5', '0.015', '0.0333']) {
    const { money } = lineOf(month({ amount, reserved_amount: amount })) ?? {};
    const sums = [money?.certain_over, money?.certain_under, money?.open].map(Number);
    expect((sums[0] ?? 0) - (sums[1] ?? 0) + (sums[2] ?? 0)).toBeCloseTo(Number(amount), 12);
  }
});

describe('records decide', () => {
  const tokens = { input_tokens: 100, output_tokens: 4_000 };

  test('where images are charged by the tokens that they tell', () => {
    const prices = images([
      { meter: 'input_token', price: '5', per: '1000000' },
      { meter: 'output_token', price: '40', per: '1000000' },
    ]);
    const right = month({ ...tokens, amount: '0.1605', reserved_amount: '0.1605' }, prices);
    expect(brief(right)).toEqual([]);
    expect(lineOf(right)).toMatchObject({ verdict: 'to_the_digit', expected: '0.1605' });
    const twice = month({ ...tokens, amount: '0.321', reserved_amount: '0.321' }, prices);
    expect(twice.findings.map((each) => each.class)).toEqual(['amount_mismatch']);
    expect(twice.money.certain_over).toBe('0.1605');
  });

  test('where a call costs one price whatever it makes', () => {
    const prices = images([{ meter: 'request', price: '0.1', per: '1' }, image('0')]);
    expect(lineOf(month({ amount: '0.1', reserved_amount: '0.1' }, prices))?.verdict).toBe('to_the_digit');
    expect(brief(month({ amount: '0.2', reserved_amount: '0.2' }, prices))).toEqual([
      'amount_mismatch charged_twice 0.1',
    ]);
  });

  test('that nothing is due for a task that failed', () => {
    const failed = lineOf(month({ result: 'failed', amount: '0', reserved_amount: '0' }));
    expect(failed).toMatchObject({ verdict: 'to_the_digit', expected: '0' });
  });
});

describe('a text record', () => {
  const text: Changes = { model: TEXT_MODEL, input_tokens: 1000, output_tokens: 100 };
  const priced = (input: string, output: string, when: ModelPrice['when'] = {}) => ({
    ...plainModel(TEXT_MODEL, 'text', [
      { meter: 'input_token', price: input, per: '1000000' },
      { meter: 'output_token', price: output, per: '1000000' },
    ]),
    when,
    priority: Object.keys(when).length,
  });

  test('names no tier of service: the price of each is right, and none is its expectation', () => {
    const tiers = [priced('2', '8'), priced('4', '16', { service_tier: 'priority' })];
    const dear = month({ ...text, amount: '0.0056', reserved_amount: '0.0056' }, ...tiers);
    expect(brief(dear)).toEqual([]);
    expect(lineOf(dear)).toMatchObject({
      verdict: 'within_bounds',
      expected: null,
      expected_lo: '0.0028',
      expected_hi: '0.0056',
    });
    const odd = month({ ...text, amount: '0.004', reserved_amount: '0.004' }, ...tiers);
    expect(brief(odd)).toEqual(['amount_mismatch amount 0.0012']);
  });

  test('counts no calls of tools: a model that prices them needs a log', () => {
    const model = priced('2', '8');
    const prices = [...model.components, { meter: 'tool_call', price: '0.01', per: '1' } as const];
    const result = month(
      { ...text, amount: '0.0128', reserved_amount: '0.0128' },
      { ...model, components: prices },
    );
    expect(lineOf(result)).toMatchObject({
      verdict: 'not_checkable',
      why: "can't be checked without a log of your calls: the number of tool calls is not known",
    });
    expect(result.coverage.of_records).toEqual([
      { kind: 'text', charged: '0.0156', checked: '0', untold: '0.0156' },
    ]);
  });
});

test('a book that tells no rounding leaves open what the widest may do', () => {
  const books = [archivedBook(bookDocument({ rounding: undefined }))];
  const said = (amount: string) =>
    brief(
      judge({
        basis: 'records',
        books,
        sweeps: [{ records: [recordOf('x', { ...IMAGE_RECORD, amount, reserved_amount: amount })] }],
      }),
    );
  expect(said('0.020002')).toEqual([]);
  expect(said('0.020105')).toEqual(['amount_mismatch no_multiple_of_a_price open']);
});
