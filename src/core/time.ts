/** RFC 3339 UTC with milliseconds, the one form of a moment in our files. */
export function formatInstant(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** The second that a record tells; null where its year has not four digits, for a record may hold any number. */
export function instantOfSecond(unixSeconds: number | null): string | null {
  const dated = unixSeconds !== null && unixSeconds >= FIRST_SECOND && unixSeconds < END_SECOND;
  return dated ? formatInstant(unixSeconds * 1000) : null;
}

const FIRST_SECOND = Date.parse('0000-01-01T00:00:00Z') / 1000;
const END_SECOND = Date.UTC(10_000, 0) / 1000;

/** Milliseconds since the epoch of an RFC 3339 text, or null. */
export function parseInstant(text: string): number | null {
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}

/** `YYYY-MM-DD` of a Unix timestamp in seconds, in UTC (interface §2 usage totals: daily). */
export function utcDay(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toISOString().slice(0, 10);
}

export const SECONDS_PER_DAY = 86_400;

/** The widest usage window a gateway must serve (interface §8). */
export const MAX_USAGE_WINDOW_S = 31 * SECONDS_PER_DAY;

/** From one moment of a clock to another, to the microsecond: clocks are no finer. Null where one is not known. */
export function millisecondsBetween(from: number | null, to: number | null | undefined): number | null {
  if (from === null || to === null || to === undefined) return null;
  return Math.round(Math.max(0, to - from) * 1000) / 1000;
}
