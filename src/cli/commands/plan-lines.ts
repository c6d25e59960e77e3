import { formatDuration } from '../../config/duration.ts';
import { formatLine } from '../../config/format-config.ts';
import { isDefaultPlan } from '../../config/load-config.ts';
import type { ResolvedConfig } from '../../config/resolved-config.ts';
import { setValues } from '../../config/set-values.ts';
import type { Objective, Plan, RunLimits, Workload } from '../../contracts/plan.ts';
import { formatAmount, parseAmount } from '../../core/amount.ts';
import type { Forecast, ForecastRow } from '../../plan/forecast.ts';
import { shareOf } from '../../plan/plan-instances.ts';
import type { ResolvedPlan } from '../../plan/resolve-plan.ts';
import { rpsWords } from '../../report/words/verdict-words.ts';
import { guessWords } from '../../text/guess-words.ts';
import { plural } from '../../text/plural.ts';
import { rpsShortfall } from '../../workload/peak-rate.ts';
import { planTable } from './plan-table.ts';

/** The plan for a reader: what is called, what it costs at most, what was changed unasked, and who set what. */
export function planLines(resolved: ResolvedPlan, config: ResolvedConfig): string[] {
  return [...forecastLines(resolved), ...originLines(config), ...lineYaml(config)];
}

/** The same without who set what. */
export function forecastLines(resolved: ResolvedPlan): string[] {
  const { plan, forecast, notes } = resolved;
  const { total } = forecast;
  const hasBill = plan.target.bill === 'served';
  const guess = plan.cap.assumed_usd_per_call;
  return [
    `target ${plan.target.name} (${plan.target.root}), ${plan.target.key} key, plan ${plan.plan_hash.slice(0, 12)}, seed ${plan.workload.seed}`,
    phaseLine(plan.workload),
    ...planTable(resolved),
    ...plan.stopped.map((entry) => `${entry.scenario}: stopped: ${entry.reason}`),
    ...(hasBill ? moneyLines(resolved) : [`total: ${callsText(total)}`]),
    ...(guess === undefined ? [] : [guessWords(guess)]),
    ...instanceLines(plan),
    ...limitLines(plan.limits),
    ...rpsLines(plan.workload),
    ...(plan.keep_text ? ['keeps the text of answers beside the ledger, readable by its owner alone'] : []),
    ...plan.workload.objectives.map(objectiveLine),
    ...retryLines(plan.workload),
    ...notes.map((note) => `note: ${note}`),
  ];
}

function moneyLines({ plan, forecast }: ResolvedPlan): string[] {
  const { total } = forecast;
  return [
    `total: ${callsText(total)}, ${moneyText(total)}${pricedText(forecast)}`,
    ...monthLines(plan, total),
    `held at once: at most ${usd(total.held_usd)}, the worst case of the calls that can be in flight together`,
    ...reserveLines(plan),
    `cap ${capText(plan, total)}`,
  ];
}

const NIGHTS = 30n;

/** What the plan costs as a nightly run; nothing where nobody pays, or a price is not known. */
function monthLines({ target }: Plan, { expected_usd, worst_case_usd }: ForecastRow): string[] {
  const [expected, worst] = [expected_usd, worst_case_usd].map((amount) => parseAmount(amount ?? ''));
  if (target.embedded || expected == null || worst == null) return [];
  const month = (amount: bigint): string => usd(formatAmount(amount * NIGHTS));
  return [`every night for ${NIGHTS} days: expected ${month(expected)}, worst case ${month(worst)}`];
}

function phaseLine({ duration_ms, drain_ms, warm_up_ms, cool_down_ms }: Workload): string {
  const left = duration_ms - warm_up_ms - cool_down_ms;
  const measured =
    left === duration_ms
      ? ''
      : `, of which ${formatDuration(left)} are measured (warm-up ${formatDuration(warm_up_ms)}, cool-down ${formatDuration(cool_down_ms)})`;
  return `starts calls for ${formatDuration(duration_ms)}${measured}, then waits for those in flight, at most ${formatDuration(drain_ms)}`;
}

function callsText({ calls }: ForecastRow): string {
  return calls === null ? 'as many calls as the answers let through' : plural(calls, 'call');
}

function moneyText(row: ForecastRow): string {
  if (row.calls === null) return 'at a cost that the spend cap alone bounds';
  return `expected ${usd(row.expected_usd)}, worst case ${usd(row.worst_case_usd)}`;
}

/** Where some scenarios have no price: what the others cost, and which those are. The notes say why. */
function pricedText({ scenarios, total }: Forecast): string {
  const unpriced = scenarios.filter((row) => row.held_usd === null).map(({ scenario }) => scenario);
  if (unpriced.length === 0 || total.calls === null) return '';
  const sum = (pick: (row: ForecastRow) => string | null): string =>
    formatAmount(scenarios.reduce((whole, row) => whole + (parseAmount(pick(row) ?? '0') ?? 0n), 0n));
  const priced = `expected $${sum((row) => row.expected_usd)}, worst case $${sum((row) => row.worst_case_usd)}`;
  return `: ${unpriced.join(', ')} without a price, all else ${priced}`;
}

function objectiveLine({ scenario, measure, percentile, max, min, max_usd }: Objective): string {
  const name = percentile === null ? measure : `${measure} p${percentile}`;
  const bound = min === null ? `at most ${max_usd === null ? max : `$${max_usd}`}` : `at least ${min}`;
  return `objective: ${scenario}: ${name} ${bound}, else exit 4`;
}

/** What a text call holds of the cap beside its prompt. */
function reserveLines({ cap, target }: Plan): string[] {
  const most = cap.bounds.map((bound) => bound.max_output_tokens).filter((tokens) => tokens > 0);
  if (most.length === 0) return [];
  const [least, largest] = [Math.min(...most), Math.max(...most)];
  const tokens = least === largest ? `${largest}` : `${least} to ${largest}`;
  const trial = target.embedded ? '' : '; its own limit once the trial call of an audit showed that it binds';
  return [`each text call reserves the largest output of its model, ${tokens} tokens${trial}`];
}

function capText({ cap, target }: Plan, total: ForecastRow): string {
  const parts = [
    ...Object.entries(cap.by_scenario).map(([name, most]) => `${name} ${usd(most)}`),
    ...Object.entries(cap.by_model).map(([model, most]) => `model ${model} ${usd(most)}`),
  ];
  const within = parts.length === 0 ? '' : `; of it at most: ${parts.join(', ')}`;
  if (cap.max_spend_usd !== null) return `${usd(cap.max_spend_usd)}${within}`;
  if (target.embedded) return `none (embedded gateway)${within}`;
  const all =
    total.worst_case_usd === null ? '' : `, and of ${usd(total.worst_case_usd)} to allow every call`;
  return `none yet: a run needs --max-spend-usd of at least ${usd(total.held_usd)} to start${all}${within}`;
}

/** What it means that several k6 drive the plan: none of them knows what the others have left of the cap. */
function instanceLines({ instances, cap }: Plan): string[] {
  if (instances === undefined) return [];
  const share =
    cap.max_spend_usd === null
      ? ''
      : `; each may spend ${usd(shareOf(cap.max_spend_usd, instances))} of the cap, and no other takes what it leaves`;
  return [`${plural(instances, 'instance')} of k6 share the starts and the limits${share}`];
}

function limitLines({ max_in_flight, max_in_flight_by_model, keep_credit_share, stop }: RunLimits): string[] {
  const lines: string[] = [];
  if (max_in_flight !== null) lines.push(`in flight: at most ${max_in_flight} of all scenarios together`);
  for (const [model, most] of Object.entries(max_in_flight_by_model))
    lines.push(`in flight: at most ${most} of model ${model}`);
  if (keep_credit_share !== null)
    lines.push(
      `stops when the remaining quota falls under ${percent(keep_credit_share)} of its value at the start`,
    );
  if (stop !== null) {
    const shares = [
      ...(stop.share_429 === null ? [] : [`${percent(stop.share_429)} are refused with 429`]),
      ...(stop.share_5xx === null ? [] : [`${percent(stop.share_5xx)} end with a 5xx`]),
    ];
    lines.push(
      `stops when of the calls that ended in the last ${formatDuration(stop.over_ms)}, at least ${stop.min_calls}, more than ${shares.join(' or ')}`,
    );
  }
  return lines;
}

function rpsLines(workload: Workload): string[] {
  if (workload.http.rps === null) return [];
  const short = rpsShortfall(workload);
  return [
    `requests: at most ${workload.http.rps}/s, polls and downloads included`,
    ...(short === null ? [] : [`warning: ${rpsWords(short)}: starts will wait for it and be late`]),
  ];
}

function retryLines({ retry }: Workload): string[] {
  if (retry.max_attempts === 1) return [];
  const { max_attempts, first_wait_ms, factor, max_wait_ms } = retry;
  return [
    `sends a call up to ${max_attempts} times, which can be charged as often: waits ${formatDuration(first_wait_ms)}, each ${factor} times the one before, at most ${formatDuration(max_wait_ms)}`,
  ];
}

function originLines(config: ResolvedConfig): string[] {
  const source = isDefaultPlan(config.file) ? 'the default plan' : config.file;
  return [
    `configuration: ${source}`,
    ...setValues(config).map(({ path, value, origin }) => `  ${path} = ${value} (${origin})`),
    '  everything else: default',
  ];
}

/** What the flags of the calls stand for, as the configuration would hold it; empty where none was given. */
function lineYaml(config: ResolvedConfig): string[] {
  if (config.origins['traffic'] !== 'flag') return [];
  return [
    'as weighbridge.yaml (--save FILE writes it whole):',
    ...formatLine(config).map((line) => `  ${line}`),
  ];
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(4))} %`;
}

function usd(amount: string | null): string {
  return amount === null ? 'unpriced' : `$${amount}`;
}
