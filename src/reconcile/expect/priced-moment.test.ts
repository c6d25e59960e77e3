import { expect, test } from 'vitest';
import { type AgreedPrice, type BillingTerms, NO_TERMS } from '../../contracts/billing-terms.ts';
import { formatInstant } from '../../core/time.ts';
import { inputOf, recordOf, START_MS, textRow } from '../reconcile.test-support.ts';
import { reconcile } from '../reconcile.ts';

/** A fifth off from one second until another, counted from the start of the call. */
function fifthOff(from: number | null, until: number | null): BillingTerms {
  const at = (second: number | null): string | null =>
    second === null ? null : formatInstant(START_MS + second * 1000);
  const agreed: AgreedPrice = {
    name: 'a fifth off',
    models: ['*'],
    endpoints: null,
    from: at(from),
    until: at(until),
    factor: '0.8',
    prices: null,
    rounding: null,
    minimum: null,
  };
  return { ...NO_TERMS, agreed: [agreed] };
}

function verdict(terms: BillingTerms, amount: string): string | undefined {
  const records = [recordOf('a', { amount, reserved_amount: '0', refunded_amount: '0' })];
  const input = inputOf({ rows: [textRow('a')], sweeps: [{ records }] });
  return reconcile({ ...input, terms }).calls[0]?.verdict;
}

test('an agreed price holds for the calls of its time, to the digit', () => {
  expect(verdict(fifthOff(-60, 60), '0.00224')).toBe('to_the_digit');
  expect(verdict(fifthOff(-60, 60), '0.0028')).toBe('finding');
  expect(verdict(fifthOff(null, -60), '0.0028')).toBe('to_the_digit');
  expect(verdict(fifthOff(null, -60), '0.00224')).toBe('finding');
});

test('a call sent while it begins or ends may cost either', () => {
  for (const terms of [fifthOff(1, null), fifthOff(null, 5), fifthOff(-1, null)]) {
    expect(verdict(terms, '0.0028')).toBe('within_bounds');
    expect(verdict(terms, '0.00224')).toBe('within_bounds');
    expect(verdict(terms, '0.003')).toBe('finding');
  }
});
