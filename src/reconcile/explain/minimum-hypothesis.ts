import { formatAmount, type PicoUsd } from '../../core/amount.ts';
import { type Hypothesis, RANK } from './hypothesis.ts';
import type { MismatchedRow } from './mismatched-row.ts';

const LEAST_ROWS = 3;

/** Calls that should cost several sums below it, and cost exactly this one: the sum that most rows share. */
export function minimumHypothesis(rows: readonly MismatchedRow[]): Hypothesis | null {
  const byAmount = Map.groupBy(rows, ({ charged }) => charged);
  let best: { readonly amount: PicoUsd; readonly rows: number } | null = null;
  for (const [amount, held] of byAmount) {
    const lifted = held.filter(({ due }) => due > 0n && due < amount);
    const more = best === null || lifted.length > best.rows;
    const asMany = best !== null && lifted.length === best.rows && amount < best.amount;
    if (lifted.length >= LEAST_ROWS && (more || asMany)) best = { amount, rows: lifted.length };
  }
  if (best === null) return null;
  const { amount } = best;
  const text = formatAmount(amount);
  return {
    name: `minimum:${text}`,
    class: 'minimum_charge_unexpected',
    rank: RANK.minimum,
    confidence: 'proved',
    told: `a call costs ${text} USD at least`,
    needs: { rows: LEAST_ROWS, amounts: 1, dues: 2 },
    general: true,
    charge: ({ due }) => (due > 0n && due < amount ? { lo: amount, hi: amount } : null),
  };
}
