import type { PicoUsd } from '../../core/amount.ts';
import type { TokenUsage } from './token-usage.ts';

export type CallResult = 'completed' | 'failed' | 'incomplete' | 'cancelled' | 'unknown';
export type BillingStatus = 'pending' | 'settled' | 'refunded' | 'unknown';

/** One line of the gateway's books. */
export interface ChargeRecord {
  readonly id: string;
  readonly requestId: string;
  /** Unix seconds of acceptance, or of its end where the readings say so; windows of usage reads go by it. */
  readonly createdAt: number;
  readonly keyFingerprint: string;
  readonly model: string;
  readonly result: CallResult;
  readonly status: BillingStatus;
  readonly amount: PicoUsd;
  readonly reserved: PicoUsd;
  readonly refunded: PicoUsd;
  readonly usage: TokenUsage;
  readonly estimated: boolean;
  readonly pricebookId: string;
  readonly pricingVersion: string;
  /** The receipts of the credits that paid the amount, oldest first. */
  readonly receipts: readonly string[];
}
