import type { PicoUsd } from '../../core/amount.ts';

export function sum(amounts: readonly PicoUsd[]): PicoUsd {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

/** The sum; null where one of them is not known, for absent is never 0. */
export function sumKnown(amounts: readonly (PicoUsd | null)[]): PicoUsd | null {
  const known = amounts.filter((amount) => amount !== null);
  return known.length < amounts.length ? null : sum(known);
}
