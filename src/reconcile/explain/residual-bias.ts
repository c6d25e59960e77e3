import { parseAmount } from '../../core/amount.ts';
import type { PricedRow } from './mismatched-row.ts';
import { roundingOf } from './rounding-of.ts';

/** By how much amounts lie off their unrounded sums on the average. */
export interface ResidualBias {
  readonly rows: number;
  /** In thousandths of the quantum, rounded toward 0. */
  readonly mean_thousandths: bigint;
}

const LEAST_ROWS = 200;
const PICO = 1_000_000_000_000n;
/** Parts of a quantum in which residuals are added up; what is cut off is far below what the test resolves. */
const PARTS = 1_000_000n;
/** 4² standard deviations over the 1/12 of a quantum squared by which residuals of an even-handed rule spread. */
const SQUARED_LIMIT = 16n;
const TWELFTHS = 12n;

/**
 * Whether the amounts of at least 200 rows lean to one side: the mean of their residuals is further from 0 than four
 * standard deviations of a rule that rounds to the nearest. Null where they do not, or are too few.
 */
export function residualBias(rows: readonly PricedRow[]): ResidualBias | null {
  let sum = 0n;
  let count = 0n;
  for (const { exact, charged, book, context } of rows) {
    const quantum = parseAmount(roundingOf(book, context.model).quantum);
    if (exact === null || quantum === null) continue;
    const residual = ((charged * exact.den - exact.num * PICO) * PARTS) / (exact.den * quantum);
    // What is off by whole quanta is wrong by more than its rounding, and no part of a drift.
    if (residual > PARTS || residual < -PARTS) continue;
    sum += residual;
    count += 1n;
  }
  if (count < BigInt(LEAST_ROWS)) return null;
  const leans = sum * sum * TWELFTHS > SQUARED_LIMIT * count * PARTS * PARTS;
  return leans ? { rows: Number(count), mean_thousandths: (sum * 1000n) / (count * PARTS) } : null;
}
