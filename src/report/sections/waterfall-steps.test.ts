import { expect, it } from 'vitest';
import { findingOf, moneyOf, reconciliationOf } from '../../contracts/reconciliation.test-support.ts';
import { parseAmount } from '../../core/amount.ts';
import { waterfallSteps } from './money-section.ts';
import type { WaterfallStep } from './report-document.ts';

const MONEY = moneyOf({ expected: '1', charged: '1.3', difference: '0.2', open: '0.1' });
const settled = (id: string, name: Parameters<typeof findingOf>[0], delta_exact: string) =>
  findingOf({ id, bridge: 'settled', provisional: false, group: null, delta_exact, ...name });

const FINDINGS = [
  settled('a', { class: 'duplicate_charge' }, '0.25'),
  settled('b', { class: 'amount_mismatch', group: 'c' }, '-0.06'),
  // The finding over rows adds up what stands beneath it.
  settled('c', { class: 'amount_mismatch' }, '-0.06'),
  settled('d', { class: 'duplicate_charge', provisional: true }, '5'),
  settled('e', { class: 'duplicate_charge', bridge: 'held' }, '7'),
];

function sumOf(steps: readonly WaterfallStep[]): bigint {
  return steps.slice(0, -1).reduce((sum, { amount }) => sum + (parseAmount(amount) ?? 0n), 0n);
}

it('leads from expected to charged: each class once, largest first, then what none names', () => {
  const steps = waterfallSteps(reconciliationOf({ money: MONEY, findings: FINDINGS }));
  expect(steps?.map(({ amount, role }) => [role, amount])).toEqual([
    ['sum', '1'],
    ['change', '0.25'],
    ['change', '-0.06'],
    ['change', '0.01'],
    ['change', '0.1'],
    ['sum', '1.3'],
  ]);
  expect(steps?.at(3)?.label).toBe('no finding names it');
  expect(sumOf(steps ?? [])).toBe(parseAmount('1.3'));
});

it('is only the two sums where every charge is as due, and nothing where a sum is not known', () => {
  const clean = moneyOf({ expected: '1', charged: '1', difference: '0' });
  expect(waterfallSteps(reconciliationOf({ money: clean }))).toHaveLength(2);
  expect(waterfallSteps(reconciliationOf({ money: moneyOf({ ...clean, expected: null }) }))).toBeNull();
});
