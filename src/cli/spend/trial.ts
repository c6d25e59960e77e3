import type { CallRow, HaltReason } from '../../core/ledger-lines.ts';
import type { Plan, ScenarioPlan } from '../../core/plan.ts';
import type { JudgedCall, Reconciliation } from '../../core/reconciliation.ts';
import type { StoppedScenario } from '../../core/result.ts';
import type { ForecastRow } from '../../plan/forecast.ts';
import { judgeLimits, type TrialLimit, withLimits } from './trial-limits.ts';
import { capAfterTrial } from './trial-spend.ts';

/** Ledger files and call ids of the trial start with it, so that they never meet those of the load. */
export const TRIAL_INSTANCE = 'trial';

export interface TrialVerdict {
  readonly passed: readonly { readonly scenario: ScenarioPlan; readonly what: string }[];
  readonly stopped: readonly StoppedScenario[];
}

/** Whether each scenario's one trial call could be linked to its record and priced. What it cannot judge is stopped. */
export function judgeTrial(
  plan: Plan,
  reconciliation: Pick<Reconciliation, 'calls'>,
  halted: HaltReason | null,
  forecast: readonly Pick<ForecastRow, 'scenario' | 'call_usd'>[] = [],
): TrialVerdict {
  const judged = plan.workload.scenarios.map((scenario) => {
    const calls = reconciliation.calls.filter((call) =>
      call.call_id?.startsWith(`${TRIAL_INSTANCE}/${scenario.name}/`),
    );
    // A job route that is not offered falls back to the sync endpoint: the last attempt is the one that counts.
    const last = [...calls]
      .sort((left, right) => (left.call_id ?? '').localeCompare(right.call_id ?? ''))
      .at(-1);
    const worst = forecast.find((row) => row.scenario === scenario.name)?.call_usd ?? null;
    return { scenario, call: last, reason: reasonToStop(last, halted, worst) };
  });
  return {
    passed: judged
      .filter(({ reason }) => reason === null)
      .map(({ scenario, call }) => ({ scenario, what: describe(call) })),
    stopped: judged.flatMap(({ scenario, reason }) =>
      reason === null
        ? []
        : [{ scenario: scenario.name, kind: scenario.kind, model: scenario.model, reason }],
    ),
  };
}

function reasonToStop(
  call: JudgedCall | undefined,
  halted: HaltReason | null,
  worstUsd: string | null,
): string | null {
  if (call === undefined) return 'the trial call left no row';
  if (call.outcome === 'not_sent' && halted !== null && halted !== 'spend_cap') {
    return `the trial was stopped before its call: ${halted}`;
  }
  if (call.outcome === 'not_sent') {
    const needed = worstUsd === null ? '' : `, which can cost $${worstUsd} at worst`;
    return `the spend cap leaves no room for its trial call${needed}: raise --max-spend-usd, or set models.<id>.max_output`;
  }
  if (call.outcome !== 'ok') return `the trial call ended ${call.outcome ?? 'without a row'}: ${call.why}`;
  if (call.request_id === null)
    return 'no request id stands in the answer of the trial call, so no record can be linked';
  if (call.match !== 'request_id')
    return `no usage record carries the request id ${call.request_id} of the trial call`;
  if (call.expected === null && call.expected_hi === null)
    return `the trial call cannot be priced: ${call.why}`;
  return null;
}

function describe(call: JudgedCall | undefined): string {
  if (call === undefined) return '';
  return `linked by request id, expected $${call.expected ?? `${call.expected_lo} to ${call.expected_hi}`}, charged $${call.charged ?? 'nothing yet'}`;
}

/** The trial for a reader: what each scenario's call showed of its record, its price and its output limit. */
export function trialLines(
  plan: Plan,
  verdict: TrialVerdict,
  limits: readonly TrialLimit[],
): readonly string[] {
  return [
    ...verdict.passed.flatMap(({ scenario, what }) => [
      `  trial ${scenario.name}: ${what}`,
      ...limits
        .filter((limit) => limit.scenario.name === scenario.name)
        .map((limit) => limitLine(plan, limit)),
    ]),
    ...verdict.stopped.map((entry) => `  trial ${entry.scenario}: stopped: ${entry.reason}`),
  ];
}

function limitLine(plan: Plan, { scenario, obeyed, what }: TrialLimit): string {
  const bound = plan.cap.bounds.find(({ model, kind }) => model === scenario.model && kind === scenario.kind);
  const most =
    bound === undefined ? 'the most that the model can write' : `${bound.max_output_tokens} tokens`;
  return obeyed
    ? `  trial ${scenario.name}: the output limit binds (${what}): each call reserves its own limit`
    : `  trial ${scenario.name}: the output limit is not shown to bind (${what}): each call reserves ${most}`;
}

/** The plan without the stopped scenarios, with what the trial may have cost taken from the caps and what it showed. */
export function afterTrial(
  plan: Plan,
  verdict: TrialVerdict,
  trial: { readonly rows: readonly CallRow[]; readonly reservedUsd: string | null },
  hash: (plan: Plan) => string,
): Plan {
  const stopped = new Set(verdict.stopped.map((entry) => entry.scenario));
  const workload = {
    ...plan.workload,
    scenarios: plan.workload.scenarios.filter((scenario) => !stopped.has(scenario.name)),
    objectives: plan.workload.objectives.filter((objective) => !stopped.has(objective.scenario)),
  };
  const cap = capAfterTrial(plan.cap, trial.rows, trial.reservedUsd);
  const next = {
    ...plan,
    workload,
    stopped: [...plan.stopped, ...verdict.stopped],
    cap: { ...cap, bounds: withLimits(cap.bounds, judgeLimits(plan, trial.rows)) },
  };
  return { ...next, plan_hash: hash(next) };
}
