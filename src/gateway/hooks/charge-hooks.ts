import type { PicoUsd } from '../../core/amount.ts';
import type { CallBooks } from '../charging/call-books.ts';

interface SettledCharge {
  readonly amount: PicoUsd;
}

/** Faults of what a paid call is charged. */
export interface ChargeHooks {
  /** Milliseconds for which the settlement is held back; null settles at once. */
  settleAfter?(): number | null;
  /** After settlement. */
  settled?(charge: SettledCharge): void;
  /**
   * After the end of the call was rightly booked, settled or refunded: what is put wrong in the books then. Not asked
   * once another fault has taken the record away.
   */
  booked?(books: CallBooks): void;
  /** When the call is over, settled or not, before its journal line is written. */
  ended?(): void;
}
