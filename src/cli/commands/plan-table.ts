import { formatDuration } from '../../config/duration.ts';
import { formatRate } from '../../config/rate.ts';
import type { Arrival, ScenarioPlan, SizeTable } from '../../contracts/plan.ts';
import type { ForecastRow } from '../../plan/forecast.ts';
import type { ResolvedPlan } from '../../plan/resolve-plan.ts';
import { cutsStreamsOnly } from '../../plan/uncut-calls.ts';
import { ABSENT, percent, usd } from '../../report/words/figure-text.ts';
import { alignedRows } from '../../text/aligned-rows.ts';

const TITLES = [
  'scenario',
  'calls',
  'starts',
  'in flight',
  'tokens in',
  'tokens out',
  'a call at worst',
  'expected',
  'worst case',
];
/** The last ones, which a target without a bill has no figures for. */
const MONEY_COLUMNS = 3;
/** Words stand at the left of their column, figures at the right. */
const WORDS = [0, 2];

/** A line for each scenario, a further one for what sets it apart, and who chose its model. */
export function planTable({
  plan,
  chosen,
  forecast,
}: Pick<ResolvedPlan, 'plan' | 'chosen' | 'forecast'>): string[] {
  const { scenarios } = plan.workload;
  const hasBill = plan.target.bill === 'served';
  const rows = forecast.scenarios.flatMap((row) => {
    const scenario = scenarios.find(({ name }) => name === row.scenario);
    if (scenario === undefined) return [];
    const cells = cellsOf(row, scenario).slice(0, hasBill ? TITLES.length : -MONEY_COLUMNS);
    return [{ cells, apart: apartText(row, scenario, hasBill) }];
  });
  if (rows.length === 0) return [];
  const [titles = '', ...lines] = alignedRows(
    [TITLES.slice(0, hasBill ? TITLES.length : -MONEY_COLUMNS), ...rows.map(({ cells }) => cells)],
    (column) => WORDS.includes(column),
  );
  return [
    titles,
    ...rows.flatMap(({ apart }, index) => [
      lines[index] ?? '',
      ...(apart.length === 0 ? [] : [`  ${apart.join(', ')}`]),
    ]),
    ...modelLines(chosen),
  ];
}

function cellsOf(row: ForecastRow, { arrival, max_in_flight }: ScenarioPlan): readonly string[] {
  const priced = row.call_usd !== null;
  const money = (amount: string | null): string => (priced ? usd(amount) : 'unpriced');
  return [
    row.scenario,
    row.calls === null ? ABSENT : String(row.calls),
    arrivalText(arrival),
    arrival.concurrency === null ? `≤ ${max_in_flight}` : String(arrival.concurrency),
    row.input_tokens === null ? ABSENT : String(row.input_tokens),
    row.output_tokens === null ? ABSENT : `≤ ${row.output_tokens}`,
    money(row.call_usd),
    money(row.expected_usd),
    money(row.worst_case_usd),
  ];
}

/** `model ID (why): the scenarios that call it`. */
function modelLines(chosen: ResolvedPlan['chosen']): string[] {
  const scenariosOf = new Map<string, string[]>();
  for (const { scenario, model, why } of chosen) {
    const head = `model ${model} (${why})`;
    scenariosOf.set(head, [...(scenariosOf.get(head) ?? []), scenario]);
  }
  return [...scenariosOf].map(([head, names]) => `${head}: ${names.join(', ')}`);
}

function apartText(
  { calls, cacheable_tokens }: ForecastRow,
  scenario: ScenarioPlan,
  hasBill: boolean,
): string[] {
  const { arrival, text, abort } = scenario;
  const parts: string[] = [];
  if (calls === null) parts.push('as many calls as the answers let through');
  if (calls === null && hasBill) parts.push('at a cost that the spend cap alone bounds');
  if ((cacheable_tokens ?? 0) > 0) parts.push(`${cacheable_tokens} tokens in that a cache can match`);
  if (arrival.max_calls !== null) parts.push(`at most ${arrival.max_calls} starts`);
  if (text !== null && text.session !== null) parts.push(`sessions of ${sizeText(text.session.turns)} turns`);
  if (text !== null && text.prompts !== null)
    parts.push(`${text.prompts.count} prompts of ${text.prompts.path}`);
  if (text !== null && text.watermark !== null)
    parts.push(`padded by up to ${text.watermark.modulus - 1} tokens`);
  if (abort !== null) {
    const of = cutsStreamsOnly(scenario) ? ' of the streams' : '';
    parts.push(`${percent(abort.share)}${of} cut ${cutText(abort)}`);
  }
  return parts;
}

function arrivalText({ process, burstiness, concurrency, trace, stages }: Arrival): string {
  if (concurrency !== null) return `closed loop of ${concurrency}`;
  if (trace !== null) return `${trace.calls} of a trace`;
  const rates = stages.flatMap(({ from_millirate, to_millirate }) => [from_millirate, to_millirate]);
  const [least, most] = [Math.min(...rates), Math.max(...rates)];
  const rate = least === most ? formatRate(most) : `${formatRate(least)} to ${formatRate(most)}`;
  if (process === 'even') return `evenly at ${rate}`;
  return `${process === 'gamma' ? `gamma of burstiness ${burstiness}` : process} with a mean of ${rate}`;
}

function cutText({ after_ms, after_events }: NonNullable<ScenarioPlan['abort']>): string {
  const parts = [];
  if (after_ms !== null) parts.push(`after ${formatDuration(after_ms)}`);
  if (after_events !== null) parts.push(`after ${after_events} events`);
  return parts.join(' or ');
}

function sizeText(table: SizeTable): string {
  return typeof table === 'number' ? String(table) : `${table[0] ?? 0} to ${table.at(-1) ?? 0}`;
}
