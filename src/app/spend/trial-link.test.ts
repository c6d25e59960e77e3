import { expect, test } from 'vitest';
import { judgedCallOf } from '../../contracts/reconciliation.test-support.ts';
import type { JudgedCall, RecordFacts } from '../../contracts/reconciliation.ts';
import { START_MS, START_S, textRow } from '../../reconcile/rows.test-support.ts';
import { linkWords, whyNotLinked } from './trial.ts';

const started_at = new Date(START_MS).toISOString();

function recordAt(created_at: number): RecordFacts {
  const usd = { text: '0.001' };
  return {
    ...{ id: 'rec', request_id: 'r', created_at, model: 'm', result: 'completed', billing_status: 'settled' },
    ...{ amount: usd, reserved: usd, refunded: usd, input: 1n, output: 1n, cache_read: 0n, cache_write: 0n },
    ...{ usage_estimated: false, pricebook_id: 'b', pricing_version: 'v' },
  };
}

/** A trial call whose answer held no id; its judged id is that of its record. */
function call(changes: Partial<JudgedCall> = {}): JudgedCall {
  return judgedCallOf({
    ...{ call_id: 'trial/chat/0/1', match: 'fingerprint', match_why: 'same tokens', started_at },
    row: textRow('a', { request_id: null, request_ids: [] }),
    record: recordAt(START_S),
    ...changes,
  });
}

const other = (created_at: number, changes: Partial<JudgedCall> = {}) =>
  call({ call_id: null, match: 'none', row: null, record: recordAt(created_at), ...changes });

function why(of: JudgedCall, others: readonly JudgedCall[] = [], key: 'shared' | 'exclusive' = 'exclusive') {
  return whyNotLinked(of, [of, ...others], key);
}

test.for(['request_id', 'other_id', 'linked_id'] as const)(
  'a record that %s leads to is its own on any key',
  (match) => {
    expect(why(call({ match }), [other(START_S)], 'shared')).toBeNull();
    expect(linkWords(call({ match }))).toBe('linked by request id');
  },
);

test.for(['fingerprint', 'assignment', 'open_intent'] as const)(
  'without an id the one that fits (%s) is taken where nobody else uses the key',
  (match) => {
    expect(why(call({ match }))).toBeNull();
    expect(why(call({ match }), [], 'shared')).toMatch(
      /holds no request id, and on a shared key .*exclusive/,
    );
  },
);

test('each new record of the model must be of a trial call; one of another model, time or before it is none', () => {
  const twin = call({ call_id: 'trial/chat-2/0/1' });
  const apart = [
    other(START_S, { model: 'n' }),
    other(START_S, { match: 'foreign' }),
    other(START_S + 301),
    other(START_S - 301),
  ];
  expect(why(call(), [twin, ...apart])).toBeNull();
  expect(why(call(), [twin, other(START_S + 300)])).toBe(
    'the answer of the trial call holds no request id, and 1 new record of m beside its own is of no trial call: does another program use the key?',
  );
});

test('the true reason where none fits: never an id that was learnt from a record', () => {
  const none = call({ match: 'none', record: null });
  expect(why(none, [other(START_S)])).toMatch(/no new record of m fits it in tokens and time \(1 found\)/);
  expect(why(call({ match: 'cluster', record: null, record_ids: ['a', 'b'] }))).toMatch(
    /which of 2 new records/,
  );
  expect(why(call({ match: 'none', row: textRow('a') }))).toBe(
    'no usage record carries the request id req-a of the trial call',
  );
});

test('how a record was found without an id is told', () => {
  expect(linkWords(call())).toBe('linked without a request id (same tokens)');
});
