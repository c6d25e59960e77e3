import { formatAmount } from '../core/amount.ts';
import { plannedStarts } from '../core/arrival.ts';
import { MEDIA_PROMPT_BYTES } from '../core/call-plan.ts';
import type { PriceBound, ScenarioPlan, SizeTable } from '../core/plan.ts';
import { BYTES_PER_TOKEN_HUNDREDTHS } from '../core/prompt-text.ts';

/** Input tokens that a gateway may add to a prompt (roles, template); the spend cap in xk6/spend reserves as many. */
export const OVERHEAD_TOKENS = 1_024;

export interface ForecastRow {
  /** Name of a scenario, or `total`. */
  readonly scenario: string;
  readonly calls: number;
  /** Expected, about; null for images and videos. */
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  /** USD by the book's dearest tier if every call writes max_tokens; null where the model is not priced. */
  readonly expected_usd: string | null;
  /** USD if every call takes its whole prompt bound and the model's largest output. */
  readonly worst_case_usd: string | null;
  /** USD held back when max_in_flight calls run at once. */
  readonly held_usd: string | null;
}

export interface Forecast {
  readonly scenarios: readonly ForecastRow[];
  readonly total: ForecastRow;
}

interface Figures {
  readonly row: ForecastRow;
  readonly money: { readonly expected: bigint; readonly worst: bigint; readonly held: bigint } | null;
}

/** What the plan will do and cost at most, before anything is sent. `guard`: the rounding guard in each bound. */
export function forecast(
  scenarios: readonly ScenarioPlan[],
  bounds: readonly PriceBound[],
  guard: bigint,
): Forecast {
  const figures = scenarios.map((scenario) => {
    const bound = bounds.find(({ model, kind }) => model === scenario.model && kind === scenario.kind);
    return figuresOf(scenario, bound ?? null, guard);
  });
  const priced = figures.every(({ money }) => money !== null);
  const sum = (part: 'expected' | 'worst' | 'held'): string | null =>
    priced ? formatAmount(figures.reduce((total, { money }) => total + (money?.[part] ?? 0n), 0n)) : null;
  const tokens = (part: 'input_tokens' | 'output_tokens'): number =>
    figures.reduce((total, { row }) => total + (row[part] ?? 0), 0);
  return {
    scenarios: figures.map(({ row }) => row),
    total: {
      scenario: 'total',
      calls: figures.reduce((total, { row }) => total + row.calls, 0),
      input_tokens: tokens('input_tokens'),
      output_tokens: tokens('output_tokens'),
      expected_usd: sum('expected'),
      worst_case_usd: sum('worst'),
      held_usd: sum('held'),
    },
  };
}

function figuresOf(scenario: ScenarioPlan, bound: PriceBound | null, guard: bigint): Figures {
  const calls = plannedStarts(scenario.arrival);
  const promptBytes = largest(scenario.text?.prompt_bytes ?? MEDIA_PROMPT_BYTES);
  const input = scenario.text === null ? null : Math.round((promptBytes * 100) / BYTES_PER_TOKEN_HUNDREDTHS);
  const output = scenario.text === null ? null : largest(scenario.text.max_tokens);
  const money =
    bound === null ? null : moneyOf(scenario, bound, { calls, promptBytes, input, output, guard });
  const row: ForecastRow = {
    scenario: scenario.name,
    calls,
    input_tokens: input === null ? null : input * calls,
    output_tokens: output === null ? null : output * calls,
    expected_usd: money === null ? null : formatAmount(money.expected),
    worst_case_usd: money === null ? null : formatAmount(money.worst),
    held_usd: money === null ? null : formatAmount(money.held),
  };
  return { row, money };
}

function largest(table: SizeTable): number {
  return typeof table === 'number' ? table : Math.max(...table);
}

function moneyOf(
  scenario: ScenarioPlan,
  bound: PriceBound,
  size: { calls: number; promptBytes: number; input: number | null; output: number | null; guard: bigint },
): NonNullable<Figures['money']> {
  const price = (input: number, output: number): bigint =>
    BigInt(bound.per_input_token) * BigInt(input) +
    BigInt(bound.per_output_token) * BigInt(output) +
    BigInt(bound.fixed);
  const worst = price(size.promptBytes + OVERHEAD_TOKENS, bound.max_output_tokens);
  return {
    // Rounding goes up and down alike over many calls: only a bound has to allow for it.
    expected: (price(size.input ?? 0, size.output ?? 0) - size.guard) * BigInt(size.calls),
    worst: worst * BigInt(size.calls),
    held: worst * BigInt(Math.min(size.calls, scenario.max_in_flight)),
  };
}
