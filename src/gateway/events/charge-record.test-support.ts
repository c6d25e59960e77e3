import { type ChargeRecord, NO_TOKENS } from './charge-record.ts';

/** A settled record of 0.01 USD with what a test says otherwise. */
export function chargeRecord(over: Partial<ChargeRecord> & { readonly id: string }): ChargeRecord {
  return {
    requestId: `req-${over.id}`,
    createdAt: 1000,
    keyFingerprint: 'key',
    model: 'm',
    result: 'completed',
    status: 'settled',
    amount: 10n ** 10n,
    reserved: 10n ** 10n,
    refunded: 0n,
    usage: NO_TOKENS,
    estimated: false,
    pricebookId: 'pb',
    pricingVersion: 'v',
    receipts: [],
    ...over,
  };
}
