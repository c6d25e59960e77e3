import { describe, expect, test } from 'vitest';
import { rational } from '../core/rational.ts';
import { bookOf, modelOf } from '../pricebook/price-book.test-support.ts';
import { type CellTrust, type TrustRow, trustOfCell, withinTrust } from './book-trust.ts';

const BOOK = bookOf([modelOf({ input_token: '1', output_token: '2' })]);

/** `right` rows at their price, then `wrong` ones a hundred-millionth off. */
function rows(right: number, wrong: number): readonly TrustRow[] {
  return Array.from({ length: right + wrong }, (_, index) => {
    const due = BigInt(index + 1) * 1_000_000n;
    return {
      book: BOOK,
      model: 'm',
      endpoint: 'chat',
      exact: rational(due, 10n ** 12n),
      rounded: due,
      charged: index < right ? due : due + 10_000n,
    };
  });
}

describe('a partial book', () => {
  const partial = { partial: true, rounding_declared: true };

  test.each<readonly [number, number, CellTrust['kind']]>([
    [20, 0, 'full'],
    [19, 1, 'full'],
    [19, 0, 'unproved'],
    [18, 2, 'unproved'],
    [190, 10, 'full'],
    [189, 11, 'unproved'],
    [0, 0, 'unproved'],
  ])('%i rows right and %i wrong: %s', (right, wrong, kind) => {
    expect(trustOfCell(rows(right, wrong), partial).kind).toBe(kind);
  });

  test('that does not tell its rounding either needs a rule that gives them', () => {
    const silent = { partial: true, rounding_declared: false };
    expect(trustOfCell(rows(20, 0), silent)).toMatchObject({
      kind: 'undeclared',
      rounding: { mode: 'half_up' },
    });
    expect(trustOfCell(rows(10, 10), silent).kind).toBe('unproved');
  });
});

test('without a rule a charge is right within the widest rounding, never below 0', () => {
  expect(withinTrust({ kind: 'undeclared', rounding: null }, { lo: 5n, hi: 5n })).toEqual({
    lo: 0n,
    hi: 2_000_005n,
  });
  expect(withinTrust({ kind: 'full' }, { lo: 5n, hi: 5n })).toEqual({ lo: 5n, hi: 5n });
});
