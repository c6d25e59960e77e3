import { expect, test } from 'vitest';
import { AccountRegistry } from '../account/account-registry.ts';
import { ChargeLedger } from '../charging/charge-ledger.ts';
import { RecordStore } from '../charging/record-store.ts';
import type { KeptAnswerEvent } from '../events/books-event.ts';
import { KEY_LIFE_S } from '../idempotency/idempotency-store.ts';
import { booksLine, readBooksLine } from './books-line.ts';
import { BooksState } from './books-state.ts';

function emptyState(): BooksState {
  const records = new RecordStore();
  const ledger = new ChargeLedger(records, { pricebook_id: 'pb', pricing_version: 'v' });
  return new BooksState({ registry: new AccountRegistry(), ledger, records });
}

function answer(name: string, since: number): KeptAnswerEvent {
  const kept = {
    requestId: `r-${name}`,
    status: 202,
    headers: { location: '/x' },
    body: { data: [{ n: 1 }] },
  };
  return { type: 'answer', name, digest: 'a'.repeat(64), since, answer: kept };
}

test('answers pass through their lines and a new log, the oldest first, for a day', () => {
  const state = emptyState();
  for (const event of [answer('late', 200), answer('early', 100)]) {
    expect(readBooksLine(booksLine(event))).toEqual(event);
    state.replay(event);
  }
  expect([...state.events(300)]).toEqual([answer('early', 100), answer('late', 200)]);
  expect(state.size(300)).toBe(2);
  expect(state.answers(100 + KEY_LIFE_S + 1)).toEqual([answer('late', 200)]);
});

test('a name that was used again after its day stands for its last request', () => {
  const state = emptyState();
  state.replay(answer('k', 100));
  state.replay(answer('k', 100 + KEY_LIFE_S + 5));
  expect(state.answers(100 + KEY_LIFE_S + 5)).toEqual([answer('k', 100 + KEY_LIFE_S + 5)]);
});
