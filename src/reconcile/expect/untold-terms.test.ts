import { expect, test } from 'vitest';
import { NO_TERMS } from '../../contracts/billing-terms.ts';
import {
  archivedBook,
  bookDocument,
  type InputSpec,
  judge,
  recordOf,
  textRow,
} from '../reconcile.test-support.ts';

const READINGS = { ...NO_TERMS.readings, amount: 'net' } as const;
const DECLARED = { readings: READINGS };
const ROUNDING = { scope: 'record', quantum: '0.00000001', mode: 'half_up', pre: [] } as const;

/** Of a call that was charged twice. */
function untold(spec: Partial<InputSpec>, changes: Parameters<typeof recordOf>[1] = {}) {
  const records = [recordOf('a', changes), recordOf('a', { id: 'rec-a2', ...changes })];
  return judge({ rows: [textRow('a')], sweeps: [{ records }], ...spec }).untold;
}

test('what a refund means is told by nobody until it is declared', () => {
  expect(untold({})).toEqual(['amount_meaning']);
  expect(untold({ terms: DECLARED })).toEqual([]);
  const many = Array.from({ length: 100 }, (_, n) => `${n}`);
  const habit = {
    rows: many.map((name) => textRow(name)),
    sweeps: [{ records: many.map((name) => recordOf(name)) }],
  };
  expect(untold(habit)).toEqual(['amount_meaning']);
  const contradicted = { readings: { ...READINGS, amount: 'gross' } } as const;
  expect(untold({ terms: contradicted })).toEqual(['amount_meaning']);
});

test('a rounding is told by the book, or agreed for all of its prices', () => {
  const silent = [archivedBook(bookDocument({ rounding: null }))];
  expect(untold({ terms: DECLARED, books: silent })).toEqual(['rounding']);
  const agreed = (models: readonly string[]) => ({
    ...DECLARED,
    agreed: [
      {
        name: 'contract',
        models,
        endpoints: null,
        from: null,
        until: null,
        factor: null,
        prices: null,
        rounding: ROUNDING,
        minimum: null,
      },
    ],
  });
  expect(untold({ terms: agreed(['*']), books: silent })).toEqual([]);
  expect(untold({ terms: agreed(['text-1']), books: silent })).toEqual(['rounding']);
});

test('an edition is told where each charged record names one that was served with one content, or the book is ours', () => {
  expect(untold({ terms: DECLARED }, { pricing_version: 'v0' })).toEqual(['price_edition']);
  expect(untold({ terms: DECLARED, books: [] })).toEqual(['rounding', 'price_edition']);
  const { sha256, reading } = archivedBook();
  if ('unreadable' in reading) throw new Error('the book can be read');
  const nameless = { sha256, reading: { ...reading, identified: false } };
  expect(untold({ terms: DECLARED, books: [nameless] })).toEqual(['price_edition']);
  expect(untold({ terms: DECLARED, books: [{ ...nameless, own: true }] })).toEqual([]);
  const other = archivedBook(bookDocument({ usage_semantics: null }), 'b'.repeat(64));
  expect(untold({ terms: DECLARED, books: [archivedBook(), other] })).toEqual(['price_edition']);
});
