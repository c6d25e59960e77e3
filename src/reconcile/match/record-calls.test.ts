import { describe, expect, test } from 'vitest';
import type { UsageRecord } from '../../contracts/interface.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import { archivedBook, bookDocument, brief, judge, recordOf, TEXT_MODEL } from '../reconcile.test-support.ts';

const PRICES = {
  ...{ id: TEXT_MODEL, kind: 'text', unit: 'per_1m_tokens', input: '2', output: '8' },
  ...{ cache_read: '0.5', cache_write: '2.5', max_output_tokens: 4000 },
};

function audited(usage_semantics: object, changes: Partial<UsageRecord>): Reconciliation {
  return judge({
    basis: 'records',
    books: [archivedBook(bookDocument({ usage_semantics, models: [PRICES] }))],
    sweeps: [{ records: [recordOf('a', { refunded_amount: '0', reserved_amount: '0', ...changes })] }],
  });
}

describe('a record by itself, of 1,000 input tokens, with 400 read from the cache and 200 written', () => {
  const cached = { cache_read_tokens: 400, cache_write_tokens: 200 };

  test.each([
    ['all inside', '0.0023'],
    ['all beside', '0.0035'],
    ['reads inside and writes beside', '0.0027'],
    ['writes inside and reads beside', '0.0031'],
  ])('is priced by the count whose price is nearest: %s', (_, amount) => {
    const result = audited({ output_includes_reasoning: true }, { ...cached, amount });
    expect(brief(result)).toEqual([]);
    expect(result.money).toMatchObject({ expected: amount, difference: '0' });
  });

  test('is priced by the count that the book tells', () => {
    const told = { input_includes_cache: true, output_includes_reasoning: true };
    expect(brief(audited(told, { ...cached, amount: '0.0023' }))).toEqual([]);
    expect(brief(audited(told, { ...cached, amount: '0.0027' }))).toEqual(['amount_mismatch amount 0.0004']);
  });

  test('of which less went in than came from the cache counts it beside', () => {
    const result = audited(
      { output_includes_reasoning: true },
      { ...cached, input_tokens: 100, amount: '0.0017' },
    );
    expect(result.money).toMatchObject({ expected: '0.0017' });
  });
});

describe('a bill by records alone that spells a model in another way', () => {
  const semantics = { input_includes_cache: true, output_includes_reasoning: true };

  test('may be borne out by the price of the model that is meant, and is accused by none', () => {
    const right = audited(semantics, { model: 'vendor/Text-1', amount: '0.0028' });
    expect(right.calls.map(({ verdict }) => verdict)).toEqual(['within_bounds']);
    const empty = audited(semantics, { model: 'TEXT-1', input_tokens: 0, amount: '0.0008' });
    expect(empty.calls.map(({ verdict }) => verdict)).toEqual(['within_bounds']);
    const other = audited(semantics, { model: 'vendor/Text-1', amount: '0.0031' });
    expect(brief(other)).toEqual([]);
    expect(other.calls).toMatchObject([{ verdict: 'not_checkable' }]);
    expect(brief(audited(semantics, { amount: '0.0031' }))).toEqual(['amount_mismatch amount 0.0003']);
  });
});
