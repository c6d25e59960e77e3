import type { Budget } from '../../config/budget-schema.ts';
import { formatDuration } from '../../config/duration.ts';
import { AMOUNT_SCALE, formatAmount, parseAmount } from '../../core/amount.ts';
import { alignedRows } from '../../text/aligned-rows.ts';
import { andList } from '../../text/and-list.ts';
import { type CapStop, DAY_MS } from './cap-reach.ts';
import type { CostPerPeriod, ProbeForecastRow, TargetForecast } from './forecast-probes.ts';

const HEAD = [
  'probe',
  'every',
  'a run, at most',
  'an hour',
  'a day',
  '30 days',
  'worst: an hour',
  'a day',
  '30 days',
];

/** The forecast for a reader: a table of what is paid, what is free, and what the caps do to it. */
export function probeForecastLines(forecast: TargetForecast): string[] {
  const { target, root, probes } = forecast;
  const paid = probes.filter((row) => row.paid);
  const free = probes.filter((row) => !row.paid);
  return [
    `target ${target} (${root}): ${probes.length} probes, ${paid.length} of them paid`,
    ...(free.length === 0 ? [] : [`  free: ${free.map(everyText).join(', ')}`]),
    ...(paid.length === 0 ? ['  costs nothing'] : [...paidTable(forecast, paid), ...budgetLines(forecast)]),
  ];
}

/** What the columns mean; once, under all targets. */
export const FORECAST_NOTES: readonly string[] = [
  'expected: by the dearest price of the book, every answer as long as max_tokens',
  'worst: what the budget reserves before a run and gives back when its cost is known: every byte of the prompt as a token, and 1024 tokens that the gateway may add',
];

function everyText({ probe, interval_ms }: ProbeForecastRow): string {
  return `${probe} every ${formatDuration(interval_ms)}`;
}

function paidTable({ expected, worst_case }: TargetForecast, paid: readonly ProbeForecastRow[]): string[] {
  const rows = paid.map((row) => [
    row.probe,
    formatDuration(row.interval_ms),
    row.run === null ? 'price unknown' : `${usd(row.run.worst)}${row.assumed ? ' assumed' : ''}`,
    ...costCells(row.expected),
    ...costCells(row.worst_case),
  ]);
  return alignedRows([
    HEAD,
    ...rows,
    ['total', '', '', ...costCells(expected), ...costCells(worst_case)],
  ]).map((line) => `  ${line}`);
}

function costCells(cost: CostPerPeriod | null): string[] {
  return cost === null ? ['-', '-', '-'] : [usd(cost.hour), usd(cost.day), usd(cost.month)];
}

function budgetLines({ budget, probes, expected, worst_case, stopped_at_worst }: TargetForecast): string[] {
  const unpriced = probes.filter((row) => row.unpriced).map(({ probe }) => probe);
  const lines =
    unpriced.length === 0
      ? []
      : [
          `  the price is unknown, so the probe does not run: ${unpriced.join(', ')}. Set probe.assume_usd_per_run to run it.`,
        ];
  if (budget === null) {
    const need = `usd_per_hour of at least ${usd(expected.hour)} (worst case ${usd(worst_case.hour)}), usd_per_day of ${usd(expected.day)} (${usd(worst_case.day)}), usd_per_month, if any, of ${usd(monthOf(expected))} (${usd(monthOf(worst_case))})`;
    return [...lines, `  no budget yet: the daemon needs one; for all runs it takes a ${need}`];
  }
  const stopped = probes.flatMap((row) =>
    row.stopped.length === 0 ? [] : [`  ${row.probe} ${stopsText('stops', row.stopped)}`],
  );
  return [
    ...lines,
    `  budget: $${budget.usd_per_hour} an hour, $${budget.usd_per_day} a day${monthCap(budget)}`,
    ...(stopped.length > 0 ? stopped : ['  at the expected spend the caps stop no probe']),
    stopped_at_worst.length === 0
      ? '  nor do they if every run costs its worst case'
      : `  if every run cost its worst case, the first would ${stopsText('stop', stopped_at_worst)}`,
  ];
}

function monthCap({ usd_per_month: cap }: Budget): string {
  return cap === undefined ? '' : `, $${cap} a month`;
}

function monthOf({ day }: CostPerPeriod): string {
  return formatAmount((parseAmount(day) ?? 0n) * LONGEST_MONTH_DAYS);
}

function stopsText(verb: 'stop' | 'stops', stops: readonly CapStop[]): string {
  const [never] = stops.filter(({ after_ms }) => after_ms === 0);
  if (never !== undefined) return `never runs: its reserve alone is above the cap of ${ONE[never.cap]}`;
  const by = stops.length > 1 ? 'their caps' : `the cap of ${andList(stops.map(({ cap }) => ONE[cap]))}`;
  return `${verb} ${andList(stops.map(stopText))}, by ${by}`;
}

function stopText({ cap, after_ms }: CapStop): string {
  const each = after_ms < SHORTEST_MONTH_MS ? cap : `${cap} that is longer`;
  return `${lengthText(after_ms)} into each ${each}`;
}

const SHORTEST_MONTH_MS = 28 * DAY_MS;
const LONGEST_MONTH_DAYS = 31n;
const ONE = { hour: 'an hour', day: 'a day', month: 'a month' } as const;

/** Rounded down to two units, and at least a minute: `53m`, `4h37m`, `15d2h`. */
function lengthText(ms: number): string {
  const minutes = Math.max(1, Math.floor(ms / 60_000));
  const [days, hours] = [Math.floor(ms / DAY_MS), Math.floor(minutes / 60) % 24];
  if (days > 0) return hours === 0 ? `${days}d` : `${days}d${hours}h`;
  const rest = minutes % 60;
  if (hours === 0) return `${rest}m`;
  return rest === 0 ? `${hours}h` : `${hours}h${rest}m`;
}

/** Rounded up: below a dollar to its millionth part, else to a cent; exact amounts are in the JSON. */
function usd(text: string): string {
  const amount = parseAmount(text) ?? 0n;
  const decimals = amount < ONE_USD ? 6 : 2;
  const step = 10n ** BigInt(AMOUNT_SCALE - decimals);
  const steps = ((amount + step - 1n) / step).toString().padStart(decimals + 1, '0');
  return `$${steps.slice(0, -decimals)}.${steps.slice(-decimals)}`;
}

const ONE_USD = 10n ** BigInt(AMOUNT_SCALE);
