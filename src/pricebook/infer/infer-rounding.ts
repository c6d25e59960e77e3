import type { Rounding } from '../../contracts/price-book.ts';
import { AMOUNT_SCALE, amountOf, type PicoUsd, parseAmount } from '../../core/amount.ts';
import { type Decimal, parseDecimal } from '../../core/decimal.ts';
import {
  compareRational,
  multiplyRational,
  type Rational,
  rational,
  subtractRational,
} from '../../core/rational.ts';
import { ROUNDING_MODES, roundToQuantum } from '../../core/rounding.ts';
import { sharedDecimal } from './shared-decimal.ts';

/** A charge before rounding beside what was charged for it. */
export interface ChargedRow {
  readonly exact: Rational;
  readonly charged: PicoUsd;
}

export interface InferredRounding {
  readonly rounding: Rounding;
  /** Rows that it gives to the digit, of `of`. */
  readonly fit: number;
  readonly of: number;
}

/** Coarsest first: where several fit all rows, the amounts show no finer grid. */
const QUANTA = [
  '0.000002',
  '0.000001',
  '0.0000001',
  '0.00000001',
  '0.000000001',
  '0.0000000001',
  '0.00000000001',
  '0.000000000001',
];
/** The most that a rounding moves an amount, 10⁻¹² USD: what is further off is wrong under any. */
export const WIDEST_ROUNDING: PicoUsd = 2_000_000n;
const PICO_PER_USD = 10n ** BigInt(AMOUNT_SCALE);

/**
 * The rounding (mode and quantum, once a record) that gives every row of a cell to the digit. Rows that no rounding
 * explains are left aside; null where no rule gives all others. It shows how the amounts agree with each other and
 * proves nothing about what is due.
 */
export function inferRounding(rows: readonly ChargedRow[]): InferredRounding | null {
  for (const { quantum, within, percent } of quantaOf(rows)) {
    const rule = within.length === 0 ? null : bestRule(within, quantum);
    if (rule !== null && rule.given.length * 100 >= within.length * percent)
      return { rounding: rule.rounding, fit: rule.given.length, of: rows.length };
  }
  return null;
}

interface TriedQuantum {
  readonly quantum: string;
  /** Rows that it may have moved to where they are. */
  readonly within: readonly ChargedRow[];
  /** The share of them that it must give. */
  readonly percent: number;
}

/** So many amounts, all of them multiples of a coarse quantum, show its grid; what is wrong on it may lie near another price. */
const LEAST_ON_GRID = 6;
const GRID_PERCENT = 80;

/** The quanta that the amounts allow, coarsest first. */
function quantaOf(rows: readonly ChargedRow[]): readonly TriedQuantum[] {
  const within = rows.filter(isWithinRounding);
  const paid = rows.filter(({ charged }) => charged !== 0n);
  const isVaried = new Set(paid.map(({ charged }) => charged)).size >= LEAST_AMOUNTS;
  const coarse = COARSE_QUANTA.flatMap((quantum): readonly TriedQuantum[] => {
    const step = parseAmount(quantum);
    if (step === null || paid.length < LEAST_ON_GRID || !isVaried) return [];
    if (paid.some(({ charged }) => charged % step !== 0n)) return [];
    return [{ quantum, within: rows.filter((row) => isWithin(row, step)), percent: GRID_PERCENT }];
  });
  return [...coarse, ...QUANTA.map((quantum) => ({ quantum, within, percent: 100 }))];
}

/** So many rows, and so many of a hundred of them, show a rule that stands although some contradict it. */
const LEAST_OF_MOST = 20;
const MOST_PERCENT = 90;

/**
 * The rounding that gives nearly all of many rows: what stands in where a few are wrong by their last digit, and for
 * prices of which no row is right. Null where none does.
 */
export function prevailingRounding(rows: readonly ChargedRow[]): Rounding | null {
  const within = rows.filter(isWithinRounding);
  return within.length < LEAST_OF_MOST ? null : nearlyAll(within, QUANTA);
}

/** Lawful as well, but only seen where many amounts lie further from their price than a fine grid moves them. */
const COARSE_QUANTA = ['0.0001', '0.00001'];
/** One amount for all is a least charge, and shows no grid. */
const LEAST_AMOUNTS = 3;

/**
 * By how much a rounding that nobody tells may move any amount, 10⁻¹² USD: the unit of the coarsest grid on which most
 * models stand, or nearly all `amounts`, those of every record. A price on the grid shows none.
 */
export function untoldUnit(models: readonly (readonly ChargedRow[])[], amounts: readonly PicoUsd[]): PicoUsd {
  const steps = COARSE_QUANTA.flatMap((quantum) => parseAmount(quantum) ?? []);
  const isOn = (step: PicoUsd): boolean => {
    const moved = models
      .map((rows) => rows.filter((row) => isMoved(row, step)))
      .filter(({ length }) => length > 0);
    const isOnGrid = isMostly(moved, (rows) => isMostly(rows, ({ charged }) => charged % step === 0n));
    return isOnGrid || isGrid(step, amounts);
  };
  return steps.find(isOn) ?? WIDEST_ROUNDING;
}

function isGrid(step: PicoUsd, amounts: readonly PicoUsd[]): boolean {
  const paid = amounts.filter((amount) => amount !== 0n);
  const on = paid.filter((amount) => amount % step === 0n);
  return paid.length > 0 && on.length * 100 >= paid.length * GRID_PERCENT;
}

function isMoved({ exact, charged }: ChargedRow, step: PicoUsd): boolean {
  return charged !== 0n && (exact.num * PICO_PER_USD) % (exact.den * step) !== 0n;
}

function isMostly<T>(all: readonly T[], holds: (one: T) => boolean): boolean {
  return all.filter(holds).length * 2 > all.length;
}

/**
 * The rounding of many charges that no fine one explains: a coarse grid, or the one behind a factor that all of them
 * share. It excuses what it moves and no factor: with the rounding known, that is told to the digit.
 */
export function wideRounding(rows: readonly ChargedRow[]): Rounding | null {
  const beyond = rows.filter((row) => !isWithinRounding(row));
  if (beyond.length < LEAST_OF_MOST) return null;
  if (new Set(beyond.map(({ charged }) => charged)).size < LEAST_AMOUNTS) return null;
  return nearlyAll(rows, COARSE_QUANTA) ?? behindFactor(rows);
}

function behindFactor(rows: readonly ChargedRow[]): Rounding | null {
  const spans = rows.map(({ exact, charged }) => {
    if (exact.num <= 0n) return null;
    const end = (by: PicoUsd) => rational((charged + by) * exact.den, exact.num * PICO_PER_USD);
    return { lo: end(-WIDEST_ROUNDING), hi: end(WIDEST_ROUNDING) };
  });
  const factor = sharedDecimal(spans);
  if (factor === null) return null;
  const by = rational(factor.digits, 10n ** BigInt(factor.scale));
  const scaled = rows.map(({ exact, charged }) => ({ exact: multiplyRational(exact, by), charged }));
  return isMost(scaled.filter(isWithinRounding), rows) ? prevailingRounding(scaled) : null;
}

function nearlyAll(rows: readonly ChargedRow[], quanta: readonly string[]): Rounding | null {
  const rules = quanta.map((quantum) => bestRule(rows, quantum));
  return rules.find((rule) => rule !== null && isMost(rule.given, rows))?.rounding ?? null;
}

/** The mode that gives most rows on a grid. */
function bestRule(
  rows: readonly ChargedRow[],
  quantum: string,
): { readonly rounding: Rounding; readonly given: readonly ChargedRow[] } | null {
  const step = parseDecimal(quantum);
  if (step === null) return null;
  return ROUNDING_MODES.map((mode) => ({
    rounding: { scope: 'record' as const, quantum, mode, pre: [] },
    given: rows.filter((row) => gives(row, step, mode)),
  })).reduce((most, each) => (each.given.length > most.given.length ? each : most));
}

function isMost(part: readonly ChargedRow[], rows: readonly ChargedRow[]): boolean {
  return part.length * 100 >= rows.length * MOST_PERCENT;
}

/** How charges are rounded to a unit that is told: the mode that gives nearly all of them; null where none does. */
export function roundingTo(quantum: string, rows: readonly ChargedRow[]): Rounding | null {
  const step = parseAmount(quantum);
  const within = step === null ? [] : rows.filter((row) => isWithin(row, step));
  const rule = within.length === 0 ? null : bestRule(within, quantum);
  return rule !== null && rule.given.length * 100 >= within.length * GRID_PERCENT ? rule.rounding : null;
}

/** How many rows a rule gives to the digit. */
export function roundingFit({ quantum, mode }: Rounding, rows: readonly ChargedRow[]): number {
  const step = parseDecimal(quantum);
  return step === null ? 0 : rows.filter((row) => gives(row, step, mode)).length;
}

/** Whether a rule gives every row that some rounding explains. */
export function roundingGives({ quantum, mode }: Rounding, rows: readonly ChargedRow[]): boolean {
  const [step, most] = [parseDecimal(quantum), parseAmount(quantum)];
  if (step === null || most === null) return false;
  const widest = most > WIDEST_ROUNDING ? most : WIDEST_ROUNDING;
  return rows.filter((row) => isWithin(row, widest)).every((row) => gives(row, step, mode));
}

/** True where some rounding may have made the amount of the price. */
export function isWithinRounding(row: ChargedRow): boolean {
  return isWithin(row, WIDEST_ROUNDING);
}

function isWithin({ exact, charged }: ChargedRow, most: PicoUsd): boolean {
  const off = subtractRational({ num: charged, den: PICO_PER_USD }, exact);
  const size = off.num < 0n ? { num: -off.num, den: off.den } : off;
  return compareRational(size, { num: most, den: PICO_PER_USD }) < 0;
}

function gives({ exact, charged }: ChargedRow, quantum: Decimal, mode: Rounding['mode']): boolean {
  return amountOf(roundToQuantum(exact, quantum, mode)) === charged;
}
