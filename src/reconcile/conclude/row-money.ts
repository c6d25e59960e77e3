import type { RowMoney } from '../../contracts/reconciliation.ts';
import { formatAmount, type PicoUsd } from '../../core/amount.ts';
import type { JudgedMoney, Judgement } from '../judges/judgement.ts';

/** Puts the money of a judgement on the one line that it is told in: its call, or the sum of its calls. */
export function withRowMoney(judgement: Judgement): Judgement {
  const { calls, money, sum } = judgement;
  if (money.length === 0) return judgement;
  const row = rowMoney(money);
  if (sum !== undefined) return { ...judgement, sum: { ...sum, money: row } };
  return { ...judgement, calls: calls.map((call, index) => (index === 0 ? { ...call, money: row } : call)) };
}

function rowMoney(parts: readonly JudgedMoney[]): RowMoney {
  const charges = parts.map(({ charged }) => charged);
  const known = charges.filter((charged) => charged !== null);
  const points = parts.filter(({ due }) => due !== null);
  const due = total(points.map((part) => part.due ?? 0n));
  const paid = total(points.map(({ charged }) => charged ?? 0n));
  return {
    charged: known.length < charges.length ? null : formatAmount(total(known)),
    expected: points.length === 0 ? null : formatAmount(due),
    difference: points.length === 0 ? null : formatAmount(paid - due),
    certain_over: formatAmount(total(parts.map(({ certain_over }) => certain_over))),
    certain_under: formatAmount(total(parts.map(({ certain_under }) => certain_under))),
    open: formatAmount(total(parts.map(({ open }) => open))),
  };
}

function total(amounts: readonly PicoUsd[]): PicoUsd {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}
