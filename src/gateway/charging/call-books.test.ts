import { beforeEach, expect, test } from 'vitest';
import type { ApiKey } from '../account/account.ts';
import { AccountRegistry } from '../account/account-registry.ts';
import { type ChargeRecord, NO_TOKENS } from '../events/charge-record.ts';
import { CATALOGUE } from '../models/catalogue.ts';
import { OWN_ROUNDING } from '../prices/rounding-rule.ts';
import { PriceHistory } from '../pricing/price-history.ts';
import { ServedForms } from '../readings/served-forms.ts';
import { systemClock } from '../time/clock.ts';
import { TimerWheel } from '../time/timer-wheel.ts';
import { CallBooks } from './call-books.ts';
import { ChargeLedger, type OpenCharge } from './charge-ledger.ts';
import { LateSettlements } from './late-settlements.ts';
import { RecordStore } from './record-store.ts';
import { recordsBetween } from './records-between.test-support.ts';

const USD = 10n ** 12n;
const HOUR_MS = 3_600_000;
const DONE = { usage: NO_TOKENS, result: 'completed', estimated: false } as const;

let records: RecordStore;
let ledger: ChargeLedger;
let late: LateSettlements;
let wheel: TimerWheel;
let key: ApiKey;

beforeEach(() => {
  const registry = new AccountRegistry();
  const clock = systemClock();
  records = new RecordStore();
  ledger = new ChargeLedger(records, { pricebook_id: 'pb', pricing_version: 'v' });
  wheel = new TimerWheel(clock);
  late = new LateSettlements(clock, wheel);
  const { account } = registry.addAccount({ balance: 10n * USD });
  key = registry.addKey({ account }).key;
  return () => wheel.close();
});

function reserve(amount: bigint): OpenCharge {
  return ledger.reserve({ requestId: 'r1', createdAt: 1000, key, model: 'm', reserve: amount });
}

function booksOf(charge: OpenCharge): CallBooks {
  const prices = new PriceHistory(CATALOGUE);
  const parts = { ledger, late, records, prices, forms: new ServedForms(), rounding: OWN_ROUNDING };
  return new CallBooks(parts, charge, null, NO_TOKENS);
}

const listed = () =>
  recordsBetween(records, key.fingerprint, 0, 2000).map(({ status, amount }) => [status, amount]);

test('what still waits when the gateway stops is done then', () => {
  const refunded = reserve(2n * USD);
  ledger.refund(refunded, 'failed');
  const first = booksOf(refunded);
  first.amend({ status: 'settled', amount: 2n * USD, refunded: 0n });
  const told: (bigint | null)[] = [];
  const giveBack = () => ({ status: 'refunded', amount: 0n, refunded: 2n * USD }) as const;
  first.later(HOUR_MS, giveBack, (change) => told.push(change));
  const settled = reserve(USD);
  ledger.settle(settled, { amount: USD, ...DONE });
  booksOf(settled).withdrawFor(HOUR_MS);
  expect(listed()).toEqual([['settled', 2n * USD]]);
  expect(key.account).toMatchObject({ balance: 8n * USD, used: 2n * USD, reserved: 0n });

  late.settleAll();
  expect(listed()).toEqual([
    ['refunded', 0n],
    ['settled', USD],
  ]);
  expect(key.account).toMatchObject({ balance: 9n * USD, used: USD, reserved: 0n });
  expect(told).toEqual([-2n * USD]);
  expect(first.ownCost).toBe(0n);
});

test('what comes late goes by the record as it stands then, the sooner due first', () => {
  const charge = reserve(3n * USD);
  ledger.settle(charge, { amount: USD, ...DONE });
  const books = booksOf(charge);
  const told: (bigint | null)[] = [];
  const doubled = ({ amount }: ChargeRecord) => ({ amount: amount * 2n });
  books.later(2 * HOUR_MS, doubled, (change) => told.push(change));
  books.later(
    HOUR_MS,
    ({ amount }) => ({ amount: amount + USD }),
    (change) => told.push(change),
  );
  books.later(
    3 * HOUR_MS,
    () => 'gone',
    (change) => told.push(change),
  );
  books.later(4 * HOUR_MS, doubled, (change) => told.push(change));
  books.amend({ amount: 3n * USD });
  expect(books.ownCost).toBe(0n);
  late.settleAll();
  expect(told).toEqual([USD, 4n * USD, -8n * USD, null]);
  expect(listed()).toEqual([]);
  expect(key.account).toMatchObject({ balance: 10n * USD, used: 0n, reserved: 0n });
});

test.each<[string, (books: CallBooks) => unknown]>([
  ['withdrawn', (books) => books.withdraw()],
  ['filed under another key', (books) => books.misfile('0'.repeat(16))],
])('a record that was %s is not there to be changed', (_how, take) => {
  const charge = reserve(3n * USD);
  ledger.settle(charge, { amount: USD, ...DONE });
  const books = booksOf(charge);
  take(books);
  const { balance } = key.account;
  expect(books.hasRecord).toBe(false);
  expect(books.ownCost).toBe(0n);
  expect(() => books.amend({ amount: 2n * USD })).toThrow('no longer stands with its key');
  expect(() => books.withdraw()).toThrow('no longer stands with its key');
  expect(() => books.withdrawFor(1)).toThrow('no longer stands with its key');
  expect(() => books.misfile('1'.repeat(16))).toThrow('no longer stands with its key');
  expect(listed()).toEqual([]);
  expect(key.account).toMatchObject({ balance, reserved: 0n });
});

test('a call comes to what all its records cost, what is to come included', () => {
  const charge = reserve(3n * USD);
  ledger.settle(charge, { amount: USD, ...DONE });
  const books = booksOf(charge);
  expect(books.ownCost).toBe(USD);
  expect(books.amend({ amount: 2n * USD, refunded: USD })).toBe(USD);
  expect(books.add()).toBe(2n * USD);
  expect(books.addForeign('r2')).toBe(2n * USD);
  books.later(
    HOUR_MS,
    () => ({ amount: USD, refunded: 2n * USD }),
    () => undefined,
  );
  expect(books.ownCost).toBe(3n * USD);
  expect(books.withdraw()).toBe(-2n * USD);
  expect(books.right).toMatchObject({ amount: USD });
});

test('a leak takes credit of which no record tells', () => {
  const charge = reserve(3n * USD);
  ledger.settle(charge, { amount: USD, ...DONE });
  booksOf(charge).leak(3n * USD);
  expect(key.account).toMatchObject({ balance: 9n * USD, reserved: 3n * USD });
  expect(listed()).toEqual([['settled', USD]]);
});
