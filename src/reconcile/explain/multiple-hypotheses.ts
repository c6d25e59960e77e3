import { type PicoUsd, parseAmount } from '../../core/amount.ts';
import { formatDecimal, normalise } from '../../core/decimal.ts';
import type { Rational } from '../../core/rational.ts';
import { rationalText } from '../../pricebook/charge/charge-term.ts';
import { type RatioSpan, sharedDecimal } from '../../pricebook/infer/shared-decimal.ts';
import { type AmountSpan, type Hypothesis, ONE_ROW, RANK } from './hypothesis.ts';
import type { MismatchedRow, PricedRow } from './mismatched-row.ts';
import { roundingOf } from './rounding-of.ts';

/** Cents for dollars, thousands for single tokens, millions for thousands: and the reverse. */
const UNIT_FACTORS: readonly Rational[] = [100n, 1000n, 1_000_000n].flatMap((factor) => [
  { num: factor, den: 1n },
  { num: 1n, den: factor },
]);

/** A factor of more digits than this is a coincidence, not a setting. */
const MOST_DIGITS = 6;

/** The amount is wrong by a unit: one row is enough, for no price list has such steps. */
export function unitFactorHypotheses(): readonly Hypothesis[] {
  return UNIT_FACTORS.map((factor) => ({
    name: `unit:${rationalText(factor)}`,
    class: 'currency_or_unit_error',
    rank: RANK.unit,
    confidence: 'strong',
    told: `the amount is ${rationalText(factor)} times the price, a wrong unit`,
    needs: ONE_ROW,
    general: true,
    charge: (row) => timesSpan(row, row.due, factor),
  }));
}

export function chargedTwice(): Hypothesis {
  return {
    name: 'charged_twice',
    class: 'amount_mismatch',
    rank: RANK.charged_twice,
    confidence: 'proved',
    told: 'one record charges the call twice',
    needs: ONE_ROW,
    general: true,
    charge: ({ due }) => (due === 0n ? null : { lo: due * 2n, hi: due * 2n }),
  };
}

/** One factor on every amount: of the factors that the rows leave, the one that most of them share. */
export function factorHypothesis(rows: readonly MismatchedRow[]): Hypothesis | null {
  const factor = sharedDecimal(rows.map((row) => ratioSpan(row, row.due)));
  if (factor === null || isTaken(factor)) return null;
  const text = formatDecimal(normalise(factor));
  return {
    name: `factor:${text}`,
    class: 'group_ratio_wrong',
    rank: RANK.factor,
    confidence: 'strong',
    told: `the amount is ${text} times the price`,
    needs: { rows: 2, amounts: 2, dues: 2 },
    general: true,
    charge: (row) => timesSpan(row, row.due, { num: factor.digits, den: 10n ** BigInt(factor.scale) }),
  };
}

/** One factor on what the record reserved. */
export function reserveHypothesis(rows: readonly MismatchedRow[]): Hypothesis | null {
  const above = rows.filter(isAboveReserve);
  const factor = sharedDecimal(above.map((row) => ratioSpan(row, row.reserved ?? 0n)));
  if (factor === null || tooLong(factor)) return null;
  const text = formatDecimal(normalise(factor));
  return {
    ...aboveReserve(),
    name: `above_reserve:${text}`,
    told: `the amount is ${text} times what was reserved`,
    general: true,
    needs: { rows: 2, amounts: 2, dues: 2 },
    charge: (row) =>
      isAboveReserve(row)
        ? timesSpan(row, row.reserved ?? 0n, { num: factor.digits, den: 10n ** BigInt(factor.scale) })
        : null,
  };
}

/** More was settled than was reserved: it says nothing of the figure, so it comes after all that do. */
export function aboveReserve(): Hypothesis {
  return {
    name: 'above_reserve',
    class: 'settle_above_reserve',
    rank: RANK.above_reserve,
    confidence: 'proved',
    told: 'more was settled than had been reserved',
    needs: ONE_ROW,
    general: false,
    charge: (row) => (isAboveReserve(row) ? { lo: row.charged, hi: row.charged } : null),
  };
}

function isAboveReserve({ charged, reserved }: PricedRow): boolean {
  return reserved !== null && reserved > 0n && charged > reserved;
}

/** Amounts that a factor on a rounded or an unrounded price comes to, rounded again. */
function timesSpan(row: PricedRow, base: PicoUsd, { num, den }: Rational): AmountSpan | null {
  if (base <= 0n) return null;
  const half = halfQuantum(row);
  const lo = ((base - half) * num) / den - half;
  const hi = ((base + half) * num + den - 1n) / den + half;
  return { lo: lo < 0n ? 0n : lo, hi };
}

/** The factors under which a row may have come about; null where they take in 1, so that it shows none. */
function ratioSpan(row: MismatchedRow, base: PicoUsd): RatioSpan | null {
  const half = halfQuantum(row);
  if (base <= half) return null;
  const lo = { num: row.charged - half, den: base + half };
  const hi = { num: row.charged + half, den: base - half };
  if (lo.num <= 0n || (lo.num <= lo.den && hi.num >= hi.den)) return null;
  return { lo, hi };
}

/** Half a quantum under the rules that round to the nearest, a whole one under the others. */
function halfQuantum({ book, context }: PricedRow): PicoUsd {
  const { quantum, mode } = roundingOf(book, context.model);
  const whole = parseAmount(quantum) ?? 1n;
  return mode.startsWith('half') ? whole / 2n : whole;
}

/** Factors that have a name of their own. */
function isTaken(factor: { readonly digits: bigint; readonly scale: number }): boolean {
  const power = 10n ** BigInt(factor.scale);
  const equals = ({ num, den }: Rational): boolean => factor.digits * den === num * power;
  return tooLong(factor) || [...UNIT_FACTORS, { num: 2n, den: 1n }].some(equals);
}

function tooLong({ digits }: { readonly digits: bigint }): boolean {
  return digits.toString().replace(/0+$/, '').length > MOST_DIGITS;
}
