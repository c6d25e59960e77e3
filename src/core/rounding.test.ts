import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { compareDecimal, formatDecimal, normalise, parseDecimal, subtractDecimal } from './decimal.ts';
import { rationalOf } from './rational.ts';
import { divideRounded, ROUNDING_MODES, roundToQuantum } from './rounding.ts';

const table = z.object({
  cases: z.array(z.tuple([z.string(), z.string(), z.enum(ROUNDING_MODES), z.string()])),
});
const golden = table.parse(
  JSON.parse(readFileSync(new URL('../../test/corpus/charges/rounding.json', import.meta.url), 'utf8')),
);

test("agrees with Python's decimal in all six modes, ties included", () => {
  expect(golden.cases.length).toBeGreaterThan(800);
  for (const [value, quantum, mode, rounded] of golden.cases) {
    const exact = parseDecimal(value);
    const step = parseDecimal(quantum);
    if (exact === null || step === null) throw new Error(`the table holds ${value} and ${quantum}`);
    const result = formatDecimal(normalise(roundToQuantum(rationalOf(exact), step, mode)));
    expect(`${value} ${mode} ${quantum}: ${result}`).toBe(`${value} ${mode} ${quantum}: ${rounded}`);
  }
});

test('stays within one quantum, within half of one for the nearest modes, and is a multiple of it', () => {
  const value = fc.record({
    digits: fc.bigInt(-(10n ** 18n), 10n ** 18n),
    scale: fc.integer({ min: 0, max: 18 }),
  });
  const quantum = fc.record({ digits: fc.bigInt(1n, 50n), scale: fc.integer({ min: 0, max: 12 }) });
  fc.assert(
    fc.property(value, quantum, fc.constantFrom(...ROUNDING_MODES), (exact, step, mode) => {
      const rounded = roundToQuantum(rationalOf(exact), step, mode);
      expect(rounded.digits % step.digits).toBe(0n);
      const error = subtractDecimal(rounded, exact);
      const distance = { digits: error.digits < 0n ? -error.digits : error.digits, scale: error.scale };
      expect(compareDecimal(distance, step)).toBeLessThan(0);
      if (mode.startsWith('half_')) {
        expect(
          compareDecimal({ digits: distance.digits * 2n, scale: distance.scale }, step),
        ).toBeLessThanOrEqual(0);
      }
      if (mode === 'ceil') expect(compareDecimal(rounded, exact)).toBeGreaterThanOrEqual(0);
      if (mode === 'floor') expect(compareDecimal(rounded, exact)).toBeLessThanOrEqual(0);
    }),
  );
});

test('the three nearest modes differ on ties alone', () => {
  expect(
    ['half_up', 'half_even', 'half_down'].map((mode) =>
      divideRounded(5n, 2n, z.enum(ROUNDING_MODES).parse(mode)),
    ),
  ).toEqual([3n, 2n, 2n]);
  expect(divideRounded(-5n, 2n, 'half_up')).toBe(-3n);
  expect(divideRounded(7n, 2n, 'half_even')).toBe(4n);
});

test('a quantum of 0 is refused', () => {
  expect(() => roundToQuantum({ num: 1n, den: 1n }, { digits: 0n, scale: 0 }, 'floor')).toThrow(RangeError);
});
