import type { TimeOfDay } from '../../contracts/price-book.ts';
import { parseInstant } from '../../core/time.ts';

const DAY_S = 86_400;

export interface Validity {
  readonly valid_from: string | null;
  readonly valid_to: string | null;
}

/** Whether a price holds at a moment (Unix seconds); from its start (inside) until its end (outside). */
export function isInForce({ valid_from, valid_to }: Validity, atS: number): boolean {
  return (
    (valid_from === null || atS >= instantSeconds(valid_from)) &&
    (valid_to === null || atS < instantSeconds(valid_to))
  );
}

/** Whether a moment lies in a stretch of the UTC day; one that begins no earlier than it ends wraps midnight. */
export function isAtTimeOfDay(range: TimeOfDay | null, atS: number): boolean {
  const [from, to] = dayBounds(range);
  if (from === undefined || to === undefined) return true;
  const time = ((atS % DAY_S) + DAY_S) % DAY_S;
  return from < to ? time >= from && time < to : time >= from || time < to;
}

/** Unix seconds of an RFC 3339 text that the book reader has validated. */
export function instantSeconds(text: string): number {
  const ms = parseInstant(text);
  if (ms === null) throw new RangeError(`price book: expected RFC 3339, found ${JSON.stringify(text)}`);
  return ms / 1000;
}

/** Both ends in seconds since midnight; empty for the whole day. */
export function dayBounds(range: TimeOfDay | null): readonly number[] {
  return range === null ? [] : [secondsOfDay(range.from), secondsOfDay(range.to)];
}

function secondsOfDay(text: string): number {
  const [hours, minutes, seconds] = text.split(':').map(Number);
  return ((hours ?? 0) * 60 + (minutes ?? 0)) * 60 + (seconds ?? 0);
}
