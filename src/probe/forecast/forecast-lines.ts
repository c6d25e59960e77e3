import { formatDuration } from '../../config/duration.ts';
import { AMOUNT_SCALE, parseAmount } from '../../core/amount.ts';
import type { CapStop } from './cap-reach.ts';
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
export function forecastLines(forecast: TargetForecast): string[] {
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
    row.run === null ? 'no price' : usd(row.run.worst),
    ...costCells(row.expected),
    ...costCells(row.worst_case),
  ]);
  return aligned([HEAD, ...rows, ['total', '', '', ...costCells(expected), ...costCells(worst_case)]]);
}

function costCells(cost: CostPerPeriod | null): string[] {
  return cost === null ? ['-', '-', '-'] : [usd(cost.hour), usd(cost.day), usd(cost.month)];
}

function budgetLines({ budget, probes, expected, worst_case, stopped_at_worst }: TargetForecast): string[] {
  const unpriced = probes.filter((row) => row.unpriced).map(({ probe }) => probe);
  const lines =
    unpriced.length === 0
      ? []
      : [`  without a price, so nothing can be reserved for it and it does not run: ${unpriced.join(', ')}`];
  if (budget === null) {
    const need = `usd_per_hour of at least ${usd(expected.hour)} (worst case ${usd(worst_case.hour)}), usd_per_day of ${usd(expected.day)} (${usd(worst_case.day)})`;
    return [...lines, `  no budget yet: the daemon needs one; for all runs it takes a ${need}`];
  }
  const stopped = probes.flatMap((row) =>
    row.stopped === null ? [] : [`  ${row.probe} ${stopText(row.stopped)}`],
  );
  return [
    ...lines,
    `  budget: $${budget.usd_per_hour} an hour, $${budget.usd_per_day} a day`,
    ...(stopped.length > 0 ? stopped : ['  at the expected spend the caps stop no probe']),
    stopped_at_worst === null
      ? '  nor do they if every run costs its worst case'
      : `  if every run cost its worst case, the first would ${stopText(stopped_at_worst).replace('stops', 'stop')}`,
  ];
}

function stopText({ cap, after_ms }: CapStop): string {
  if (after_ms === 0) return `never runs: its reserve alone is above the cap of ${ONE[cap]}`;
  const after = formatDuration(Math.max(60_000, Math.floor(after_ms / 60_000) * 60_000));
  return `stops ${after} into each ${cap}, by the cap of ${ONE[cap]}`;
}

const ONE = { hour: 'an hour', day: 'a day' } as const;

/** Rounded up: below a dollar to its millionth part, else to a cent; exact amounts are in the JSON. */
function usd(text: string): string {
  const amount = parseAmount(text) ?? 0n;
  const decimals = amount < ONE_USD ? 6 : 2;
  const step = 10n ** BigInt(AMOUNT_SCALE - decimals);
  const steps = ((amount + step - 1n) / step).toString().padStart(decimals + 1, '0');
  return `$${steps.slice(0, -decimals)}.${steps.slice(-decimals)}`;
}

const ONE_USD = 10n ** BigInt(AMOUNT_SCALE);

/** Columns as wide as their widest cell, numbers to the right. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) => {
    const cells = row.map((cell, column) => {
      const width = widths[column] ?? 0;
      return column === 0 ? cell.padEnd(width) : cell.padStart(width);
    });
    return `  ${cells.join('  ')}`.trimEnd();
  });
}
