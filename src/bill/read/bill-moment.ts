import { SECONDS_PER_DAY } from '../../core/time.ts';

const DAY = /^\d{4}-\d{2}-\d{2}(?:[T ]00:00(?::00(?:\.0+)?)?Z?)?$/;
const DAY_AND_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:[zZ]|[+-]\d{2}:?\d{2})?$/;
const ZONED = /(?:[zZ]|[+-]\d{2}:?\d{2})$/;
const COUNT = /^\d{1,11}(?:\.0+)?$/;

/** First and last year that a bill may be of: a moment in milliseconds is no count of seconds. */
const YEARS = { first: Date.UTC(2000, 0) / 1000, end: Date.UTC(2200, 0) / 1000 } as const;

/**
 * A moment of a bill in seconds, as if its zone were UTC: which zone it is, the sums tell. Null for anything that is not
 * written in the form.
 */
export function billSecond(text: string, form: 'day' | 'text' | 'unix_s'): number | null {
  const second = form === 'unix_s' ? countOf(text) : form === 'day' ? dayOf(text) : instantOf(text);
  return second === null || second < YEARS.first || second >= YEARS.end ? null : second;
}

function countOf(text: string): number | null {
  return COUNT.test(text) ? Number(text) : null;
}

function dayOf(text: string): number | null {
  if (!DAY.test(text)) return null;
  const second = Date.parse(`${text.slice(0, 10)}T00:00:00Z`) / 1000;
  // A day of 2026-02-30 would be read as one of March.
  return Number.isNaN(second) || dayText(second) !== text.slice(0, 10) ? null : second;
}

function instantOf(text: string): number | null {
  if (!DAY_AND_TIME.test(text)) return dayOf(text);
  const joined = text.replace(' ', 'T');
  const ms = Date.parse(ZONED.test(joined) ? joined : `${joined}Z`);
  return Number.isNaN(ms) ? null : Math.floor(ms / 1000);
}

/** `2026-10-03`, or with its time where it is no midnight. */
export function bucketText(second: number): string {
  return second % SECONDS_PER_DAY === 0 ? dayText(second) : timeText(second);
}

function dayText(second: number): string {
  return timeText(second).slice(0, 10);
}

function timeText(second: number): string {
  return new Date(second * 1000).toISOString().slice(0, 16).replace('T', ' ');
}
