import type { Rounding } from '../../contracts/price-book.ts';
import { AMOUNT_SCALE, amountOf, type PicoUsd, parseAmount } from '../../core/amount.ts';
import { type Decimal, parseDecimal } from '../../core/decimal.ts';
import { compareRational, type Rational, subtractRational } from '../../core/rational.ts';
import { ROUNDING_MODES, roundToQuantum } from '../../core/rounding.ts';

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

/** Quanta that may make up much of a charge: they count only where so many amounts are all their multiples. */
const COARSE_QUANTA = ['0.0001', '0.00001'];
const LEAST_ON_GRID = 6;
/** The grid shows the quantum; a wrong charge on it may still lie near another. */
const GRID_PERCENT = 80;

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

/**
 * The rounding (mode and quantum, once a record) that gives every row of a cell to the digit. Rows that no rounding
 * explains are left aside; null where no rule gives all others. It shows how the amounts agree with each other and
 * proves nothing about what is due.
 */
export function inferRounding(rows: readonly ChargedRow[]): InferredRounding | null {
  for (const { quantum, within, percent } of quantaOf(rows)) {
    const step = parseDecimal(quantum);
    if (step === null || within.length === 0) continue;
    const fits = ROUNDING_MODES.map((mode) => ({
      mode,
      fit: within.filter((row) => gives(row, step, mode)).length,
    }));
    const { mode, fit } = fits.reduce((most, each) => (each.fit > most.fit ? each : most));
    if (fit * 100 >= within.length * percent)
      return { rounding: { scope: 'record', quantum, mode, pre: [] }, fit, of: rows.length };
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

/** The quanta that the amounts allow, coarsest first. */
function quantaOf(rows: readonly ChargedRow[]): readonly TriedQuantum[] {
  const within = rows.filter(isWithinRounding);
  const paid = rows.filter(({ charged }) => charged !== 0n);
  const coarse = COARSE_QUANTA.flatMap((quantum): readonly TriedQuantum[] => {
    const step = parseAmount(quantum);
    if (step === null || paid.length < LEAST_ON_GRID) return [];
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
  if (within.length < LEAST_OF_MOST) return null;
  const least = Math.ceil((within.length * MOST_PERCENT) / 100);
  for (const quantum of QUANTA) {
    const step = parseDecimal(quantum);
    if (step === null) continue;
    const fits = ROUNDING_MODES.map((mode) => ({
      mode,
      fit: within.filter((row) => gives(row, step, mode)).length,
    }));
    const best = fits.reduce((most, each) => (each.fit > most.fit ? each : most));
    if (best.fit >= least) return { scope: 'record', quantum, mode: best.mode, pre: [] };
  }
  return null;
}

/** Whether a rule gives every row that some rounding explains. */
export function roundingGives({ quantum, mode }: Rounding, rows: readonly ChargedRow[]): boolean {
  const [step, most] = [parseDecimal(quantum), parseAmount(quantum)];
  if (step === null || most === null) return false;
  const widest = most > WIDEST_ROUNDING ? most : WIDEST_ROUNDING;
  return rows.filter((row) => isWithin(row, widest)).every((row) => gives(row, step, mode));
}

/** True where some rounding may have made the amount of the price. */
function isWithinRounding(row: ChargedRow): boolean {
  return isWithin(row, WIDEST_ROUNDING);
}

function isWithin({ exact, charged }: ChargedRow, most: PicoUsd): boolean {
  const off = subtractRational({ num: charged, den: 10n ** BigInt(AMOUNT_SCALE) }, exact);
  const size = off.num < 0n ? { num: -off.num, den: off.den } : off;
  return compareRational(size, { num: most, den: 10n ** BigInt(AMOUNT_SCALE) }) < 0;
}

function gives({ exact, charged }: ChargedRow, quantum: Decimal, mode: Rounding['mode']): boolean {
  return amountOf(roundToQuantum(exact, quantum, mode)) === charged;
}
