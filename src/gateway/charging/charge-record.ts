import { formatAmount, type PicoUsd } from '../../core/amount.ts';
import type { UsageRecord } from '../../core/interface.ts';
import type { TokenUsage } from './token-usage.ts';

export type CallResult = 'completed' | 'failed' | 'incomplete' | 'cancelled' | 'unknown';
export type BillingStatus = 'pending' | 'settled' | 'refunded' | 'unknown';

/** One line of the gateway's books. */
export interface ChargeRecord {
  readonly id: string;
  readonly requestId: string;
  /** Unix seconds of acceptance; the windows of usage reads go by it. */
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
}

/** The record as interface §2 gives it. */
export function servedRecord(record: ChargeRecord): UsageRecord {
  return {
    usage_estimated: record.estimated,
    id: record.id,
    request_id: record.requestId,
    created_at: record.createdAt,
    model: record.model,
    result: record.result,
    billing_status: record.status,
    amount: formatAmount(record.amount),
    reserved_amount: formatAmount(record.reserved),
    refunded_amount: formatAmount(record.refunded),
    input_tokens: record.usage.input,
    output_tokens: record.usage.output,
    cache_read_tokens: record.usage.cacheRead,
    cache_write_tokens: record.usage.cacheWrite,
    pricebook_id: record.pricebookId,
    pricing_version: record.pricingVersion,
  };
}
