import { expect, test } from 'vitest';
import { formatInstant } from '../../core/time.ts';
import { auditWindow, type PeriodFlags } from './audit-window.ts';

const NOW_S = Date.UTC(2026, 10, 20) / 1000;

function shown(flags: PeriodFlags): readonly [string, string, string] | null {
  const window = auditWindow(flags, NOW_S);
  return window === null
    ? null
    : [window.name, formatInstant(window.start * 1000), formatInstant(window.end * 1000)];
}

test.each<[PeriodFlags, ReturnType<typeof shown>]>([
  [{}, null],
  [{ month: '2026-10' }, ['month-2026-10', '2026-10-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z']],
  [{ month: '2025-12' }, ['month-2025-12', '2025-12-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z']],
  [{ month: '2026-11' }, ['month-2026-11', '2026-11-01T00:00:00.000Z', '2026-11-20T00:00:00.000Z']],
  [
    { from: '2026-10-31', to: '2026-11-01T12:30Z' },
    ['from-2026-10-31-to-2026-11-01', '2026-10-31T00:00:00.000Z', '2026-11-01T12:30:00.000Z'],
  ],
])('%o is a half-open window in UTC', (flags, window) => {
  expect(shown(flags)).toEqual(window);
});

test.each<[PeriodFlags, string]>([
  [{ month: '2026-13' }, '--month must be YYYY-MM or last, but it is "2026-13"'],
  [{ month: 'Last' }, '--month must be YYYY-MM or last, but it is "Last"'],
  [{ month: '2026-10', to: '2026-11-01' }, '--month cannot be used together with --from or --to'],
  [{ from: '2026-10-01' }, '--from needs --to'],
  [
    { from: '2026-10-02', to: '2026-10-02' },
    '--to must be later than --from, but the period is 2026-10-02 to 2026-10-02',
  ],
  [
    { from: '2026-02-30', to: '2026-03-02' },
    '--from must be 2026-10-01 or 2026-10-01T00:00:00Z, in UTC, but it is "2026-02-30"',
  ],
  [{ month: '2026-12' }, 'The period month-2026-12 has not begun yet'],
])('%o is refused: %s', (flags, message) => {
  expect(() => auditWindow(flags, NOW_S)).toThrow(message);
});

test.each([
  ['2026-11-01T00:00:00Z', '2026-10', '2026-10-01', '2026-11-01'],
  ['2026-10-31T23:59:59Z', '2026-09', '2026-09-01', '2026-10-01'],
  ['2027-01-31T12:00:00Z', '2026-12', '2026-12-01', '2027-01-01'],
  ['2028-03-31T00:00:00Z', '2028-02', '2028-02-01', '2028-03-01'],
])('at %s the last month is %s', (now, month, start, end) => {
  const nowS = Date.parse(now) / 1000;
  const whole = { name: `month-${month}`, start: Date.parse(start) / 1000, end: Date.parse(end) / 1000 };
  expect(auditWindow({ month: 'last' }, nowS)).toEqual(whole);
  // Records of files may be of any time.
  expect(auditWindow({ month: 'last' }, nowS, Number.POSITIVE_INFINITY)).toEqual(whole);
});
