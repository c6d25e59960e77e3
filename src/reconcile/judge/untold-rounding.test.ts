import { describe, expect, test } from 'vitest';
import { readPriceBook } from '../../pricebook/read/read-price-book.ts';
import { judge, recordOf, START_MS, TEXT_MODEL, textRow } from '../reconcile.test-support.ts';

describe('a list by hand that tells a rounding, and not what is rounded', () => {
  // $0.0014 of input and $0.0004 of output: $0.002 rounded at once, $0.001 where each part is rounded.
  const usage = { input: 700, output: 50, cache_read: 0, cache_write: 0, reasoning: null, raw: {} };
  function judged(amount: string, scope: string) {
    const list = `pricebook: pb\nversion: v1\ninput_includes_cache: true\nrounding: { quantum: 0.001, mode: half_up${scope} }\nmodels: [{ model: ${TEXT_MODEL}, input: 2, output: 8, cache_read: 0.5 }]\n`;
    const names = ['a', 'b', 'c'];
    return judge({
      rows: names.map((name) => textRow(name, { usage })),
      books: [{ sha256: 'a'.repeat(64), reading: readPriceBook(new TextEncoder().encode(list)) }],
      sweeps: [
        {
          at_ms: START_MS + 2 * 86_400_000,
          records: names.map((name) =>
            recordOf(name, {
              input_tokens: 700,
              output_tokens: 50,
              amount,
              reserved_amount: amount,
              refunded_amount: '0',
            }),
          ),
        },
      ],
    }).findings.map((each) => each.class);
  }

  test.each(['0.002', '0.001'])('accuses nobody of $%s, which one of the two gives', (amount) => {
    expect(judged(amount, '')).toEqual([]);
  });

  test('finds a charge that neither gives', () => {
    expect(judged('0.003', '')).not.toEqual([]);
    expect(judged('0', '')).not.toEqual([]);
  });

  test('finds what a scope that is told excludes', () => {
    expect(judged('0.001', ', scope: record')).toContain('rounding_bias');
    expect(judged('0.001', ', scope: component')).toEqual([]);
  });
});
