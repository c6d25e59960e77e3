import { type Budget, budgetOf } from '../../config/budget-schema.ts';
import type { PriceBook } from '../../contracts/price-book.ts';
import type { BudgetLimits, Probe, ProbeTarget } from '../../contracts/probe-plan.ts';
import { formatAmount, type PicoUsd } from '../../core/amount.ts';
import { BUDGET_PERIODS, type BudgetPeriod } from '../../core/budget-period.ts';
import { isPaidKind } from '../../core/call-kind.ts';
import { type CapStop, capStops, DAY_MS, HOUR_MS } from './cap-reach.ts';
import { type RunCost, runCost } from './run-cost.ts';

/** 30 days. */
const MONTH_MS = 30 * DAY_MS;

/** USD as decimal text; the month is one of 30 days. */
export type CostPerPeriod = Readonly<Record<BudgetPeriod, string>>;

export interface ProbeForecastRow {
  readonly probe: string;
  readonly api: Probe['api'];
  readonly model: string | null;
  readonly interval_ms: number;
  readonly paid: boolean;
  /** Of one run, USD; null where it is free or the book has no price for it. */
  readonly run: { readonly expected: string; readonly worst: string } | null;
  readonly expected: CostPerPeriod | null;
  readonly worst_case: CostPerPeriod | null;
  /** Paid without a price: nothing can be reserved for it, so it does not run. */
  readonly unpriced: boolean;
  /** Its cost is `probe.assume_usd_per_run`, since the book has no price. */
  readonly assumed: boolean;
  /** At the expected spend of all paid probes. */
  readonly stopped: readonly CapStop[];
}

export interface TargetForecast {
  readonly target: string;
  readonly root: string;
  readonly budget: Budget | null;
  readonly probes: readonly ProbeForecastRow[];
  /** Of the probes that have a price. */
  readonly expected: CostPerPeriod;
  readonly worst_case: CostPerPeriod;
  /** The caps that stop the dearest probe at the worst case of every run. */
  readonly stopped_at_worst: readonly CapStop[];
}

/** What the probes of a target cost, and which of them its caps stop. Without a book no paid probe has a price. */
export function forecastProbes(target: ProbeTarget, book: PriceBook | null): TargetForecast {
  const priced = target.probes.map((probe) => ({ probe, ...costOf(target, book, probe) }));
  const { budget } = target;
  // What a cap never lets through is not spent either.
  const running = priced.filter(({ cost }) => cost !== null && (budget === null || fits(cost, budget)));
  const spend = (view: keyof RunCost): PicoUsd => sumOf(running, view, HOUR_MS);
  const stops = (worst: PicoUsd, view: keyof RunCost): readonly CapStop[] =>
    budget === null ? [] : capStops(budget, spend(view), worst);
  const dearest = running.reduce(
    (most, { cost }) => (cost !== null && cost.worst > most ? cost.worst : most),
    0n,
  );
  return {
    target: target.name,
    root: target.bases.root,
    budget: budget === null ? null : budgetOf(budget),
    probes: priced.map((each) => rowOf(each, each.cost === null ? [] : stops(each.cost.worst, 'expected'))),
    expected: periods((ms) => sumOf(priced, 'expected', ms)),
    worst_case: periods((ms) => sumOf(priced, 'worst', ms)),
    stopped_at_worst: dearest === 0n ? [] : stops(dearest, 'worst'),
  };
}

interface Priced {
  readonly probe: Probe;
  readonly cost: RunCost | null;
  readonly assumed: boolean;
}

function costOf(
  { assumed_run_usd: assumed }: ProbeTarget,
  book: PriceBook | null,
  probe: Probe,
): Omit<Priced, 'probe'> {
  const cost = book === null ? null : runCost(book, probe);
  if (cost !== null || assumed === null || !isPaidKind(probe.api)) return { cost, assumed: false };
  return { cost: { expected: assumed, worst: assumed }, assumed: true };
}

function fits({ worst }: RunCost, limits: BudgetLimits): boolean {
  return BUDGET_PERIODS.every((period) => {
    const limit = limits[period];
    return limit === null || worst <= limit;
  });
}

function rowOf({ probe, cost, assumed }: Priced, stopped: readonly CapStop[]): ProbeForecastRow {
  const { name, api, model, interval_ms } = probe;
  const paid = isPaidKind(api);
  const base = { probe: name, api, model, interval_ms, paid, assumed };
  if (cost === null) return { ...base, run: null, expected: null, worst_case: null, unpriced: paid, stopped };
  return {
    ...base,
    run: { expected: formatAmount(cost.expected), worst: formatAmount(cost.worst) },
    expected: periods((ms) => per(cost.expected, interval_ms, ms)),
    worst_case: periods((ms) => per(cost.worst, interval_ms, ms)),
    unpriced: false,
    stopped,
  };
}

function sumOf(priced: readonly Priced[], view: keyof RunCost, ms: number): PicoUsd {
  return priced.reduce(
    (sum, { probe, cost }) => (cost === null ? sum : sum + per(cost[view], probe.interval_ms, ms)),
    0n,
  );
}

/** Jitter moves runs, it makes them no more: a period has as many as its length holds, rounded up to the next 10⁻¹² USD. */
function per(cost: PicoUsd, intervalMs: number, periodMs: number): PicoUsd {
  const interval = BigInt(intervalMs);
  return (cost * BigInt(periodMs) + interval - 1n) / interval;
}

function periods(of: (ms: number) => PicoUsd): CostPerPeriod {
  return {
    hour: formatAmount(of(HOUR_MS)),
    day: formatAmount(of(DAY_MS)),
    month: formatAmount(of(MONTH_MS)),
  };
}
