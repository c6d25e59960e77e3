import type { Plan, PriceBound, ScenarioPlan } from '../contracts/plan.ts';
import { formatAmount } from '../core/amount.ts';
import { BYTES_PER_TOKEN_HUNDREDTHS } from '../core/prompt-text.ts';
import { plannedStarts } from '../workload/arrival.ts';
import { largestCall, plannedSizes, type SizeSources } from './planned-sizes.ts';

/** Input tokens that a gateway may add to a prompt (roles, template); the spend cap in xk6/spend reserves as many. */
export const OVERHEAD_TOKENS = 1_024;

export interface ForecastRow {
  /** Name of a scenario, or `total`. */
  readonly scenario: string;
  /** Turns of sessions included; null where a closed loop has no max_calls: its answers set the pace. */
  readonly calls: number | null;
  /** Expected, about; null for images, videos and where the number of calls is. */
  readonly input_tokens: number | null;
  /** Of the input, what a cache can match: a beginning that calls share, and the turns before one. */
  readonly cacheable_tokens: number | null;
  readonly output_tokens: number | null;
  /** USD by the book's dearest tier if every call writes max_tokens, once each; null where the model is not priced. */
  readonly expected_usd: string | null;
  /** USD if every call takes its whole prompt bound and the model's largest output, in every attempt allowed. */
  readonly worst_case_usd: string | null;
  /** USD that one attempt of the largest call is reserved; of the total that of its dearest call. */
  readonly call_usd: string | null;
  /** USD held back when as many calls run at once as may. */
  readonly held_usd: string | null;
}

export interface Forecast {
  readonly scenarios: readonly ForecastRow[];
  readonly total: ForecastRow;
}

export interface ForecastRequest {
  readonly plan: Pick<Plan, 'limits'> & {
    readonly workload: Pick<Plan['workload'], 'seed' | 'retry' | 'scenarios'>;
    readonly cap: Pick<Plan['cap'], 'bounds'>;
  };
  /** The rounding guard in each bound. */
  readonly guard: bigint;
  /** Sizes of files that a scenario draws on. */
  readonly sourcesOf: (scenario: ScenarioPlan) => SizeSources;
}

interface Figures {
  readonly row: ForecastRow;
  readonly money: Money | null;
  /** Calls that can be in flight at once. */
  readonly inFlight: number;
}

interface Money {
  /** Null where the number of calls is. */
  readonly expected: bigint | null;
  readonly worst: bigint | null;
  /** Worst case of one attempt. */
  readonly one: bigint;
}

/** What the plan will do and cost at most, before anything is sent. */
export function forecast(request: ForecastRequest): Forecast {
  const { limits, workload } = request.plan;
  const figures = workload.scenarios.map((scenario) => figuresOf(scenario, request));
  return {
    scenarios: figures.map(({ row }) => row),
    total: {
      scenario: 'total',
      calls: wholeCalls(figures.map(({ row }) => row.calls)),
      input_tokens: tokens(figures, 'input_tokens'),
      cacheable_tokens: tokens(figures, 'cacheable_tokens'),
      output_tokens: tokens(figures, 'output_tokens'),
      expected_usd: wholeUsd(figures.map(({ money }) => money?.expected ?? null)),
      worst_case_usd: wholeUsd(figures.map(({ money }) => money?.worst ?? null)),
      call_usd: dearestUsd(figures),
      held_usd: wholeUsd([heldAtOnce(figures, limits.max_in_flight)]),
    },
  };
}

/** A sum is known only where every part is. */
function wholeUsd(parts: readonly (bigint | null)[]): string | null {
  let total = 0n;
  for (const part of parts) {
    if (part === null) return null;
    total += part;
  }
  return formatAmount(total);
}

function dearestUsd(figures: readonly Figures[]): string | null {
  let most = 0n;
  for (const { money } of figures) {
    if (money === null) return null;
    if (money.one > most) most = money.one;
  }
  return formatAmount(most);
}

function wholeCalls(parts: readonly (number | null)[]): number | null {
  let total = 0;
  for (const part of parts) {
    if (part === null) return null;
    total += part;
  }
  return total;
}

function tokens(
  figures: readonly Figures[],
  part: 'input_tokens' | 'cacheable_tokens' | 'output_tokens',
): number {
  return figures.reduce((total, { row }) => total + (row[part] ?? 0), 0);
}

/** The dearest calls that can run together, of all scenarios within the limit of the run. */
function heldAtOnce(figures: readonly Figures[], limit: number | null): bigint | null {
  let left = limit ?? Number.POSITIVE_INFINITY;
  let held = 0n;
  const dearestFirst = figures.toSorted((a, b) => ((b.money?.one ?? 0n) > (a.money?.one ?? 0n) ? 1 : -1));
  for (const { money, inFlight } of dearestFirst) {
    if (money === null) return null;
    const count = Math.min(left, inFlight);
    held += money.one * BigInt(count);
    left -= count;
  }
  return held;
}

function figuresOf(scenario: ScenarioPlan, { plan, guard, sourcesOf }: ForecastRequest): Figures {
  const { arrival, text, model } = scenario;
  const sources = sourcesOf(scenario);
  const starts = plannedStarts(arrival) ?? arrival.max_calls;
  const sizes =
    text === null || starts === null
      ? null
      : plannedSizes(plan.workload.seed, { ...scenario, text }, starts, sources);
  const calls = sizes?.calls ?? starts;
  const most = Math.min(
    scenario.max_in_flight,
    plan.limits.max_in_flight_by_model[model] ?? Number.POSITIVE_INFINITY,
  );
  const inFlight = starts === null ? most : Math.min(starts, most);
  const bound = plan.cap.bounds.find((one) => one.model === model && one.kind === scenario.kind);
  const money =
    bound === undefined
      ? null
      : moneyOf(bound, {
          calls,
          input: sizes?.input_tokens ?? 0,
          output: sizes?.output_tokens ?? 0,
          worst: worstOf(scenario, bound, sources),
          attempts: plan.workload.retry.max_attempts,
          guard,
        });
  const row: ForecastRow = {
    scenario: scenario.name,
    calls,
    input_tokens: sizes?.input_tokens ?? null,
    cacheable_tokens: sizes?.cacheable_tokens ?? null,
    output_tokens: sizes?.output_tokens ?? null,
    expected_usd: money === null ? null : wholeUsd([money.expected]),
    worst_case_usd: money === null ? null : wholeUsd([money.worst]),
    call_usd: money === null ? null : formatAmount(money.one),
    held_usd: money === null ? null : formatAmount(money.one * BigInt(inFlight)),
  };
  return { row, money, inFlight };
}

/** One attempt of the largest call: every byte of its prompts a token, every answer before it as long as can be. */
function worstOf(scenario: ScenarioPlan, bound: PriceBound, sources: SizeSources): bigint {
  const { bytes, answers } = largestCall(scenario, sources);
  const output = bound.max_output_tokens;
  const carried = Math.ceil((answers * output * BYTES_PER_TOKEN_HUNDREDTHS) / 100);
  return priceOf(bound, bytes + carried + OVERHEAD_TOKENS, output);
}

interface MoneyRequest {
  readonly calls: number | null;
  /** Tokens of all calls together. */
  readonly input: number;
  readonly output: number;
  readonly worst: bigint;
  readonly attempts: number;
  readonly guard: bigint;
}

function moneyOf(bound: PriceBound, { calls, input, output, worst, attempts, guard }: MoneyRequest): Money {
  if (calls === null) return { expected: null, worst: null, one: worst };
  const tokens =
    BigInt(bound.per_input_token) * BigInt(input) + BigInt(bound.per_output_token) * BigInt(output);
  return {
    // Rounding goes up and down alike over many calls: only a bound has to allow for it.
    expected: tokens + (BigInt(bound.fixed) - guard) * BigInt(calls),
    worst: worst * BigInt(calls) * BigInt(attempts),
    one: worst,
  };
}

function priceOf(bound: PriceBound, input: number, output: number): bigint {
  return (
    BigInt(bound.per_input_token) * BigInt(input) +
    BigInt(bound.per_output_token) * BigInt(output) +
    BigInt(bound.fixed)
  );
}
