import { WeighbridgeError } from '../../contracts/failure.ts';

/** A zone of the days of a bill. */
export interface BillZone {
  /** `UTC`, `+05:30`, or the name of a region. */
  readonly name: string;
  /** The second UTC at which the clocks of the zone show what `second` shows in UTC. */
  readonly utc: (second: number) => number;
}

const MINUTE_S = 60;
const OFFSET = /^(?:UTC)?([+-])(\d{2}):?(\d{2})$/;

export const UTC: BillZone = fixedZone(0);

/** Quarter and half hours are kept by these alone. */
const ODD_MINUTES = [-570, -210, -150, 210, 270, 330, 345, 390, 525, 570, 630, 765];

/** Every offset that some clock shows, UTC first, then the nearest to it. */
export const ZONES: readonly BillZone[] = [
  ...Array.from({ length: 27 }, (_, hour) => (hour - 12) * 60),
  ...ODD_MINUTES,
]
  .toSorted((left, right) => Math.abs(left) - Math.abs(right) || right - left)
  .map(fixedZone);

/** `UTC`, `+08:00` or `Europe/Berlin`. Throws `bill_zone_unknown` (exit 2). */
export function billZone(name: string): BillZone {
  if (/^(UTC|Z)$/i.test(name)) return UTC;
  const [, sign, hours, minutes] = OFFSET.exec(name) ?? [];
  const offset = Number(hours) * 60 + Number(minutes);
  if (hours !== undefined && offset <= 14 * 60 && Number(minutes) < 60)
    return fixedZone(sign === '-' ? -offset : offset);
  const clock = hours === undefined ? clockOf(name) : null;
  if (clock !== null) return { name, utc: regionalUtc(clock) };
  throw new WeighbridgeError({
    code: 'bill_zone_unknown',
    message: `expected a zone such as UTC, +08:00 or Europe/Berlin, found ${JSON.stringify(name.slice(0, 60))}`,
    hint: 'leave it out to have it told by the sums',
  });
}

function fixedZone(minutes: number): BillZone {
  const size = Math.abs(minutes);
  const digits = [Math.floor(size / 60), size % 60].map((part) => String(part).padStart(2, '0')).join(':');
  return {
    name: minutes === 0 ? 'UTC' : `${minutes < 0 ? '-' : '+'}${digits}`,
    utc: (second) => second - minutes * MINUTE_S,
  };
}

function clockOf(name: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: name, timeZoneName: 'longOffset' });
  } catch {
    return null;
  }
}

function regionalUtc(clock: Intl.DateTimeFormat): BillZone['utc'] {
  const known = new Map<number, number>();
  return (second) => {
    const before = known.get(second);
    if (before !== undefined) return before;
    const guess = second - offsetAt(clock, second);
    // Once more, as the clocks may have changed between the two.
    const utc = second - offsetAt(clock, guess);
    known.set(second, utc);
    return utc;
  };
}

/** Seconds by which the clock is ahead of UTC. */
function offsetAt(clock: Intl.DateTimeFormat, second: number): number {
  const name = clock.formatToParts(second * 1000).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
  const [, sign = '+', hours = '0', minutes = '0'] = /^GMT([+-])(\d{2}):(\d{2})$/.exec(name) ?? [];
  const size = (Number(hours) * 60 + Number(minutes)) * MINUTE_S;
  return sign === '-' ? -size : size;
}
