import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bucketText } from '../../bill/read/bill-moment.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { formatTrimmed } from '../../core/decimal.ts';
import { readBillFiles } from './bill-document.ts';

const CORPUS = 'test/corpus/bills';

function read(...names: readonly string[]) {
  const bill = readBillFiles(
    names.map((name) => join(CORPUS, name)),
    null,
  );
  return {
    bill,
    form: bill.mapping.name,
    rows: bill.lines.map(({ start, end, model, amount, tokens, requests, item }) => [
      `${bucketText(start)} – ${bucketText(end)}`,
      model ?? `(${item})`,
      amount === null ? `${tokens} tokens` : formatTrimmed(amount),
      requests === null ? null : Number(requests),
    ]),
  };
}

describe('readBillFiles', () => {
  const day = '2026-10-03 – 2026-10-04';

  it('reads the activity of OpenRouter, no digit of its amounts lost', () => {
    const { form, rows } = read('openrouter-activity.json');
    expect(form).toBe('openrouter-activity');
    expect(rows).toEqual([
      [day, 'maker/swift-1-2026-05-01', '0.0150000000000000031', 5],
      [day, 'maker/swift-1-2026-05-01', '1.2', 3],
    ]);
  });

  it('reads costs of OpenAI: models out of line items, and days of no cost', () => {
    const { form, rows, bill } = read('openai-costs.json');
    expect(form).toBe('openai-costs');
    expect(rows).toEqual([
      [day, 'swift-1-2026-05-01', '0.06', null],
      [day, 'swift-1-2026-05-01', '0.14', null],
      [day, 'web search tool calls', '0.025', null],
    ]);
    expect(bill.spans.map(({ start }) => bucketText(start))).toEqual(['2026-10-02', '2026-10-03']);
    const table = read('openai-costs.csv');
    expect([table.form, table.rows]).toEqual([
      'openai-costs',
      [
        ['2026-10-02 – 2026-10-03', '()', '0', null],
        [day, '()', '0.895874', null],
      ],
    ]);
  });

  it('reads usage of OpenAI as tokens, and says that a page is missing', () => {
    const { form, rows, bill } = read('openai-usage.json');
    expect(form).toBe('openai-usage');
    expect(rows).toEqual([['2026-10-03 – 2026-10-03 01:00', 'swift-1', '1500 tokens', 5]]);
    expect([bill.unit, bill.torn.join().replace(CORPUS, '')]).toEqual([
      'tokens',
      '/openai-usage.json says has_more, and the page after it is not there',
    ]);
  });

  it('reads the costs of Anthropic in cents, and a search as of no model', () => {
    const { form, rows, bill } = read('anthropic-cost.json');
    expect(form).toBe('anthropic-cost');
    expect(rows).toEqual([
      [day, 'deep-3-20260501', '1.2378912', null],
      [day, '(Web Search Usage)', '0.5', null],
    ]);
    expect([bill.unit, bill.torn]).toEqual(['USD', []]);
  });

  it('reads the usage of Anthropic: each kind of token once', () => {
    const { form, rows } = read('anthropic-usage.json');
    expect([form, rows]).toEqual(['anthropic-usage', [[day, 'deep-3-20260501', '3700 tokens', null]]]);
  });

  it('reads FOCUS: usage and credits by resource, a tax as of no model', () => {
    const { form, rows } = read('focus.csv');
    const hour = '2026-10-03 14:00 – 2026-10-03 15:00';
    expect([form, rows]).toEqual([
      'focus',
      [
        [hour, 'swift-1', '0.0028', null],
        [hour, 'swift-1', '-0.0003', null],
        ['2026-10-01 – 2026-11-01', '(Value added tax)', '1.9', null],
      ],
    ]);
  });

  it.each([
    ['bad-columns.csv', 'bill_kind_unknown', /The form of the bill in .*bad-columns\.csv is not known\./],
    ['bad-amount.csv', 'bill_corrupt', /bad-amount\.csv:3: amount: expected a number, found "1,20"/],
    [
      'bad-currencies.json',
      'bill_currency',
      /\[0\] data\[0\]\.results\[1\]: expected USD, found "EUR", and USD in other rows/,
    ],
    ['bad-duplicate.json', 'bill_duplicate', /data\[2\]: .*data\[0\] again \(2026-10-03 m\)/],
    [
      'bad-overlap.csv',
      'bill_overlap',
      /bad-overlap\.csv:3: .*2026-10-03 14:00 swift-1 to overlap that of .*bad-overlap\.csv:2/,
    ],
    ['bad-day.json', 'bill_corrupt', /data\[0\]: start: expected a moment \(day\), found "2026-02-30"/],
    ['bad-milliseconds.json', 'bill_corrupt', /results\[0\]: start: expected a moment \(unix_s\)/],
    ['bad-category.csv', 'bill_corrupt', /bad-category\.csv:2: .*found ChargeCategory "Gift"/],
    ['bad-json.json', 'bill_corrupt', /bad-json\.json:1: expected JSON/],
    ['bad-row.csv', 'bill_corrupt', /bad-row\.csv:2: expected CSV/],
    ['none.json', 'bill_missing', /There is no bill at .*none\.json\./],
  ])('refuses %s with file and row: %s', (name, code, said) => {
    try {
      read(name);
      expect.unreachable('a hostile bill was read');
    } catch (error) {
      if (!(error instanceof WeighbridgeError)) throw error;
      expect([error.code, error.exitCode]).toEqual([code, 2]);
      expect(error.message).toMatch(said);
    }
  });

  it('refuses the same rows in two files', () => {
    expect(() => read('openrouter-activity.json', 'openrouter-activity.json')).toThrow(
      /expected each row once/,
    );
  });
});
