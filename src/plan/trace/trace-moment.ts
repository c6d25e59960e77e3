import { type Decimal, parseNumberText } from '../../core/decimal.ts';

/** How the times of a trace are written. */
export type TimeForm = 'at_us' | 'at_ms' | 'at_s' | 'timestamp';

/**
 * A time of a trace in whole microseconds. `dated` ones count from 1970, so that only their differences matter; the others
 * count from the beginning of the replay.
 */
export interface TraceMoment {
  readonly us: bigint;
  readonly dated: boolean;
}

/** A time without a zone is UTC. */
const INSTANT = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:\.(\d{1,12}))?(?:Z|z|([+-]\d{2}:\d{2}))?$/;

/** A number of a timestamp is an epoch in s from this one on, in ms from the other on; below it is ms from the beginning. */
const EPOCH_SECONDS = 1_000_000_000n;
const EPOCH_MS = 100_000_000_000n;

/** Reads the text of a time; null for what is none or below 0. */
export function traceMoment(form: TimeForm, text: string): TraceMoment | null {
  if (form === 'timestamp' && INSTANT.test(text)) return instant(text);
  const value = parseNumberText(text);
  if (value === null || value.digits < 0n) return null;
  if (form === 'at_s') return relative(value, 1_000_000n);
  if (form === 'at_ms') return relative(value, 1_000n);
  if (form === 'at_us') return relative(value, 1n);
  const whole = value.digits / 10n ** BigInt(value.scale);
  if (whole >= EPOCH_MS) return { us: scaled(value, 1_000n), dated: true };
  if (whole >= EPOCH_SECONDS) return { us: scaled(value, 1_000_000n), dated: true };
  return relative(value, 1_000n);
}

function relative(value: Decimal, factor: bigint): TraceMoment {
  return { us: scaled(value, factor), dated: false };
}

function instant(text: string): TraceMoment | null {
  const [, day, time, fraction = '', zone = 'Z'] = INSTANT.exec(text) ?? [];
  const ms = Date.parse(`${day}T${time}${zone}`);
  if (Number.isNaN(ms)) return null;
  return { us: BigInt(ms) * 1_000n + BigInt(fraction.padEnd(6, '0').slice(0, 6)), dated: true };
}

function scaled(value: Decimal, factor: bigint): bigint {
  return divideHalfUp(value.digits * factor, 10n ** BigInt(value.scale));
}

/** For a dividend of 0 or more. */
export function divideHalfUp(dividend: bigint, divisor: bigint): bigint {
  return (2n * dividend + divisor) / (2n * divisor);
}
