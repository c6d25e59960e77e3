import type { PicoUsd } from '../../core/amount.ts';
import type { BillingStatus } from '../events/charge-record.ts';

/** What of a record its sums go by. */
export interface SummedFigures {
  readonly status: BillingStatus;
  readonly amount: PicoUsd;
  readonly reserved: PicoUsd;
  readonly refunded: PicoUsd;
}

/** The five figures of usage totals (interface §2), kept while records come and change. */
export class RecordSums {
  settled: PicoUsd = 0n;
  pending: PicoUsd = 0n;
  refunded: PicoUsd = 0n;
  records = 0;
  unknown = 0;

  add({ status, amount, reserved, refunded }: SummedFigures): void {
    this.records += 1;
    // Most figures of most records are zero, and an addition of bigints allocates.
    if (refunded !== 0n) this.refunded += refunded;
    if (status === 'settled') this.settled += amount;
    if (status === 'pending') this.pending += reserved;
    if (status === 'unknown') this.unknown += 1;
  }

  subtract({ status, amount, reserved, refunded }: SummedFigures): void {
    this.records -= 1;
    if (refunded !== 0n) this.refunded -= refunded;
    if (status === 'settled') this.settled -= amount;
    if (status === 'pending') this.pending -= reserved;
    if (status === 'unknown') this.unknown -= 1;
  }

  addSums(sums: RecordSums): void {
    this.settled += sums.settled;
    this.pending += sums.pending;
    this.refunded += sums.refunded;
    this.records += sums.records;
    this.unknown += sums.unknown;
  }
}
