import type { PicoUsd } from '../../core/amount.ts';
import type { ApiKey } from '../account/account.ts';
import type { BooksLog, ChargeEvent, HoldEvent } from '../events/books-event.ts';
import { type CallResult, type ChargeRecord, NO_TOKENS, type TokenUsage } from '../events/charge-record.ts';
import { InsufficientCredit } from '../http/insufficient-credit.ts';
import { type CreditEffect, creditEffect, difference, NO_EFFECT, requireFitting } from './credit-effect.ts';
import { requireStorable } from './record-columns.ts';
import { numberOfRecordId, recordId } from './record-id.ts';
import type { RecordStore } from './record-store.ts';

export interface NewCharge {
  readonly requestId: string;
  readonly createdAt: number;
  readonly key: ApiKey;
  readonly model: string;
  readonly reserve: PicoUsd;
  /** The price book by which it is charged; that of the ledger unless given. */
  readonly book?: BookIdentity;
  /** What it adds to the requests of the account: 1 unless given. */
  readonly requests?: number;
}

/** Names one version of the price book. */
export interface BookIdentity {
  readonly pricebook_id: string;
  readonly pricing_version: string;
}

export interface Settlement {
  readonly amount: PicoUsd;
  readonly usage: TokenUsage;
  readonly result: CallResult;
  readonly estimated: boolean;
  /** Unix seconds to which the record moves; where it was unless given. */
  readonly createdAt?: number;
  /** The price book by which it was charged; that of the reserve unless given. */
  readonly book?: BookIdentity;
  /** What it adds to the requests of the account: 0 unless given. */
  readonly requests?: number;
}

/** What of a record a fault may say otherwise. */
export type RecordChange = Partial<Omit<ChargeRecord, 'id' | 'keyFingerprint'>>;

/** A record that a fault books; its id and the receipts that pay for it come from the ledger. */
export type NewRecord = Omit<ChargeRecord, 'id' | 'keyFingerprint' | 'receipts'>;

/** A charge between reserve and its one end, settled or refunded. */
export interface OpenCharge {
  readonly key: ApiKey;
  /** As it was last booked, under whatever key. */
  record: ChargeRecord;
}

/** Whether the record of the charge stands in the bill of its key: it may be withdrawn, or filed under another. */
export function hasRecord({ key, record }: OpenCharge): boolean {
  return record.keyFingerprint === key.fingerprint;
}

/** Stands in the place of a key's fingerprint while a record is withdrawn: no key has it. */
const NOBODY = 'withdrawn';

/** A record as it is from now on. */
interface Entry {
  readonly isNew: boolean;
  readonly record: ChargeRecord;
}

/**
 * The only writer of balances and records: reserve, then settle or refund, each once.
 * Every change is on the log before it is made, and a replay makes it by the same code.
 */
export class ChargeLedger {
  readonly #records: RecordStore;
  readonly #book: BookIdentity;
  readonly #log: BooksLog | null;
  #lastId = 0;

  /** Without a log the books live in memory only. */
  constructor(records: RecordStore, book: BookIdentity, log: BooksLog | null = null) {
    this.#records = records;
    this.#book = book;
    this.#log = log;
  }

  /** Holds the estimate back and opens a pending record; throws InsufficientCredit. */
  reserve({
    requestId,
    createdAt,
    key,
    model,
    reserve,
    book = this.#book,
    requests = 1,
  }: NewCharge): OpenCharge {
    requireCredit(key, reserve);
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
      pricebookId: book.pricebook_id,
      pricingVersion: book.pricing_version,
      receipts: [],
    };
    this.#commit(key, { isNew: true, record }, creditEffect(record), requests);
    return { key, record };
  }

  /** `amount` is the net charge; what was held beyond it is given back. */
  settle(
    charge: OpenCharge,
    { amount, usage, result, estimated, createdAt, book, requests = 0 }: Settlement,
  ): void {
    const { record } = charge;
    const excess = record.reserved - amount;
    this.#close(
      charge,
      {
        ...record,
        status: 'settled',
        amount,
        refunded: excess > 0n ? excess : 0n,
        usage,
        result,
        estimated,
        createdAt: createdAt ?? record.createdAt,
        pricebookId: book?.pricebook_id ?? record.pricebookId,
        pricingVersion: book?.pricing_version ?? record.pricingVersion,
      },
      requests,
    );
  }

  /** Gives everything back that was held. `createdAt` as in a settlement. */
  refund(charge: OpenCharge, result: CallResult, createdAt = charge.record.createdAt): void {
    const { record } = charge;
    this.#close(charge, {
      ...record,
      status: 'refunded',
      amount: 0n,
      refunded: record.reserved,
      usage: NO_TOKENS,
      result,
      estimated: false,
      createdAt,
    });
  }

  /**
   * Puts another state in the place of an ended record, and the money with it: only a fault does that.
   * Throws Error, as the two below, where the key has no such record any more.
   */
  amend(charge: OpenCharge, change: RecordChange): void {
    requireRecord(charge);
    this.#put(charge, { ...charge.record, ...change });
  }

  /** Books a further record; `free`: it shows, and no credit is taken. A fault does that, and a refusal that is kept. */
  book(key: ApiKey, content: NewRecord, free = false): ChargeRecord {
    const record = { ...content, id: this.#nextId(), keyFingerprint: key.fingerprint, receipts: [] };
    return this.#commit(key, { isNew: true, record }, free ? NO_EFFECT : creditEffect(record));
  }

  /** Takes a record and its charge out of the books until it is restored: only a fault does that. */
  withdraw(charge: OpenCharge): void {
    requireRecord(charge);
    this.#file(charge, NOBODY, difference(NO_EFFECT, creditEffect(charge.record)));
  }

  /** Throws Error where the record is not withdrawn. */
  restore(charge: OpenCharge): void {
    const { id, keyFingerprint } = charge.record;
    if (keyFingerprint !== NOBODY) throw new Error(`record ${id} is not withdrawn`);
    this.#file(charge, charge.key.fingerprint, creditEffect(charge.record));
  }

  /** Files a record under another key; the credit stays taken. Only a fault does that. */
  misfile(charge: OpenCharge, fingerprint: string): void {
    requireRecord(charge);
    this.#file(charge, fingerprint, NO_EFFECT);
  }

  /** Holds credit back of which no record tells: only a fault does that. */
  leak(key: ApiKey, amount: PicoUsd): void {
    const event: HoldEvent = { type: 'hold', key: key.ordinal, held: amount };
    this.#log?.append(event);
    move(key, { held: amount, spent: 0n });
  }

  /** Makes a change again that is on the log already; throws RangeError when it does not fit what is there. */
  replay(key: ApiKey, event: ChargeEvent | HoldEvent): void {
    if (event.type === 'hold') {
      if (event.held < 0n) throw new RangeError(`credit of ${event.held} is held back`);
      move(key, { held: event.held, spent: 0n });
      return;
    }
    const { record } = event;
    requireFitting(this.#records.find(record.id), event);
    this.#lastId = Math.max(this.#lastId, numberOfRecordId(record.id) || 0);
    this.#enter(key, event);
  }

  #close(charge: OpenCharge, after: ChargeRecord, requests = 0): void {
    if (charge.record.status !== 'pending') throw new Error(`charge ${charge.record.id} has already ended`);
    this.#put(charge, after, requests);
  }

  #file(charge: OpenCharge, keyFingerprint: string, effect: CreditEffect): void {
    const record = { ...charge.record, keyFingerprint };
    charge.record = this.#commit(charge.key, { isNew: false, record }, effect);
  }

  #put(charge: OpenCharge, after: ChargeRecord, requests = 0): void {
    const effect = difference(creditEffect(after), creditEffect(charge.record));
    charge.record = this.#commit(charge.key, { isNew: false, record: after }, effect, requests);
  }

  /** The record as it was booked, with the receipts of the credits that paid for it. */
  #commit(key: ApiKey, { isNew, record }: Entry, { held, spent }: CreditEffect, requests = 0): ChargeRecord {
    requireStorable(record);
    const paidBy = key.account.credits.receiptsFor(spent);
    const receipts = paidBy.length === 0 ? record.receipts : [...new Set([...record.receipts, ...paidBy])];
    const booked = receipts === record.receipts ? record : { ...record, receipts };
    const type = 'charge';
    const event: ChargeEvent = { type, key: key.ordinal, isNew, record: booked, held, spent, requests };
    this.#log?.append(event);
    this.#enter(key, event);
    return booked;
  }

  #enter(key: ApiKey, { isNew, record, held, spent, requests }: ChargeEvent): void {
    if (isNew) this.#records.add(record);
    else this.#records.replace(record);
    key.account.requests += requests;
    move(key, { held, spent });
  }

  #nextId(): string {
    this.#lastId += 1;
    return recordId(this.#lastId);
  }
}

function requireCredit(key: ApiKey, needed: PicoUsd): void {
  const balance = key.account.balance - key.account.reserved;
  const left = key.limit === null ? null : key.limit - key.spent - key.reserved;
  const least = left !== null && left < balance ? left : balance;
  if (needed <= least && least > 0n) return;
  throw new InsufficientCredit(least <= 0n ? 402 : 403, { balance, left, needed });
}

function requireRecord(charge: OpenCharge): void {
  if (!hasRecord(charge)) throw new Error(`record ${charge.record.id} no longer stands with its key`);
}

function move(key: ApiKey, { held, spent }: CreditEffect): void {
  const { account } = key;
  if (held !== 0n) {
    key.reserved += held;
    account.reserved += held;
  }
  if (spent !== 0n) {
    key.spent += spent;
    account.used += spent;
    account.balance -= spent;
    account.credits.draw(spent);
  }
}
