import { expect, test } from 'vitest';
import { budgetAt } from './budget-at.ts';
import { budgetLimits, budgetOf } from './budget-schema.ts';
import { configSchema } from './config-schema.ts';

const USD = 10n ** 12n;
const budget = (hour: string) => ({ usd_per_hour: hour, usd_per_day: '9' });

function hourAt(root: string, file: object): string | undefined {
  return budgetAt(configSchema.parse({ version: 1, ...file }), root)?.usd_per_hour;
}

test('a gateway has one budget, by whichever command and form of its address', () => {
  const target = { url: 'https://h/v1', budget: budget('2') };
  const probe = { budget: budget('3'), targets: [{ name: 'x', url: 'https://h/api', budget: budget('1') }] };
  expect(hourAt('https://h', { target, probe })).toBe('1');
  expect(hourAt('https://h', { target, probe: { budget: budget('3') } })).toBe('2');
  expect(hourAt('https://other', { target, probe })).toBe('3');
  expect(hourAt('https://other', { target })).toBeUndefined();
  expect(hourAt('https://other', { target: { budget: budget('2') } })).toBe('2');
});

test('a month has a cap where one is given, and none otherwise', () => {
  const given = { ...budget('2'), usd_per_month: '40.5' };
  const limits = { hour: 2n * USD, day: 9n * USD, month: (81n * USD) / 2n };
  expect(budgetLimits(given)).toEqual(limits);
  expect(budgetOf(limits)).toEqual(given);
  expect(budgetLimits(budget('2'))).toEqual({ ...limits, month: null });
  expect(budgetOf({ ...limits, month: null })).toEqual(budget('2'));
});
