import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { BUDGET_PERIODS, periodAt } from './budget-period.ts';
import { formatInstant } from './time.ts';

const DAY_MS = 86_400_000;
/** As much of a moment's text as names its period, and the rest of the first moment in it. */
const TEXT = {
  hour: { length: '2027-01-15T10'.length, rest: ':00:00.000Z' },
  day: { length: '2027-01-15'.length, rest: 'T00:00:00.000Z' },
  month: { length: '2027-01'.length, rest: '-01T00:00:00.000Z' },
} as const;

function monthOf(text: string): readonly string[] {
  const { begin_ms, end_ms } = periodAt('month', Date.parse(text));
  return [begin_ms, end_ms].map((ms) => formatInstant(ms).slice(0, 10));
}

test('a month begins on its first day and ends with its last, over a new year and a leap February', () => {
  expect(monthOf('2026-12-31T23:59:59.999Z')).toEqual(['2026-12-01', '2027-01-01']);
  expect(monthOf('2027-01-01T00:00:00.000Z')).toEqual(['2027-01-01', '2027-02-01']);
  expect(monthOf('2028-02-29T12:00:00.000Z')).toEqual(['2028-02-01', '2028-03-01']);
  const days = (text: string) => {
    const { begin_ms, end_ms } = periodAt('month', Date.parse(text));
    return (end_ms - begin_ms) / DAY_MS;
  };
  expect(['2027-02-14', '2028-02-14', '2100-02-14', '2027-04-30', '2027-01-31'].map(days)).toEqual([
    28, 29, 28, 30, 31,
  ]);
});

test('of every moment, a period is what its text in UTC says', () => {
  const moment = fc.date({
    min: new Date('1970-01-01T00:00:00Z'),
    max: new Date('2399-12-31T23:59:59Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(moment, fc.constantFrom(...BUDGET_PERIODS), (at, period) => {
      const { begin_ms, end_ms } = periodAt(period, at.getTime());
      const { length, rest } = TEXT[period];
      expect(formatInstant(begin_ms)).toBe(at.toISOString().slice(0, length) + rest);
      expect(at.getTime()).toBeLessThan(end_ms);
      // The next one begins where it ends.
      expect(periodAt(period, end_ms).begin_ms).toBe(end_ms);
      expect(periodAt(period, end_ms - 1)).toEqual({ begin_ms, end_ms });
    }),
  );
});
