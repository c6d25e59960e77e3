import { describe, expect, test } from 'vitest';
import { AMOUNT_SCALE } from '../../core/amount.ts';
import { parseNumberText } from '../../core/decimal.ts';
import { chargeRecord } from '../events/charge-record.test-support.ts';
import { OWN_READINGS, type Readings } from '../readings/readings.ts';
import { amountText, servedRecord } from './served-record.ts';

function textOf(amount: bigint, amount_form: Readings['amount_form']): string {
  return amountText(amount, { ...OWN_READINGS, amount_form });
}

describe('amounts', () => {
  test.each([
    [0n, '0e+0'],
    [13_350_000n, '1.335e-5'],
    [1n, '1e-12'],
    [-42_000_000_000n, '-4.2e-2'],
    [1_000_000_000_000n, '1e+0'],
    [1_250_000_000_000_000n, '1.25e+3'],
    // A double has no room for these digits.
    [12_345_678_901_234_567_891n, '1.2345678901234567891e+7'],
  ])('%s with an exponent', (amount, text) => {
    expect(textOf(amount, 'exponent')).toBe(text);
  });

  test.each([
    [13_350_000n, '1.3349999999999999e-05'],
    [300_000n, '2.9999999999999999e-07'],
    [0n, '0.0000000000000000e+00'],
  ])('%s as a double prints it', (amount, text) => {
    expect(textOf(amount, 'double_noise')).toBe(text);
  });

  test('the noise of a double hides no amount', () => {
    for (let amount = 1n; amount < 10n ** 15n; amount = amount * 3n + 7n) {
      const { digits, scale } = parseNumberText(textOf(amount, 'double_noise')) ?? { digits: 0n, scale: 0 };
      const unit = 10n ** BigInt(scale - AMOUNT_SCALE);
      expect((digits + unit / 2n) / unit).toBe(amount);
    }
  });
});

test.each([
  ['with_cache', 100],
  ['without_cache', 60],
  ['without_writes', 90],
] as const)('input tokens %s', (input_tokens, told) => {
  const usage = { input: 100, output: 1, cacheRead: 30, cacheWrite: 10 };
  const served = servedRecord(chargeRecord({ id: 'r', usage }), { ...OWN_READINGS, input_tokens });
  expect(served).toMatchObject({ input_tokens: told, cache_read_tokens: 30, cache_write_tokens: 10 });
});

test('a version with its contract behind a slash', () => {
  const served = servedRecord(chargeRecord({ id: 'r' }), { ...OWN_READINGS, version_form: 'with_contract' });
  expect(served.pricing_version).toBe('v/standard');
});
