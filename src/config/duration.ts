import * as z from 'zod';

const PARTS = /^(?:(\d{1,4})h)?(?:(\d{1,6})m)?(?:(\d{1,8})(?:\.(\d{1,3}))?s)?(?:(\d{1,9})ms)?$/;
/** The longest duration. */
export const LONGEST_MS = 31 * 86_400_000;
const RULE =
  'must be a duration such as "30s", "2m", "1m30s" or "250ms", in whole milliseconds and at most 31 days';

/** Milliseconds of a text such as `1m30s`, or null. */
export function parseDuration(text: string): number | null {
  const match = PARTS.exec(text);
  if (match === null || text === '') return null;
  const [hours, minutes, seconds, fraction, ms] = match.slice(1).map((part) => part ?? '');
  const total =
    Number(hours) * 3_600_000 +
    Number(minutes) * 60_000 +
    Number(seconds) * 1_000 +
    Number((fraction ?? '').padEnd(3, '0')) +
    Number(ms);
  return total <= LONGEST_MS ? total : null;
}

/** The shortest text that `parseDuration` reads as the same time. */
export function formatDuration(ms: number): string {
  if (ms > 0 && ms % 3_600_000 === 0) return `${ms / 3_600_000}h`;
  if (ms > 0 && ms % 60_000 === 0) return `${ms / 60_000}m`;
  if (ms % 1_000 === 0) return `${ms / 1_000}s`;
  // Nine digits are the most that `parseDuration` takes before \`ms\`.
  if (ms < 1e9) return `${ms}ms`;
  return `${Math.floor(ms / 1_000)}.${String(ms % 1_000).padStart(3, '0')}s`;
}

/** A duration in milliseconds, 0 allowed. */
export const duration = z.string({ error: RULE }).transform((text, context) => {
  const ms = parseDuration(text);
  if (ms !== null) return ms;
  context.addIssue({ code: 'custom', message: RULE });
  return z.NEVER;
});

export const positiveDuration = duration.refine((ms) => ms > 0, { error: 'must be longer than 0' });

/** Milliseconds of a default. */
export function msOf(text: string): number {
  return parseDuration(text) ?? 0;
}
