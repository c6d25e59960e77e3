import type { PicoUsd } from '../../../core/amount.ts';
import { BUDGET_PERIODS, type BudgetPeriod, periodAt } from '../../../core/budget-period.ts';
import { formatInstant } from '../../../core/time.ts';
import { escapeHtml } from '../../../text/escape-html.ts';
import { plural } from '../../../text/plural.ts';
import type { BudgetView, ProbeView, TargetView } from '../../view/daemon-view.ts';
import type { ProbeRun } from '../../view/probe-run.ts';
import type { PageColumn, Row } from './page-table.ts';
import { ago, durationText, NO_VALUE, timeTag, until, usdText } from './page-text.ts';
import { CONDITION_WORDS, probeCondition } from './probe-condition.ts';

export const PROBE_COLUMNS: readonly PageColumn[] = [
  { title: 'Probe' },
  { title: 'State' },
  { title: 'Last run' },
  { title: 'Took', numeric: true },
  { title: 'Next run', numeric: true },
  { title: 'Last runs' },
];

export function probeRow(probe: ProbeView, budget: TargetView['budget'], now_ms: number): Row {
  const last = probe.runs.at(-1);
  const condition = probeCondition(probe, now_ms);
  const cells = [
    `<span class="name">${escapeHtml(probe.name)}</span> <span class="what">${escapeHtml(what(probe))}</span>`,
    `<strong class="state ${condition}">${CONDITION_WORDS[condition]}</strong>`,
    last === undefined ? NO_VALUE : lastRun(last, probe, now_ms),
    last === undefined ? NO_VALUE : durationText(last.duration_ms),
    next(probe, budget, now_ms),
    sparkline(probe.runs) || NO_VALUE,
  ];
  return { cells, calm: condition === 'well' || condition === 'waits' };
}

function what({ api, model, stream, interval_ms }: ProbeView): string {
  return [
    api,
    ...(model === null ? [] : [model]),
    ...(stream ? ['streamed'] : []),
    `every ${durationText(interval_ms)}`,
  ].join(' · ');
}

function lastRun(run: ProbeRun, { last_success_ms }: ProbeView, now_ms: number): string {
  const when = timeTag(run.ended_ms, ago(now_ms - run.ended_ms));
  if (run.error_type === 'none') return when;
  const well = last_success_ms === null ? 'it was never well' : `well ${ago(now_ms - last_success_ms)}`;
  const reason = `<span class="code">${escapeHtml(`${run.error_type} · ${blameWords(run)} · ${well}`)}</span>`;
  return `${when}: <span class="why">${escapeHtml(run.why ?? 'no reason was told')}</span> ${reason}`;
}

function blameWords({ blame, request_id }: ProbeRun): string {
  const whose = {
    none: 'nobody',
    gateway: 'the gateway',
    upstream: 'its upstream',
    network: 'the network',
    account: 'our account',
    probe: 'the probe',
  };
  const by = `blamed on ${whose[blame]}`;
  return request_id === null ? by : `${by} · request ${request_id}`;
}

function next(probe: ProbeView, budget: TargetView['budget'], now_ms: number): string {
  const { next_ms } = probe;
  const when = next_ms === null ? NO_VALUE : timeTag(next_ms, until(next_ms - now_ms));
  const held = heldWords(probe, budget, now_ms);
  return held === null ? when : `${when} <span class="code">held: ${escapeHtml(held)}</span>`;
}

const MOST = 30;
const BAR = 4;
const HEIGHT = 24;
/** A failed run reaches to the top and stands on a gap: told by its form, not by its colour alone. */
const FAILED = '<rect class="failed"';

/** The last runs as bars, the newest at the right; the longer a run that was well took, the higher. */
function sparkline(runs: readonly ProbeRun[]): string {
  const shown = runs.slice(-MOST);
  if (shown.length === 0) return '';
  // Of those that were well: a timeout would press all others flat.
  const longest = Math.max(
    1,
    ...shown.map(({ error_type, duration_ms }) => (error_type === 'none' ? duration_ms : 0)),
  );
  const bars = shown.map((run, index) => {
    const x = (MOST - shown.length + index) * BAR;
    if (run.error_type !== 'none')
      return `${FAILED} x="${x}" y="0" width="3" height="${HEIGHT - 5}"/>${FAILED} x="${x}" y="${HEIGHT - 3}" width="3" height="3"/>`;
    const height = Math.max(2, Math.round((run.duration_ms / longest) * (HEIGHT - 6)));
    return `<rect class="ran" x="${x}" y="${HEIGHT - height}" width="3" height="${height}"/>`;
  });
  return `<svg class="spark" role="img" width="${MOST * BAR}" height="${HEIGHT}" viewBox="0 0 ${MOST * BAR} ${HEIGHT}" aria-label="${escapeHtml(words(shown))}">${bars.join('')}</svg>`;
}

function words(runs: readonly ProbeRun[]): string {
  const failed = runs.filter(({ error_type }) => error_type !== 'none').length;
  const times = runs.map(({ duration_ms }) => duration_ms);
  return `last ${plural(runs.length, 'run')}: ${failed} failed, ${durationText(Math.min(...times))} to ${durationText(Math.max(...times))}`;
}

/** Why a probe does not run now, and what ends it. */
function heldWords(
  { held, api }: Pick<ProbeView, 'held' | 'api'>,
  budget: BudgetView | null,
  now_ms: number,
): string | null {
  switch (held) {
    case 'budget':
      return budget === null ? 'no room in the budget' : capWords(budget, now_ms);
    case 'retry_after':
      return 'the target asked us to wait (Retry-After)';
    case 'paused':
      return api === 'negative' ? 'nothing to ask with: no task is open' : 'paused';
    default:
      return held;
  }
}

/** The cap that has least left holds for certain, whatever the run reserves; of equal ones the longest. */
function capWords(budget: BudgetView, now_ms: number): string {
  // Of an hour that was forgotten, so is all else: the clock stands before what is known.
  if (budget.hour.spent === null) return 'the clock stands before what was spent last';
  const [first, ...more] = BUDGET_PERIODS.flatMap((period) => capOf(period, budget));
  if (first === undefined) return 'no room in the budget';
  const { period, limit, rest } = more.reduce(
    (least, cap) => (cap.rest === null || (least.rest !== null && cap.rest <= least.rest) ? cap : least),
    first,
  );
  const frees = freesWords(period, now_ms);
  if (rest === null) return `nobody knows what this ${period} has cost: its cap ${frees}`;
  const room = rest > 0n ? `${usdText(rest)} left of` : 'nothing left of';
  return `${room} the ${period}'s cap of ${usdText(limit)}: ${frees}`;
}

interface Cap {
  readonly period: BudgetPeriod;
  readonly limit: PicoUsd;
  /** Null where nobody knows what the period has cost. */
  readonly rest: PicoUsd | null;
}

function capOf(period: BudgetPeriod, budget: BudgetView): readonly Cap[] {
  const { limit, spent } = budget[period];
  return limit === null ? [] : [{ period, limit, rest: spent === null ? null : limit - spent }];
}

function freesWords(period: BudgetPeriod, now_ms: number): string {
  const end = formatInstant(periodAt(period, now_ms).end_ms);
  return period === 'month' ? `frees on ${end.slice(0, 10)}` : `frees at ${end.slice(11, 16)} UTC`;
}
