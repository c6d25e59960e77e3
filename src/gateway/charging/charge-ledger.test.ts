import * as fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ApiKey } from '../account/account.ts';
import { AccountRegistry } from '../account/account-registry.ts';
import { NO_TOKENS } from '../events/charge-record.ts';
import { InsufficientCredit } from '../http/insufficient-credit.ts';
import { servedRecord } from '../usage/served-record.ts';
import { ChargeLedger, type OpenCharge } from './charge-ledger.ts';
import { RecordStore } from './record-store.ts';
import { recordsBetween } from './records-between.test-support.ts';

const USD = 10n ** 12n;
const BOOK = { pricebook_id: 'pb_test', pricing_version: 'v1' };
const DONE = { usage: NO_TOKENS, result: 'completed', estimated: false } as const;

let store: RecordStore;
let ledger: ChargeLedger;
let registry: AccountRegistry;

beforeEach(() => {
  store = new RecordStore();
  ledger = new ChargeLedger(store, BOOK);
  registry = new AccountRegistry();
});

function keyWith(balance: bigint, key: { limit?: bigint; spent?: bigint } = {}): ApiKey {
  return registry.addKey({ account: registry.addAccount({ balance }).account, ...key }).key;
}

let requests = 0;
function reserve(key: ApiKey, amount: bigint): OpenCharge {
  requests += 1;
  return ledger.reserve({ requestId: `r${requests}`, createdAt: 1000, key, model: 'm', reserve: amount });
}

function refusal(action: () => unknown): number | null {
  try {
    action();
  } catch (error) {
    if (error instanceof InsufficientCredit) return error.status;
    throw error;
  }
  return null;
}

describe('one charge', () => {
  test('reserve holds the estimate back and shows a pending record', () => {
    const key = keyWith(10n * USD);
    const { record } = reserve(key, 3n * USD);
    expect(key.account).toMatchObject({ balance: 10n * USD, reserved: 3n * USD, used: 0n, requests: 1 });
    expect(servedRecord(record)).toMatchObject({
      billing_status: 'pending',
      amount: '0',
      reserved_amount: '3',
      refunded_amount: '0',
      pricebook_id: 'pb_test',
      pricing_version: 'v1',
    });
  });

  test('settle charges the net amount and gives the rest back', () => {
    const key = keyWith(10n * USD);
    const charge = reserve(key, 3n * USD);
    ledger.settle(charge, { amount: 1n * USD, ...DONE });
    expect(key.account).toMatchObject({ balance: 9n * USD, reserved: 0n, used: 1n * USD });
    expect(key.spent).toBe(1n * USD);
    const [stored] = recordsBetween(store, key.fingerprint, 0, 2000);
    expect(stored).toMatchObject({
      status: 'settled',
      amount: 1n * USD,
      reserved: 3n * USD,
      refunded: 2n * USD,
    });
  });

  test('settling above the reserve refunds nothing', () => {
    const key = keyWith(10n * USD);
    const charge = reserve(key, 1n * USD);
    ledger.settle(charge, { amount: 2n * USD, ...DONE });
    expect(charge.record.refunded).toBe(0n);
  });

  test('refund gives everything back', () => {
    const key = keyWith(10n * USD);
    const charge = reserve(key, 3n * USD);
    ledger.refund(charge, 'failed');
    expect(key.account).toMatchObject({ balance: 10n * USD, reserved: 0n, used: 0n });
    expect(charge.record).toMatchObject({
      status: 'refunded',
      amount: 0n,
      refunded: 3n * USD,
      result: 'failed',
    });
  });

  test('a charge ends once', () => {
    const charge = reserve(keyWith(10n * USD), USD);
    ledger.settle(charge, { amount: USD, ...DONE });
    expect(() => ledger.settle(charge, { amount: USD, ...DONE })).toThrow('already ended');
    expect(() => ledger.refund(charge, 'failed')).toThrow('already ended');
  });

  test('booking again adds a second settled record for the same request', () => {
    const key = keyWith(10n * USD);
    const charge = reserve(key, 3n * USD);
    ledger.settle(charge, { amount: USD, ...DONE });
    ledger.book(charge.key, charge.record);
    const records = recordsBetween(store, key.fingerprint, 0, 2000);
    expect(records.map(({ requestId, amount, status }) => ({ requestId, amount, status }))).toEqual([
      { requestId: charge.record.requestId, amount: USD, status: 'settled' },
      { requestId: charge.record.requestId, amount: USD, status: 'settled' },
    ]);
    expect(new Set(records.map(({ id }) => id)).size).toBe(2);
    expect(key.account.balance).toBe(8n * USD);
  });
});

describe('credit', () => {
  test('402 when nothing is left: an empty balance or a spent key', () => {
    expect(refusal(() => reserve(keyWith(0n), USD))).toBe(402);
    expect(refusal(() => reserve(keyWith(-USD), USD))).toBe(402);
    expect(refusal(() => reserve(keyWith(5n * USD, { limit: USD, spent: USD }), USD))).toBe(402);
  });

  test('403 when the estimate does not fit into what is left', () => {
    expect(refusal(() => reserve(keyWith(USD), 2n * USD))).toBe(403);
    expect(refusal(() => reserve(keyWith(5n * USD, { limit: USD }), 2n * USD))).toBe(403);
    expect(refusal(() => reserve(keyWith(USD), USD))).toBeNull();
  });

  test('what other calls hold is not free, for any key of the account', () => {
    const { account } = registry.addAccount({ balance: 3n * USD });
    const first = registry.addKey({ account }).key;
    const second = registry.addKey({ account }).key;
    const held = reserve(first, 2n * USD);
    expect(refusal(() => reserve(second, 2n * USD))).toBe(403);
    ledger.refund(held, 'failed');
    expect(refusal(() => reserve(second, 2n * USD))).toBeNull();
  });
});

test('property: balance, reserve and records agree after any sequence', () => {
  const step = fc.record({
    reserve: fc.bigInt(1n, 5n * USD),
    end: fc.constantFrom('settle', 'refund', 'twice', 'open'),
    share: fc.bigInt(0n, 120n),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const records = new RecordStore();
      const books = new ChargeLedger(records, BOOK);
      const start = 60n * USD;
      const key = keyWith(start);
      for (const [index, { reserve: held, end, share }] of steps.entries()) {
        let charge: OpenCharge;
        try {
          charge = books.reserve({
            requestId: `p${index}`,
            createdAt: index,
            key,
            model: 'm',
            reserve: held,
          });
        } catch (error) {
          expect(error).toBeInstanceOf(InsufficientCredit);
          continue;
        }
        if (end === 'refund') books.refund(charge, 'failed');
        if (end === 'settle' || end === 'twice')
          books.settle(charge, { amount: (held * share) / 100n, ...DONE });
        if (end === 'twice') books.book(charge.key, charge.record);
      }
      const all = recordsBetween(records, key.fingerprint, 0, 1000);
      const sum = (values: readonly bigint[]): bigint => values.reduce((left, right) => left + right, 0n);
      const settled = sum(all.filter(({ status }) => status === 'settled').map(({ amount }) => amount));
      const pending = sum(all.filter(({ status }) => status === 'pending').map(({ reserved }) => reserved));
      expect(key.account.balance).toBe(start - settled);
      expect(key.account.used).toBe(settled);
      expect(key.spent).toBe(settled);
      expect(key.account.reserved).toBe(pending);
      for (const { status, amount, reserved, refunded } of all) {
        if (status === 'settled') expect(refunded).toBe(reserved > amount ? reserved - amount : 0n);
        if (status === 'refunded') expect([amount, refunded]).toEqual([0n, reserved]);
        if (status === 'pending') expect([amount, refunded]).toEqual([0n, 0n]);
      }
    }),
  );
});
