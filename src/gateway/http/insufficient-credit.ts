import type { PicoUsd } from '../../core/amount.ts';

/** A call that credit does not cover. */
export class InsufficientCredit extends Error {
  override readonly name = 'InsufficientCredit';
  /** 402: nothing is left at all; 403: the estimate does not fit into what is left (interface §7). */
  readonly status: 402 | 403;
  readonly balance: PicoUsd;
  /** Under the key's own limit; null: it has none. */
  readonly left: PicoUsd | null;
  readonly needed: PicoUsd;

  constructor(
    status: 402 | 403,
    { balance, left, needed }: Pick<InsufficientCredit, 'balance' | 'left' | 'needed'>,
  ) {
    super(`credit does not cover the call (${status})`);
    this.status = status;
    this.balance = balance;
    this.left = left;
    this.needed = needed;
  }
}
