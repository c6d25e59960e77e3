import type { PicoUsd } from '../../core/amount.ts';
import type { ChargeRecord } from '../events/charge-record.ts';

/** What a record does to the credit: held back, or spent for good. */
export interface CreditEffect {
  readonly held: PicoUsd;
  readonly spent: PicoUsd;
}

type Figures = Pick<ChargeRecord, 'status' | 'amount' | 'reserved' | 'refunded'>;

export function creditEffect({ status, amount, reserved, refunded }: Figures): CreditEffect {
  switch (status) {
    case 'settled':
      return { held: 0n, spent: amount };
    case 'refunded':
      return { held: 0n, spent: reserved - refunded };
    case 'pending':
    case 'unknown':
      return { held: reserved, spent: 0n };
  }
}

/** What a record costs the customer: its amount, what a refund kept, and what is still held back. */
export function costOf(record: Figures): PicoUsd {
  const { held, spent } = creditEffect(record);
  return held + spent;
}
