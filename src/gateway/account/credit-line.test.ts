import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CreditLine } from './credit-line.ts';

function line(...credits: readonly (readonly [receipt: string | null, amount: bigint])[]): CreditLine {
  const made = new CreditLine();
  for (const [receipt, amount] of credits) made.add({ receipt, amount });
  return made;
}

describe('a charge draws on the oldest credit', () => {
  const credits = line(['a', 10n], [null, 5n], ['b', 10n]);

  test('and on the next where that is used up', () => {
    expect(credits.receiptsFor(10n)).toEqual(['a']);
    expect(credits.receiptsFor(11n)).toEqual(['a']);
    expect(credits.receiptsFor(16n)).toEqual(['a', 'b']);
    credits.draw(10n);
    expect(credits.receiptsFor(5n)).toEqual([]);
    expect(credits.receiptsFor(6n)).toEqual(['b']);
    credits.draw(5n);
    expect(credits.receiptsFor(1n)).toEqual(['b']);
  });

  test('and gives it back', () => {
    credits.draw(-6n);
    expect(credits.receiptsFor(1n)).toEqual(['a']);
  });
});

test('what is drawn beyond all credits is covered by the next, and belongs to none', () => {
  const credits = line(['a', 10n]);
  expect(credits.receiptsFor(15n)).toEqual(['a']);
  credits.draw(15n);
  expect(credits.receiptsFor(1n)).toEqual([]);
  credits.add({ receipt: 'b', amount: 5n });
  expect(credits.receiptsFor(1n)).toEqual([]);
  credits.add({ receipt: 'c', amount: 5n });
  expect(credits.receiptsFor(1n)).toEqual(['c']);
});

test('a call of nothing draws on none', () => {
  expect(line(['a', 10n]).receiptsFor(0n)).toEqual([]);
});

test('property: the same as one unit after the other', () => {
  const amount = fc.bigInt(0n, 9n);
  fc.assert(
    fc.property(fc.array(amount, { maxLength: 6 }), fc.array(amount, { maxLength: 12 }), (added, charges) => {
      const credits = line(...added.map((units, index) => [`r${index}`, units] as const));
      const units = added.flatMap((count, index) => Array.from({ length: Number(count) }, () => `r${index}`));
      for (const charge of charges) {
        const drawn = units.splice(0, Number(charge));
        expect(credits.receiptsFor(charge)).toEqual([...new Set(drawn)]);
        credits.draw(charge);
      }
    }),
  );
});
