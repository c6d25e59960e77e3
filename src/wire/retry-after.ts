/** Seconds to wait by a `Retry-After` header: a number, or a date read against the answer's own `Date`; else null. */
export function retryAfterSeconds(
  retryAfter: string | null,
  date: string | null,
  nowMs: number,
): number | null {
  if (retryAfter === null) return null;
  const text = retryAfter.trim();
  if (/^\d{1,9}(\.\d{1,9})?$/.test(text)) return Number(text);
  const until = Date.parse(text);
  if (Number.isNaN(until)) return null;
  const served = date === null ? Number.NaN : Date.parse(date);
  return Math.max(0, (until - (Number.isNaN(served) ? nowMs : served)) / 1000);
}
