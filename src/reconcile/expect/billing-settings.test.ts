import { expect, test } from 'vitest';
import { NO_TERMS } from '../../contracts/billing-terms.ts';
import type { CoverageSetting } from '../../contracts/coverage-result.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import { archivedBook, bookDocument, brief, judge, recordOf, textRow } from '../reconcile.test-support.ts';

const usage = { input: 1000, output: 0, cache_read: 400, cache_write: 0, reasoning: null, raw: null };
const DUE = {
  amount: '0.0014',
  reserved_amount: '0',
  refunded_amount: '0',
  output_tokens: 0,
  cache_read_tokens: 400,
};

function withBook(semantics: unknown, inputTokens: number): Reconciliation {
  return judge({
    rows: [textRow('a', { usage })],
    books: [archivedBook(bookDocument({ usage_semantics: semantics }))],
    sweeps: [{ records: [recordOf('a', { ...DUE, input_tokens: inputTokens })] }],
  });
}

function setting(result: Reconciliation, name: string): CoverageSetting | undefined {
  return result.coverage.settings.find((candidate) => candidate.name === name);
}

test('a book may publish that records count cache tokens beside the input', () => {
  const beside = withBook({ input_includes_cache: false }, 600);
  expect(brief(beside)).toEqual([]);
  expect(beside.coverage.to_the_digit).toBe(1);
  expect(brief(withBook({ input_includes_cache: false }, 1000))).toEqual(['token_mismatch input 0']);
  expect(brief(withBook({ input_includes_cache: true }, 600))).toEqual(['token_mismatch input 0']);
});

test('where the book is silent, calls with cached tokens tell', () => {
  const beside = withBook(null, 600);
  expect(brief(beside)).toEqual([]);
  expect(setting(beside, 'input_includes_cache')).toMatchObject({
    name: 'input_includes_cache',
    value: 'no',
    evidence: '0 records of calls with cached tokens hold them inside input_tokens, 1 beside it',
  });
  const inside = withBook(null, 1000);
  expect(brief(inside)).toEqual([]);
  expect(setting(inside, 'input_includes_cache')?.value).toBe('yes');
});

test('where nothing tells, the default is said to be one', () => {
  const result = judge({
    rows: [textRow('a')],
    books: [archivedBook(bookDocument({ usage_semantics: null, rounding: null }))],
    sweeps: [{ records: [recordOf('a', { refunded_amount: '0', reserved_amount: '0' })] }],
  });
  expect(setting(result, 'amount_meaning')?.evidence).toBe(
    'by default: no settled record with a refund tells',
  );
  expect(setting(result, 'input_includes_cache')?.evidence).toBe(
    'by default: no call with cached tokens tells',
  );
  expect(setting(result, 'rounding')).toMatchObject({
    value: 'undeclared',
    basis: 'records',
    evidence: 'not told by the book; charges show half_up to 0.000002 USD',
  });
});

test('an answer without cache figures leaves the cached part of the input open', () => {
  const silent = { ...usage, cache_read: null, cache_write: null };
  const result = judge({
    rows: [textRow('a', { usage: silent })],
    sweeps: [{ records: [recordOf('a', { ...DUE, input_tokens: 1000 })] }],
  });
  expect(brief(result)).toEqual([]);
  expect(result.calls[0]).toMatchObject({
    verdict: 'within_bounds',
    expected: null,
    expected_lo: '0.0005',
    expected_hi: '0.002',
  });
});

test('a declared place of cached tokens that calls contradict is said, and no record is held to it', () => {
  const of = (input_tokens: 'with_cache' | 'without_cache') =>
    judge({
      rows: [textRow('a', { usage })],
      books: [archivedBook(bookDocument({ usage_semantics: null }))],
      sweeps: [{ records: [recordOf('a', { ...DUE, input_tokens: 600 })] }],
      terms: { readings: { ...NO_TERMS.readings, input_tokens }, assumed: ['input_tokens'] },
    });
  expect(of('without_cache').inconclusive).toEqual([]);
  expect(setting(of('without_cache'), 'input_includes_cache')?.evidence).toBe(
    'declared in --assume-reading input_tokens',
  );
  expect(brief(of('with_cache'))).toEqual([]);
  expect(of('with_cache').inconclusive).toEqual([
    '--assume-reading input_tokens is declared as with_cache, but 0 records of calls with cached tokens hold them inside input_tokens, 1 beside it',
  ]);
});

test('where calls with cached tokens disagree, most of them decide', () => {
  const names = ['a', 'b', 'c'];
  const result = judge({
    rows: names.map((name) => textRow(name, { usage })),
    books: [archivedBook(bookDocument({ usage_semantics: null }))],
    sweeps: [
      {
        records: names.map((name) => recordOf(name, { ...DUE, input_tokens: name === 'c' ? 600 : 1000 })),
      },
    ],
  });
  expect(brief(result)).toEqual([]);
  expect(setting(result, 'input_includes_cache')).toMatchObject({
    value: 'yes',
    also: ['no'],
    evidence: '2 records of calls with cached tokens hold them inside input_tokens, 1 beside it',
  });
});

test('one record with more cached tokens than input tells where no call told its usage', () => {
  const result = judge({
    rows: [textRow('a', { usage: null })],
    books: [archivedBook(bookDocument({ usage_semantics: null }))],
    sweeps: [{ records: [recordOf('a', { ...DUE, input_tokens: 300 })] }],
  });
  expect(setting(result, 'input_includes_cache')).toMatchObject({
    name: 'input_includes_cache',
    value: 'no',
    evidence: '1 records have more cached tokens than input_tokens',
  });
});
