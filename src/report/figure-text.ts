/** What stands where nothing was measured: never 0. */
export const ABSENT = '–';

/** `$1.234`, `-$0.5`; the digits as they stand. */
export function usd(amount: string | null): string {
  if (amount === null) return ABSENT;
  return amount.startsWith('-') ? `-$${amount.slice(1)}` : `$${amount}`;
}

/** With an explicit sign: `+$0.5`, `-$0.5`, `$0`. */
export function signedUsd(amount: string | null): string {
  const text = usd(amount);
  return amount === null || amount.startsWith('-') || !/[1-9]/.test(amount) ? text : `+${text}`;
}

/** A share as per cent, rounded down, so that `100 %` means all of it. */
export function percent(share: number | null): string {
  if (share === null) return ABSENT;
  if (share > 0 && share < 0.0001) return '<0.01 %';
  // The nudge undoes the representation error of shares such as 0.29.
  return `${Math.floor(share * 10_000 + 1e-7) / 100} %`;
}

/** Milliseconds with about three digits. */
export function ms(value: number | null | undefined): string {
  if (value === null || value === undefined) return ABSENT;
  return value.toFixed(Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0);
}

/** Per second, with two decimals, or three digits of a rate below 0.1. */
export function rate(value: number | null): string {
  if (value === null) return ABSENT;
  return value > 0 && value < 0.1 ? value.toPrecision(2) : value.toFixed(2);
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
