import { describe, expect, test } from 'vitest';
import { rational } from '../../core/rational.ts';
import { bookOf, modelOf } from '../../pricebook/price-book.test-support.ts';
import {
  bookTrust,
  type CellTrust,
  isFigure,
  type TrustRow,
  trustOfCell,
  withinTrust,
} from './book-trust.ts';

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

test('an unproved price is no figure, and has the rounding that its book tells, or any', () => {
  const unproved = (told: boolean): CellTrust => ({ kind: 'unproved', equal: 0, rows: 0, told });
  const due = { lo: 5_000_000n, hi: 5_000_000n };
  expect(isFigure(unproved(true))).toBe(false);
  expect(withinTrust(unproved(true), due)).toEqual(due);
  expect(withinTrust(unproved(false), due)).toEqual({ lo: 3_000_000n, hi: 7_000_000n });
});

test('without a rule a charge is right within the widest rounding, never below 0', () => {
  expect(
    withinTrust({ kind: 'undeclared', rounding: null, unit: 2_000_000n, told: false }, { lo: 5n, hi: 5n }),
  ).toEqual({
    lo: 0n,
    hi: 2_000_005n,
  });
  expect(withinTrust({ kind: 'full' }, { lo: 5n, hi: 5n })).toEqual({ lo: 5n, hi: 5n });
});

describe('a book that does not tell its rounding', () => {
  const coverage = {
    adapter: null,
    models_mapped: 1,
    models_total: 1,
    unmapped_keys: [],
    unsupported: [],
    assumptions: [],
  };
  const silent = () => ({
    book: BOOK,
    coverage,
    settings: [],
    partial: false,
    doubted_models: null,
    rounding_declared: false,
    rounding_unit: null,
    identified: true,
  });
  /** Charges of a model whose exact price is a third of a micro-dollar more each time. */
  const thirds = (model: string, charge: (exact: bigint) => bigint): readonly TrustRow[] =>
    Array.from({ length: 9 }, (_, index) => {
      const exact = rational(BigInt(index + 1), 3_000_000n);
      const charged = charge(exact.num * 10n ** 12n) / exact.den;
      return { book: BOOK, model, endpoint: 'chat', exact, rounded: null, charged };
    });
  const toTen = (mode: 'floor' | 'ceil') => (scaled: bigint) => {
    const step = 3_000_000n * 10_000n;
    return (scaled / step + (mode === 'ceil' && scaled % step > 0n ? 1n : 0n)) * step;
  };

  test('rounds a model of which every row is wrong as it rounds all others', () => {
    const rows = [...thirds('right', toTen('floor')), ...thirds('wrong', (scaled) => scaled * 90n)];
    const trust = bookTrust(rows, silent);
    for (const model of ['right', 'wrong', 'never called']) {
      expect(trust.of(BOOK, model, 'chat')).toMatchObject({
        kind: 'undeclared',
        rounding: { mode: 'floor', quantum: '0.00000001' },
      });
    }
  });

  test('and so where one of many is wrong in its last digit', () => {
    const many = ['a', 'b', 'c'].flatMap((model) => thirds(model, toTen('floor')));
    const [first, ...others] = many;
    if (first === undefined) throw new Error('no rows');
    const rows = [
      { ...first, charged: first.charged + 20_000n },
      ...others,
      ...thirds('wrong', (scaled) => scaled * 90n),
    ];
    const trust = bookTrust(rows, silent);
    const rule = { kind: 'undeclared', rounding: { mode: 'floor', quantum: '0.00000001' } };
    for (const model of ['b', 'wrong', 'never called']) {
      expect(trust.of(BOOK, model, 'chat')).toMatchObject(rule);
    }
    expect(trust.of(BOOK, 'a', 'chat')).toMatchObject({ kind: 'undeclared', rounding: null });
  });

  test('and not by a coarser grid that the few rows of a model show by chance', () => {
    const many = ['a', 'b', 'c'].flatMap((model) => thirds(model, toTen('floor')));
    const [first, ...others] = many;
    if (first === undefined) throw new Error('no rows');
    const even = { ...first, model: 'few', exact: rational(3n, 1_000_000n), charged: 3_000_000n };
    const trust = bookTrust([{ ...first, charged: first.charged + 20_000n }, ...others, even], silent);
    expect(trust.of(BOOK, 'few', 'chat')).toMatchObject({ rounding: { quantum: '0.00000001' } });
  });

  test('and where models differ, each by its own rows', () => {
    const rows = [...thirds('down', toTen('floor')), ...thirds('up', toTen('ceil'))];
    const trust = bookTrust(rows, silent);
    const modeOf = (model: string) => {
      const cell = trust.of(BOOK, model, 'chat');
      return cell.kind === 'undeclared' ? (cell.rounding?.mode ?? null) : cell.kind;
    };
    expect(['down', 'up', 'never called'].map(modeOf)).toEqual(['floor', 'ceil', null]);
  });

  /** Charges of a model up to the next $0.0001, of prices that lie 60 millionths below it. */
  const upToHundred = (model: string, count: number): readonly TrustRow[] =>
    Array.from({ length: count }, (_, index) => {
      const charged = BigInt(index + 1) * 100_000_000n;
      const exact = rational(charged - 60_000_000n, 10n ** 12n);
      return { book: BOOK, model, endpoint: 'chat', exact, rounded: null, charged };
    });

  test('and by a grid of $0.0001 that few rows of each of many models show', () => {
    const trust = bookTrust(
      ['a', 'b', 'c', 'd', 'e'].flatMap((model) => upToHundred(model, 5)),
      silent,
    );
    for (const model of ['a', 'e', 'never called']) {
      expect(trust.of(BOOK, model, 'chat')).toMatchObject({ rounding: { mode: 'ceil', quantum: '0.0001' } });
    }
  });

  test('and by such a grid where one model of many shows it', () => {
    const fine = Array.from({ length: 30 }, (_, index) => thirds(`m${index}`, toTen('floor'))).flat();
    const trust = bookTrust([...fine, ...upToHundred('coarse', 20)], silent);
    expect(trust.of(BOOK, 'coarse', 'chat')).toMatchObject({ rounding: { quantum: '0.0001' } });
    expect(trust.of(BOOK, 'm0', 'chat')).toMatchObject({ rounding: { quantum: '0.00000001' } });
  });

  /** Charges in units of $0.000002, up or down from prices that lie between two of them. */
  const inUnits = (count: number, extra: bigint): readonly TrustRow[] =>
    Array.from({ length: count }, (_, index) => {
      const charged = BigInt(index + 1) * 2_000_000n;
      const exact = rational(charged - 700_000n, 10n ** 12n);
      return { book: BOOK, model: 'm', endpoint: 'chat', exact, rounded: null, charged: charged + extra };
    });
  const ofUnits = () => ({ ...silent(), rounding_unit: '0.000002' });

  test('rounds to the unit that its target tells, in the direction that the charges show', () => {
    const trust = bookTrust(inUnits(3, 0n), ofUnits, [2_000_000n, 4_000_000n]);
    expect(trust.of(BOOK, 'm', 'chat')).toMatchObject({
      kind: 'undeclared',
      rounding: { mode: 'half_up', quantum: '0.000002' },
      unit: 2_000_000n,
      told: true,
    });
  });

  test('and is told no unit where a record is charged a part of one, or no direction gives the charges', () => {
    const told = (trust: CellTrust) => trust.kind === 'undeclared' && trust.told;
    expect(told(bookTrust(inUnits(3, 0n), ofUnits, [3_000_000n]).of(BOOK, 'm', 'chat'))).toBe(false);
    const some = [...inUnits(2, 0n), ...inUnits(2, -2_000_000n)];
    expect(told(bookTrust(some, ofUnits, []).of(BOOK, 'm', 'chat'))).toBe(false);
  });
});
