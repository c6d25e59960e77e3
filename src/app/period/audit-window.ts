import { WeighbridgeError } from '../../contracts/failure.ts';
import type { UsageWindow } from '../../contracts/usage-lines.ts';

export interface PeriodFlags {
  readonly month?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** A period of the past, Unix seconds, half-open, and the name that its run id begins with. */
export interface NamedWindow extends UsageWindow {
  readonly name: string;
}

const MONTH = /^(\d{4})-(0[1-9]|1[0-2])$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?Z$/;

/**
 * The window that --month, or --from and --to, ask for; null where none of them is given. `last` is the calendar month
 * before that of `nowS`. `latestS` ends the window at the latest.
 */
export function auditWindow(
  { month, from, to }: PeriodFlags,
  nowS: number,
  latestS: number = nowS,
): NamedWindow | null {
  if (month === undefined && from === undefined && to === undefined) return null;
  if (month !== undefined) {
    if (from !== undefined || to !== undefined)
      throw refused('--month cannot be used together with --from or --to');
    return ended(monthWindow(month === 'last' ? monthBefore(nowS) : month), latestS);
  }
  if (from === undefined || to === undefined)
    throw refused(from === undefined ? '--to needs --from' : '--from needs --to');
  const start = moment('--from', from);
  const end = moment('--to', to);
  if (end <= start) throw refused(`--to must be later than --from, but the period is ${from} to ${to}`);
  return ended({ start, end, name: `from-${from.slice(0, 10)}-to-${to.slice(0, 10)}` }, latestS);
}

function monthWindow(text: string): NamedWindow {
  const parts = MONTH.exec(text);
  if (parts === null) throw refused(`--month must be YYYY-MM or last, but it is ${JSON.stringify(text)}`);
  const [year, month] = [Number(parts[1]), Number(parts[2])];
  // Date.UTC carries the thirteenth month over into the next year.
  const start = Date.UTC(year, month - 1) / 1000;
  return { start, end: Date.UTC(year, month) / 1000, name: `month-${text}` };
}

function moment(flag: string, text: string): number {
  const at = DAY.test(text) || INSTANT.test(text) ? Date.parse(text) : Number.NaN;
  // A day of 2026-02-30 would be read as one of March.
  const right = !Number.isNaN(at) && new Date(at).toISOString().startsWith(text.slice(0, 10));
  if (!right)
    throw refused(
      `${flag} must be 2026-10-01 or 2026-10-01T00:00:00Z, in UTC, but it is ${JSON.stringify(text)}`,
    );
  return at / 1000;
}

/** `YYYY-MM`, in UTC. */
function monthBefore(nowS: number): string {
  const now = new Date(nowS * 1000);
  // Date.UTC carries the month before January over into the year before.
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1)).toISOString().slice(0, 7);
}

/** What has not happened yet has no records; the end may not move between pages either. */
function ended(window: NamedWindow, nowS: number): NamedWindow {
  if (window.start >= nowS) throw refused(`The period ${window.name} has not begun yet`);
  return { ...window, end: Math.min(window.end, nowS) };
}

function refused(problem: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'period_invalid',
    message: `${problem}.`,
    hint: 'Give for example --month 2026-10, or --from 2026-10-01 --to 2026-10-08. Times are UTC, and the end is not part of the period.',
  });
}
