import { describe, expect, test } from 'vitest';
import type { UsageRecord } from '../../contracts/interface.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import {
  archivedBook,
  bookDocument,
  brief,
  judge,
  only,
  recordOf,
  START_S,
  textRow,
} from '../reconcile.test-support.ts';

/** A second text model at twice the price. */
const BOOK = archivedBook(
  bookDocument({
    models: ['text-1', 'text-2'].map((id, index) => ({
      id,
      kind: 'text',
      unit: 'per_1m_tokens',
      input: String(2 + 2 * index),
      output: String(8 + 8 * index),
    })),
  }),
);

function withRecord(changes: Partial<UsageRecord>): Reconciliation {
  return judge({
    rows: [textRow('a'), textRow('own')],
    books: [BOOK],
    sweeps: [{ records: [recordOf('a', changes), recordOf('own')] }],
  });
}

describe('a record that contradicts its call', () => {
  test('names another model and charges its price', () => {
    const changes = { model: 'text-2', amount: '0.0056', refunded_amount: '0.0044' };
    expect(brief(withRecord(changes))).toEqual([
      'amount_mismatch charged_twice 0.0028',
      'wrong_model_price record_model_differs open',
    ]);
    expect(withRecord(changes).findings[1]).toMatchObject({ severity: 'S1', confidence: 'strong' });
  });

  test('names another model at the right price', () => {
    expect(only(withRecord({ model: 'text-2' }))).toMatchObject({
      class: 'wrong_model_price',
      rule: 'record_model_differs',
      severity: 'S3',
    });
  });

  test('names another model in the spelling that records have', () => {
    const spelt = (model: string): readonly string[] =>
      judge({
        rows: [textRow('a'), textRow('b'), textRow('c', { model: 'text-2' })],
        books: [BOOK],
        sweeps: [
          {
            records: [
              recordOf('a', { model }),
              recordOf('b', { model: 'TEXT-1' }),
              recordOf('c', { model: 'TEXT-2', amount: '0.0056', refunded_amount: '0.0044' }),
            ],
          },
        ],
      }).findings.map(({ rule }) => rule);
    expect(spelt('TEXT-1')).toEqual([]);
    expect(spelt('TEXT-2')).toEqual(['record_model_differs']);
  });

  test('names the model that its answer named', () => {
    const { findings } = judge({
      rows: [textRow('a', { response_model: 'text-2' }), textRow('b')],
      books: [BOOK],
      sweeps: [{ records: [recordOf('a', { model: 'text-2' }), recordOf('b')] }],
    });
    expect(findings).toEqual([]);
  });

  test.each([
    ['that other calls asked for', 'text-2', 'text-2', 1],
    ['that no call asked for', 'text-3', 'text-2', 0],
    ['that other calls asked for, which may be its snapshot', 'text-1-2026-01-15', 'text-1-2026-01-15', 0],
  ])('names a model %s, and no price list tells what is sold', (_, model, asked, count) => {
    const { findings } = judge({
      rows: [textRow('a', { response_model: null }), textRow('b'), textRow('c', { model: asked })],
      books: [],
      sweeps: [{ records: [recordOf('a', { model }), recordOf('b'), recordOf('c', { model: asked })] }],
    });
    const other = findings.filter(({ class: name }) => name === 'wrong_model_price');
    expect(other).toHaveLength(count);
    for (const { severity, explanation } of other)
      expect([severity, explanation]).toEqual(['S3', expect.stringContaining('no price tells whether')]);
  });

  test('counts other tokens than the answer, and no price list tells what that is worth', () => {
    const unpriced = (changes: Partial<UsageRecord>) =>
      judge({
        rows: [textRow('a'), textRow('own')],
        books: [],
        sweeps: [{ records: [recordOf('a', changes), recordOf('own')] }],
      }).findings.filter(({ class: name }) => name === 'token_mismatch');
    expect(unpriced({ input_tokens: 57 })).toMatchObject([
      { rule: 'input', confidence: 'proved', delta_min: null, delta_max: null, direction: 'none' },
    ]);
    expect(unpriced({})).toEqual([]);
    expect(unpriced({ input_tokens: 57, usage_estimated: true })).toEqual([]);
  });

  test.each([
    ['one name for one model', ['text-2', 'text-2']],
    ['names of its own', ['text-1-2026', 'acme/text-1']],
  ])('may be recorded under %s', (_, [first = '', second = '']) => {
    const result = judge({
      rows: [textRow('a'), textRow('b')],
      books: [BOOK],
      sweeps: [{ records: [recordOf('a', { model: first }), recordOf('b', { model: second })] }],
    });
    expect(result.findings.filter(({ class: name }) => name === 'wrong_model_price')).toEqual([]);
  });

  test.each([
    ['before its call', START_S - 901, false],
    ['outside the window read', START_S + 4 * 86_400, false],
    ['minutes before its call, as clocks differ', START_S - 59, true],
    ['days after its call, as it settled', START_S + 2 * 86_400, true],
  ])('was created %s', (_, created_at, right) => {
    const result = withRecord({ created_at });
    if (right) expect(brief(result)).toEqual([]);
    else
      expect(only(result)).toMatchObject({
        class: 'window_semantics',
        rule: 'record_outside_window',
        severity: 'S3',
        delta_exact: null,
      });
  });

  test('says failed and charges, where the client got an answer', () => {
    expect(only(withRecord({ result: 'failed' }))).toMatchObject({
      class: 'amount_mismatch',
      rule: 'failed_but_charged',
      severity: 'S4',
      delta_exact: null,
    });
    const free = withRecord({ result: 'failed', amount: '0', refunded_amount: '0.01' });
    expect(brief(free)).toEqual(['uncharged_success settled -0.0028']);
  });
});
