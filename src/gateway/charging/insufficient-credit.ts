import type { PicoUsd } from '../../core/amount.ts';

/** A call that credit does not cover. */
export class InsufficientCredit extends Error {
  override readonly name = 'InsufficientCredit';
  /** 402: nothing is left at all; 403: the estimate does not fit into what is left (interface §7). */
  readonly status: 402 | 403;
  readonly balance: PicoUsd;
  readonly needed: PicoUsd;

  constructor(status: 402 | 403, balance: PicoUsd, needed: PicoUsd) {
    super(`credit does not cover the call (${status})`);
    this.status = status;
    this.balance = balance;
    this.needed = needed;
  }
}
