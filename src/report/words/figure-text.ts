import { addDecimal, formatDecimal, normalise, parseDecimal, ZERO } from '../../core/decimal.ts';

/** What stands where nothing was measured: never 0. */
export const ABSENT = '–';

/** `$1.234`, `-$0.5`; the digits as they stand. */
export function usd(amount: string | null): string {
  if (amount === null) return ABSENT;
  return amount.startsWith('-') ? `-$${amount.slice(1)}` : `$${amount}`;
}

/** `$1 to $2`, `at least $1`. */
export function usdBounds(lo: string | null, hi: string | null): string {
  if (lo === null) return ABSENT;
  return hi === null ? `at least ${usd(lo)}` : `${usd(lo)} to ${usd(hi)}`;
}

/** With an explicit sign: `+$0.5`, `-$0.5`, `$0`. */
export function signedUsd(amount: string | null): string {
  const text = usd(amount);
  return amount === null || amount.startsWith('-') || !/[1-9]/.test(amount) ? text : `+${text}`;
}

/**
 * An amount that nobody pays, such as a mean, to the digits that say something: four of them, and no less than whole cents.
 * To the nearest, halves away from 0; `up` never says less than the amount. The exact one belongs beside it.
 */
export function usdAbout(amount: string | null, up = false): string {
  const [, sign = '', whole = '', decimals = ''] = /^(-?)(\d+)\.(\d+)$/.exec(amount ?? '') ?? [];
  if (amount === null || whole === '') return usd(amount);
  const zeros = /^0+$/.test(whole) ? (/^0*/.exec(decimals)?.[0].length ?? 0) : -whole.length;
  const kept = Math.max(2, zeros + 4);
  if (decimals.length <= kept) return usd(amount);
  const rest = decimals.slice(kept);
  const isMore = up ? /[1-9]/.test(rest) && sign === '' : /^[5-9]/.test(rest);
  const units = (BigInt(whole + decimals.slice(0, kept)) + (isMore ? 1n : 0n))
    .toString()
    .padStart(kept + 1, '0');
  return usd(`${sign}${units.slice(0, -kept)}.${units.slice(-kept)}`.replace(/\.?0+$/, ''));
}

/** To the second, UTC: result.json has it whole. */
export function periodText({ start, end }: { readonly start: string; readonly end: string }): string {
  return `${toSecond(start)} to ${toSecond(end)}`;
}

function toSecond(instant: string): string {
  return instant.replace(/\.\d+Z$/, 'Z');
}

/** A share as per cent, to the nearest of two decimals; only all of it is `100 %`. */
export function percent(share: number | null): string {
  if (share === null) return ABSENT;
  return hundredths(share, Math.round(share * 10_000));
}

/** Shares that sum to 1, as per cent of which the decimals sum to 100: what rounding down leaves goes to the largest rests. */
export function percents(shares: readonly (number | null)[]): readonly string[] {
  const exact = shares.map((share) => (share ?? 0) * 10_000);
  // The nudge undoes the representation error of shares such as 0.29.
  const floors = exact.map((value) => Math.floor(value + 1e-4));
  let left = 10_000 - floors.reduce((sum, value) => sum + value, 0);
  const byRest = exact.map((value, index) => ({ index, rest: value - (floors[index] ?? 0) }));
  for (const { index, rest } of byRest.toSorted((a, b) => b.rest - a.rest)) {
    if (left <= 0 || rest <= 1e-4) break;
    floors[index] = (floors[index] ?? 0) + 1;
    left -= 1;
  }
  return shares.map((share, index) => (share === null ? ABSENT : hundredths(share, floors[index] ?? 0)));
}

function hundredths(share: number, units: number): string {
  if (share > 0 && units < 1) return '<0.01 %';
  return `${(share < 1 ? Math.min(units, 9_999) : units) / 100} %`;
}

/** Milliseconds with about three digits. */
export function ms(value: number | null | undefined): string {
  if (value === null || value === undefined) return ABSENT;
  return value.toFixed(Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0);
}

/** A share or rate as it was measured, to six digits: the rest is no figure. */
export function figure(value: number | null): string {
  return value === null ? ABSENT : String(Number(value.toPrecision(6)));
}

/** Per second, with two decimals, or three digits of a rate below 0.1. */
export function rateText(value: number | null): string {
  if (value === null) return ABSENT;
  return value > 0 && value < 0.1 ? value.toPrecision(2) : value.toFixed(2);
}

/** Adds USD amounts as decimal strings; null where one of them is not known. */
export function sumText(amounts: readonly (string | null)[]): string | null {
  let sum = ZERO;
  for (const amount of amounts) {
    const value = amount === null ? null : parseDecimal(amount);
    if (value === null) return null;
    sum = addDecimal(sum, value);
  }
  return formatDecimal(normalise(sum));
}
