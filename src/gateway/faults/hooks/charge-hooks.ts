import type { PicoUsd } from '../../../core/amount.ts';

export interface SettledCharge {
  readonly amount: PicoUsd;
  /** Books the same charge once more. */
  chargeAgain(): void;
}

/** Faults of what a paid call is charged. */
export interface ChargeHooks {
  /** After settlement. */
  settled?(charge: SettledCharge): void;
}
