import type { PicoUsd } from '../../core/amount.ts';
import { formatAmount } from '../../core/amount.ts';

export function sum(amounts: readonly PicoUsd[]): PicoUsd {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

/** The sum; null where one of them is not known, for absent is never 0. */
export function sumKnown(amounts: readonly (PicoUsd | null)[]): PicoUsd | null {
  const known = amounts.filter((amount) => amount !== null);
  return known.length < amounts.length ? null : sum(known);
}

/** `$0.0012`, with the sign in front. */
export function signedUsdText(amount: PicoUsd): string {
  return amount < 0n ? `-$${formatAmount(-amount)}` : `$${formatAmount(amount)}`;
}
