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
  [{ month: '2026-13' }, 'expected --month YYYY-MM, found "2026-13"'],
  [{ month: '2026-10', to: '2026-11-01' }, 'expected --month or --from with --to, found both'],
  [{ from: '2026-10-01' }, 'expected --from together with --to, found --from alone'],
  [{ from: '2026-10-02', to: '2026-10-02' }, 'expected --to after --from, found 2026-10-02 to 2026-10-02'],
  [
    { from: '2026-02-30', to: '2026-03-02' },
    'expected --from as 2026-10-01 or 2026-10-01T00:00:00Z, in UTC, found "2026-02-30"',
  ],
  [{ month: '2026-12' }, 'expected a period that has begun, found month-2026-12'],
])('%o is refused: %s', (flags, message) => {
  expect(() => auditWindow(flags, NOW_S)).toThrow(message);
});
