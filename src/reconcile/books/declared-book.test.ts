import { expect, test } from 'vitest';
import { NO_TERMS } from '../../contracts/billing-terms.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import {
  archivedBook,
  bookDocument,
  brief,
  judge,
  recordOf,
  TEXT_MODEL,
  textRow,
} from '../reconcile.test-support.ts';
import { declaredBook } from './declared-book.ts';

const readings = NO_TERMS.readings;

/** 400 tokens of input at $0.0008 and 500 of output, 200 of them of reasoning, at $8 a million. */
function reasoned(
  amount: string,
  changes: Partial<typeof readings>,
  rounding?: unknown,
  price?: { readonly reasoning: string },
): Reconciliation {
  const model = { id: TEXT_MODEL, kind: 'text', unit: 'per_1m_tokens', input: '2', output: '8', ...price };
  const usage = { input: 400, output: 500, cache_read: 0, cache_write: 0, reasoning: 200, raw: null };
  const tokens = { input_tokens: 400, output_tokens: 500, reserved_amount: '0', refunded_amount: '0' };
  return judge({
    rows: [textRow('a', { usage })],
    books: [archivedBook(bookDocument({ models: [model], ...(rounding === undefined ? {} : { rounding }) }))],
    sweeps: [{ records: [recordOf('a', { ...tokens, amount })] }],
    terms: { readings: { ...readings, ...changes } },
  });
}

test('output tokens are those of the answer and of reasoning, unless it is declared that they stand beside', () => {
  expect(brief(reasoned('0.0048', {}))).toEqual([]);
  expect(brief(reasoned('0.0048', { output_tokens: 'without_reasoning' }))).toHaveLength(1);
  expect(brief(reasoned('0.0064', { output_tokens: 'without_reasoning' }))).toEqual([]);
  expect(brief(reasoned('0.0064', { output_tokens: 'with_reasoning' }))).toHaveLength(1);
});

test('a price of reasoning is of a part of the output, unless it is declared to stand beside', () => {
  const price = { reasoning: '10' };
  const of = (amount: string, output_tokens: 'auto' | 'without_reasoning') =>
    brief(reasoned(amount, { output_tokens }, undefined, price));
  expect(of('0.0052', 'auto')).toEqual([]);
  expect(of('0.0068', 'auto')).toHaveLength(1);
  expect(of('0.0068', 'without_reasoning')).toEqual([]);
  expect(of('0.0052', 'without_reasoning')).toHaveLength(1);
});

test('a declared rounding counts where the book tells none, and there alone', () => {
  const rounding = { scope: 'record', quantum: '0.001', mode: 'ceil', pre: [] } as const;
  const silent = reasoned('0.005', { rounding }, null);
  expect(silent.calls.map(({ verdict }) => verdict)).toEqual(['to_the_digit']);
  expect(silent.coverage.settings.find(({ name }) => name === 'rounding')).toMatchObject({
    value: 'ceil to 0.001 USD, once a record',
    evidence: 'declared in billing.readings.rounding',
  });
  expect(silent.untold).not.toContain('rounding');
  expect(brief(reasoned('0.0048', { rounding }, null))).toHaveLength(1);
  expect(brief(reasoned('0.0048', { rounding }))).toEqual([]);
});

test.each([
  ['with_reasoning', 'included'],
  ['without_reasoning', 'additive'],
] as const)('what is declared %s makes a price of reasoning %s, and no other', (output_tokens, mode) => {
  const { reading } = archivedBook();
  if ('unreadable' in reading) throw new Error(reading.unreadable.join());
  const { book } = reading;
  const [entry] = book.models;
  if (entry === undefined) throw new Error('expected a model');
  const price = { price: '10', per: '1000000' } as const;
  const components = [
    { meter: 'output_token', ...price },
    { meter: 'reasoning_token', ...price, mode: 'included' },
  ] as const;
  const declared = declaredBook(
    { ...book, models: [{ ...entry, components }] },
    { rounding_declared: true },
    { output_tokens, rounding: null },
  );
  expect(declared.models[0]?.components).toEqual([components[0], { ...components[1], mode }]);
});
