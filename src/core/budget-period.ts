/** What a budget has caps for, the shortest first; all begin with the clock and the calendar of UTC. */
export const BUDGET_PERIODS = ['hour', 'day', 'month'] as const;
export type BudgetPeriod = (typeof BUDGET_PERIODS)[number];

/** Milliseconds since the epoch; the end is where the next one begins. */
/** The hour, the day or the month that a moment lies in. */
export function periodAt(period: BudgetPeriod, at_ms: number) {
  if (period === 'month') {
    const at = new Date(at_ms);
    const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
    // Date.UTC carries the thirteenth month over into the next year.
    return { begin_ms: Date.UTC(year, month), end_ms: Date.UTC(year, month + 1) };
  }
  const length = LENGTH_MS[period];
  const begin_ms = Math.floor(at_ms / length) * length;
  return { begin_ms, end_ms: begin_ms + length };
}

export function byPeriod<T>(of: (period: BudgetPeriod) => T): Record<BudgetPeriod, T> {
  return { hour: of('hour'), day: of('day'), month: of('month') };
}

const HOUR_MS = 3_600_000;
const LENGTH_MS = { hour: HOUR_MS, day: 24 * HOUR_MS } as const;
