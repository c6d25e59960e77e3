import type { PicoUsd } from '../../core/amount.ts';
import type { ApiKey } from '../account/account.ts';
import type { CallResult, ChargeRecord } from './charge-record.ts';
import { InsufficientCredit } from './insufficient-credit.ts';
import type { RecordStore } from './record-store.ts';
import { NO_TOKENS, type TokenUsage } from './token-usage.ts';

export interface NewCharge {
  readonly requestId: string;
  readonly createdAt: number;
  readonly key: ApiKey;
  readonly model: string;
  readonly reserve: PicoUsd;
}

export interface Settlement {
  readonly amount: PicoUsd;
  readonly usage: TokenUsage;
  readonly result: CallResult;
  readonly estimated: boolean;
}

/** A charge between reserve and its one end, settled or refunded. */
export interface OpenCharge {
  readonly key: ApiKey;
  record: ChargeRecord;
}

/** The only writer of balances and records: reserve, then settle or refund, each once. */
export class ChargeLedger {
  readonly #records: RecordStore;
  readonly #book: { readonly pricebook_id: string; readonly pricing_version: string };
  #lastId = 0;

  constructor(
    records: RecordStore,
    book: { readonly pricebook_id: string; readonly pricing_version: string },
  ) {
    this.#records = records;
    this.#book = book;
  }

  /** Holds the estimate back and opens a pending record; throws InsufficientCredit. */
  reserve({ requestId, createdAt, key, model, reserve }: NewCharge): OpenCharge {
    requireCredit(key, reserve);
    key.reserved += reserve;
    key.account.reserved += reserve;
    key.account.requests += 1;
    const record: ChargeRecord = {
      id: this.#nextId(),
      requestId,
      createdAt,
      keyFingerprint: key.fingerprint,
      model,
      result: 'unknown',
      status: 'pending',
      amount: 0n,
      reserved: reserve,
      refunded: 0n,
      usage: NO_TOKENS,
      estimated: false,
      pricebookId: this.#book.pricebook_id,
      pricingVersion: this.#book.pricing_version,
    };
    this.#records.add(record);
    return { key, record };
  }

  /** `amount` is the net charge; what was held beyond it is given back. */
  settle(charge: OpenCharge, { amount, usage, result, estimated }: Settlement): void {
    const excess = charge.record.reserved - amount;
    this.#close(charge, {
      status: 'settled',
      amount,
      refunded: excess > 0n ? excess : 0n,
      usage,
      result,
      estimated,
    });
    spend(charge.key, amount);
  }

  /** Gives everything back that was held. */
  refund(charge: OpenCharge, result: CallResult): void {
    const { reserved } = charge.record;
    this.#close(charge, {
      status: 'refunded',
      amount: 0n,
      refunded: reserved,
      usage: NO_TOKENS,
      result,
      estimated: false,
    });
  }

  /** Books a settled charge once more: only a fault does that. */
  chargeAgain(charge: OpenCharge): void {
    this.#records.add({ ...charge.record, id: this.#nextId() });
    spend(charge.key, charge.record.amount);
  }

  #close(charge: OpenCharge, end: Omit<Partial<ChargeRecord>, 'id'>): void {
    if (charge.record.status !== 'pending') throw new Error(`charge ${charge.record.id} has already ended`);
    charge.key.reserved -= charge.record.reserved;
    charge.key.account.reserved -= charge.record.reserved;
    charge.record = { ...charge.record, ...end };
    this.#records.replace(charge.record);
  }

  #nextId(): string {
    this.#lastId += 1;
    return `rec_${this.#lastId.toString().padStart(12, '0')}`;
  }
}

function requireCredit(key: ApiKey, needed: PicoUsd): void {
  const balance = key.account.balance - key.account.reserved;
  const left = key.limit === null ? balance : key.limit - key.spent - key.reserved;
  if (balance <= 0n || left <= 0n) throw new InsufficientCredit(402, balance, needed);
  if (needed > balance || needed > left) throw new InsufficientCredit(403, balance, needed);
}

function spend(key: ApiKey, amount: PicoUsd): void {
  key.spent += amount;
  key.account.balance -= amount;
  key.account.used += amount;
}
