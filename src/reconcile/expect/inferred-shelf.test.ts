import { describe, expect, test } from 'vitest';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import { formatAmount } from '../../core/amount.ts';
import { archivedBook, brief, judge, recordOf, textRow } from '../reconcile.test-support.ts';

const NAMES = Array.from({ length: 60 }, (_, index) => `n${index}`);

function tokensOf(index: number): { readonly input: number; readonly output: number } {
  return { input: 900 + ((index * 7919) % 5003), output: 40 + ((index * 104_729) % 701) };
}

/** Calls at $2 and $8 a million tokens; `amounts` says what single ones are charged instead. */
function audited(
  amounts: Readonly<Record<number, string>> = {},
  books: Parameters<typeof judge>[0]['books'] = [],
): Reconciliation {
  const rows = NAMES.map((name, index) =>
    textRow(name, {
      usage: { ...tokensOf(index), cache_read: 0, cache_write: 0, reasoning: null, raw: {} },
    }),
  );
  const records = NAMES.map((name, index) => {
    const { input, output } = tokensOf(index);
    const due = BigInt(input) * 2_000_000n + BigInt(output) * 8_000_000n;
    const amount = amounts[index] ?? formatAmount(due);
    return recordOf(name, {
      amount,
      input_tokens: input,
      output_tokens: output,
      reserved_amount: amount,
      refunded_amount: '0',
    });
  });
  return judge({ rows, sweeps: [{ records }], books });
}

describe('without a readable price book', () => {
  test('charges that share their prices are consistent, and nothing of them is proved', () => {
    const result = audited();
    expect(brief(result)).toEqual([]);
    expect(new Set(result.calls.map(({ verdict, grade }) => `${verdict} ${grade}`))).toEqual(
      new Set(['within_bounds inferred']),
    );
    expect(result.calls[0]?.lines.map(({ meter, price }) => [meter, price])).toEqual([
      ['input_token', '2'],
      ['output_token', '8'],
    ]);
    expect(result.coverage).toMatchObject({ to_the_digit: 0, within_bounds: 1, consistent: 1 });
    expect(result.coverage.prices).toEqual({ published: 0, declared: 0, inferred: 1 });
    expect(result.inconclusive).toContain('no price book was read');
  });

  test('a charge that differs from what the others share is not checkable, and accuses nobody', () => {
    const result = audited({ 7: '0.5', 9: '0.00001' });
    expect(brief(result)).toEqual([]);
    const open = result.calls.filter(({ verdict }) => verdict !== 'within_bounds');
    expect(open.map(({ call_id, verdict }) => `${call_id} ${verdict}`).sort()).toEqual([
      'call-n7 not_checkable',
      'call-n9 not_checkable',
    ]);
    expect(open[0]?.why).toContain('58 of 60 charges share');
  });

  test('a readable book is what counts, however well other prices fit', () => {
    const result = audited({}, [archivedBook()]);
    expect(new Set(result.calls.map(({ verdict, grade }) => `${verdict} ${grade}`))).toEqual(
      new Set(['to_the_digit published']),
    );
  });
});
