import { describe, expect, test } from 'vitest';
import type { UsageRecord } from '../../contracts/interface.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import {
  archivedBook,
  bookDocument,
  brief,
  errorRow,
  judge,
  recordOf,
  textRow,
} from '../reconcile.test-support.ts';

const books = (usage_semantics: object) => [archivedBook(bookDocument({ usage_semantics }))];
const NOTHING_HELD = { reserved_amount: '0', refunded_amount: '0' };

test('by records alone hidden tokens show on a finer grid than that of records without them', () => {
  const prices = [
    { id: 'round', input: '2', output: '8' },
    { id: 'fine', input: '0.13', output: '0.52' },
  ];
  const models = prices.map((model) => ({ kind: 'text', unit: 'per_1m_tokens', ...model }));
  const silent = archivedBook(bookDocument({ rounding: undefined, usage_semantics: undefined, models }));
  const round = ['a', 'b', 'c'].map((name) => recordOf(name, { model: 'round', ...NOTHING_HELD }));
  const of = (amount: string): readonly string[] => {
    const fine = recordOf('f', { model: 'fine', output_tokens: 11, ...NOTHING_HELD, amount });
    return brief(judge({ basis: 'records', books: [silent], sweeps: [{ records: [...round, fine] }] }));
  };
  // 57 tokens beyond the 11 that it counts.
  expect(of('0.00016536')).toEqual([]);
});

describe('where the book tells that counts leave reasoning out', () => {
  /** A call whose answer counts 100 output tokens, 40 of them of reasoning. */
  function judged(changes: Partial<UsageRecord>): Reconciliation {
    const usage = { input: 1000, output: 100, cache_read: 0, cache_write: 0, reasoning: 40, raw: {} };
    return judge({
      rows: [textRow('a', { usage })],
      books: books({ input_includes_cache: true, output_includes_reasoning: false }),
      sweeps: [{ records: [recordOf('a', { ...NOTHING_HELD, ...changes })] }],
    });
  }

  test('an answer counts it in where its record leaves it out', () => {
    expect(brief(judged({ output_tokens: 60 }))).toEqual([]);
    expect(brief(judged({ output_tokens: 60, amount: '0.0031' }))).toEqual([
      expect.stringMatching(/ 0[.]0003$/),
    ]);
  });

  test('an answer that does not tell its reasoning proves no other count than the record has', () => {
    const usage = { input: 1000, output: 100, cache_read: 0, cache_write: 0, reasoning: null, raw: {} };
    const of = (read: ReturnType<typeof books>, output_tokens: number) =>
      brief(
        judge({
          rows: [textRow('a', { usage })],
          books: read,
          sweeps: [{ records: [recordOf('a', { ...NOTHING_HELD, output_tokens })] }],
        }),
      ).filter((line) => line.startsWith('token_mismatch'));
    const apart = books({ input_includes_cache: true, output_includes_reasoning: false });
    expect(of(apart, 60)).toEqual([]);
    const records = [recordOf('a', { ...NOTHING_HELD, output_tokens: 60 })];
    const [call] = judge({ rows: [textRow('a', { usage })], books: apart, sweeps: [{ records }] }).calls;
    expect(call).toMatchObject({ verdict: 'to_the_digit', expected: '0.0028' });
    expect(of(books({ input_includes_cache: true, output_includes_reasoning: true }), 60)).toHaveLength(1);
    expect(of([], 60)).toEqual([]);
    expect(of([], 120)).toEqual([]);
    // More than the answer counts is in no reading what is left of it.
    expect(of(apart, 120)).toEqual(['token_mismatch output open']);
  });

  test('it is due once or twice where no record tells which', () => {
    const usage = { input: 1000, output: 100, cache_read: 0, cache_write: 0, reasoning: 40, raw: {} };
    const [call] = judge({
      rows: [textRow('a', { usage }), textRow('b')],
      books: books({ input_includes_cache: true, output_includes_reasoning: false }),
      sweeps: [{ records: [recordOf('b', NOTHING_HELD)] }],
    }).calls;
    expect(call).toMatchObject({ match: 'none', expected_lo: '0.0028', expected_hi: '0.00312' });
  });

  test('an answer counts it beside where its record counts the same', () => {
    expect(brief(judged({ amount: '0.00312' }))).toEqual([]);
  });
});

describe('a record by itself that charges more than its tokens cost', () => {
  function alone(usage_semantics: object, amount: string): Reconciliation {
    const records = [recordOf('a', { ...NOTHING_HELD, amount })];
    return judge({ basis: 'records', books: books(usage_semantics), sweeps: [{ records }] });
  }

  test('may hold a whole number of output tokens that it does not count', () => {
    const result = alone({ input_includes_cache: true }, '0.0032');
    expect(brief(result)).toEqual([]);
    expect(result.calls).toMatchObject([{ verdict: 'not_checkable' }]);
  });

  test('is wrong by any other sum, and by less than its price', () => {
    expect(brief(alone({ input_includes_cache: true }, '0.003203'))).toHaveLength(1);
    expect(brief(alone({ input_includes_cache: true }, '0.0024'))).toHaveLength(1);
  });

  test('proves no amount where it calls its own counts an estimate', () => {
    const told = { input_includes_cache: true, output_includes_reasoning: true };
    const of = (amount: string, usage_estimated: boolean) => {
      const records = [recordOf('a', { ...NOTHING_HELD, amount, usage_estimated })];
      return judge({ basis: 'records', books: books(told), sweeps: [{ records }] });
    };
    expect(brief(of('0.0024', true))).toEqual([]);
    expect(of('0.0028', true).calls).toMatchObject([{ verdict: 'within_bounds' }]);
    expect(brief(of('0.0024', false))).toHaveLength(1);
  });

  test('is wrong where the book tells that output holds reasoning', () => {
    const told = { input_includes_cache: true, output_includes_reasoning: true };
    expect(brief(alone(told, '0.0032'))).toEqual(['amount_mismatch amount 0.0004']);
  });
});

describe('a book that tells no rounding', () => {
  /** Calls that come to $0.00005, $0.00115, $0.00225 … and the charge of the first. */
  function judged(first: string, basis: 'calls' | 'records'): readonly string[] {
    const calls = Array.from({ length: 8 }, (_, index) => ({ name: `c${index}`, input: 25 + 550 * index }));
    const charges = [first, '0.0012', '0.0023', '0.0034', '0.0045', '0.0056', '0.0067', '0.0078'];
    const usage = { output: 0, cache_read: 0, cache_write: 0, reasoning: 0, raw: {} };
    const result = judge({
      ...(basis === 'calls'
        ? { rows: calls.map(({ name, input }) => textRow(name, { usage: { ...usage, input } })) }
        : { basis }),
      books: [archivedBook(bookDocument({ rounding: null }))],
      sweeps: [
        {
          records: calls.map(({ name, input }, index) =>
            recordOf(name, {
              ...NOTHING_HELD,
              input_tokens: input,
              output_tokens: 0,
              amount: charges[index] ?? '',
            }),
          ),
        },
      ],
    });
    return result.findings
      .filter(({ severity }) => severity !== 'S4')
      .map(({ delta_max }) => delta_max ?? '');
  }

  test.each(['calls', 'records'] as const)(
    'accuses nobody of a unit of the grid that all charges stand on, by %s',
    (basis) => {
      expect(judged('0.0001', basis)).toEqual([]);
      expect(judged('0', basis)).toEqual([]);
      expect(judged('0.0003', basis)).toHaveLength(1);
    },
  );
});

test('the grid of a few charges of one model excuses what it moves, and no other', () => {
  const ids = ['fine-1', 'fine-2', 'coarse'];
  const models = ids.map((id) => ({ id, kind: 'text', unit: 'per_1m_tokens', input: '2', output: '8' }));
  const calls = ids.flatMap((id) =>
    [1013, 1130, 1247].map((input) => ({ id, input, name: `${id}-${input}`, micro: input * 2 + 800 })),
  );
  const judged = (more: string) =>
    judge({
      rows: calls.map(({ id, input, name }) =>
        textRow(name, {
          model: id,
          usage: { input, output: 100, cache_read: 0, cache_write: 0, reasoning: null, raw: {} },
        }),
      ),
      books: [archivedBook(bookDocument({ rounding: null, models }))],
      sweeps: [
        {
          records: calls.map(({ id, input, name, micro }) =>
            recordOf(name, {
              ...NOTHING_HELD,
              ...{ model: id, input_tokens: input },
              amount: id === 'coarse' ? `0.00${Math.round(micro / 100)}` : `0.00${micro}${more}`,
            }),
          ),
        },
      ],
    }).findings;
  expect(judged('')).toEqual([]);
  const wrong = judged('9');
  expect(wrong.filter(({ model }) => model === 'coarse')).toEqual([]);
});

test('a prompt of unknown size is charged for no more than its record counts', () => {
  const failed = errorRow('a', 500, { prompt_bytes: null });
  const judged = (output_tokens: number, amount: string) =>
    judge({
      rows: [failed],
      books: [archivedBook()],
      sweeps: [{ records: [recordOf('a', { ...NOTHING_HELD, output_tokens, amount })] }],
    }).calls[0];
  expect(judged(100, '0.0028')).toMatchObject({ verdict: 'within_bounds', expected_lo: '0' });
  expect(judged(100_000, '0.9')).toMatchObject({ verdict: 'finding' });
});
