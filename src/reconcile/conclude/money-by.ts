import type { JudgedCall } from '../../contracts/reconciliation.ts';
import type { ChargedMoney, DayMoney, ModelMoney } from '../../contracts/result-money.ts';
import { formatAmount, type PicoUsd, parseAmount } from '../../core/amount.ts';
import { instantOfSecond } from '../../core/time.ts';
import type { JudgedMoney, Judgement } from '../judges/judgement.ts';

/** The money of each model, dearest first; the differences add up to that of the whole. */
export function moneyByModel(judgements: readonly Judgement[]): readonly ModelMoney[] {
  return sumsBy(judgements, ({ model }) => model ?? 'unknown')
    .map(([model, sums]) => ({ model, ...shown(sums) }))
    .sort((left, right) => byCharge(left, right) || (left.model < right.model ? -1 : 1));
}

/** The money of each UTC day of a record; without one, of the start of its call. */
export function moneyByDay(judgements: readonly Judgement[]): readonly DayMoney[] {
  return sumsBy(judgements, dayOf)
    .map(([day, sums]) => ({ day, ...shown(sums) }))
    .sort((left, right) => (left.day < right.day ? -1 : 1));
}

interface Sums {
  calls: number;
  /** Null once a charge of the group cannot be read. */
  charged: PicoUsd | null;
  due: PicoUsd;
  /** Charges of parts whose right charge is one figure. */
  charged_of_points: PicoUsd;
  points: number;
}

function sumsBy(
  judgements: readonly Judgement[],
  keyOf: (call: JudgedCall) => string,
): readonly (readonly [string, Sums])[] {
  const groups = new Map<string, Sums>();
  for (const { calls, money, stands_for = 0 } of judgements) {
    const [first] = calls;
    if (first === undefined || money.length === 0) continue;
    const key = keyOf(first);
    const sums = groups.get(key) ?? { calls: 0, charged: 0n, due: 0n, charged_of_points: 0n, points: 0 };
    sums.calls += calls.length + stands_for;
    for (const part of money) add(sums, part);
    groups.set(key, sums);
  }
  return [...groups];
}

function add(sums: Sums, { charged, due }: JudgedMoney): void {
  sums.charged = sums.charged === null || charged === null ? null : sums.charged + charged;
  if (due === null || charged === null) return;
  sums.due += due;
  sums.charged_of_points += charged;
  sums.points += 1;
}

function shown({ calls, charged, due, charged_of_points, points }: Sums): ChargedMoney {
  return {
    calls,
    charged: charged === null ? null : formatAmount(charged),
    expected: points === 0 ? null : formatAmount(due),
    difference: points === 0 ? null : formatAmount(charged_of_points - due),
  };
}

function dayOf({ record, started_at }: JudgedCall): string {
  const instant = instantOfSecond(record?.created_at ?? null) ?? started_at;
  return instant?.slice(0, 'YYYY-MM-DD'.length) ?? 'unknown';
}

function byCharge(left: ModelMoney, right: ModelMoney): number {
  const [one, other] = [left, right].map(({ charged }) => parseAmount(charged ?? '0') ?? 0n);
  return (one ?? 0n) > (other ?? 0n) ? -1 : (one ?? 0n) < (other ?? 0n) ? 1 : 0;
}
