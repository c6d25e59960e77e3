import { EXIT } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { BudgetLimits } from '../../contracts/probe-plan.ts';
import { formatAmount, type PicoUsd } from '../../core/amount.ts';
import { BUDGET_PERIODS, type BudgetPeriod, periodAt } from '../../core/budget-period.ts';
import { formatInstant } from '../../core/time.ts';
import type { TargetBudget } from '../../state/budget/target-budget.ts';
import { andList } from '../../text/and-list.ts';

interface Refused {
  readonly target: string;
  /** The cap of the run. */
  readonly most: PicoUsd;
  readonly limits: BudgetLimits | null;
  readonly budget: TargetBudget;
  readonly now_ms: number;
}

/** `budget_exhausted`: what is left in each period, what is held, and when the cap that is in the way frees. */
export function budgetRefusal({ target, most, limits, budget, now_ms }: Refused): WeighbridgeError {
  const rooms = limits === null ? [] : roomsIn(limits, budget);
  const open = budget.open().reduce((sum, { worst }) => sum + worst, 0n);
  const held = open === 0n ? '' : `; ${usd(open)} of it is held by runs that are not settled`;
  return new WeighbridgeError({
    code: 'budget_exhausted',
    message: `expected room for ${usd(most)} in the budget of ${target}, found ${foundWords(rooms)}${held}; nothing was sent`,
    hint: hintOf(most, rooms, budget.clockBehindMs(), now_ms),
    exitCode: EXIT.spendCap,
  });
}

interface Room {
  readonly period: BudgetPeriod;
  readonly limit: PicoUsd;
  /** Null where nobody can say what the period has cost. */
  readonly left: PicoUsd | null;
}

function roomsIn(limits: BudgetLimits, budget: TargetBudget): readonly Room[] {
  const spent = budget.spent();
  return BUDGET_PERIODS.flatMap((period) => {
    const limit = limits[period];
    return limit === null ? [] : [{ period, limit, left: leftOf(limit, spent[period]) }];
  });
}

function leftOf(limit: PicoUsd, spent: PicoUsd | null): PicoUsd | null {
  if (spent === null) return null;
  return limit > spent ? limit - spent : 0n;
}

function foundWords(rooms: readonly Room[]): string {
  const words = rooms.map(
    ({ period, limit, left }, index) =>
      `${left === null ? 'nobody knows how much' : usd(left)} ${index === 0 ? 'left ' : ''}of ${usd(limit)} in this ${period}`,
  );
  return words.length === 0 ? 'none' : `${andList(words)} (UTC)`;
}

function hintOf(most: PicoUsd, rooms: readonly Room[], behind_ms: number, now_ms: number): string {
  if (rooms.some(({ limit }) => most > limit))
    return 'the cap of the run is above the budget itself: lower --max-spend-usd, or raise the budget in the configuration';
  const full = rooms.findLast(({ left }) => left === null || most > left);
  if (full === undefined || behind_ms > 0)
    return 'the clock stands before what was spent last: set it right; nothing is freed by a clock that goes back';
  const frees = formatInstant(periodAt(full.period, now_ms).end_ms);
  if (full.left === null)
    return `an earlier version has forgotten hours of this ${full.period}: it is counted again from ${frees}; without usd_per_month the caps of hour and day hold on until then`;
  return `the budget frees at ${frees}; a lower --max-spend-usd may have room now; \`weighbridge reconcile --run ID\` settles a run that was killed, for free`;
}

function usd(amount: PicoUsd): string {
  return `$${formatAmount(amount)}`;
}
