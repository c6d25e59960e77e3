import { type CallRow, type HaltReason, TRIAL_INSTANCE } from '../../contracts/ledger-lines.ts';
import type { MatchPass } from '../../contracts/match-pass.ts';
import type { Plan, PlanTarget, ScenarioPlan, StoppedScenario } from '../../contracts/plan.ts';
import type { JudgedCall, Reconciliation } from '../../contracts/reconciliation.ts';
import { parseInstant } from '../../core/time.ts';
import { logicalCalls } from '../../measure/logical-call.ts';
import type { ForecastRow } from '../../plan/forecast.ts';
import { failedWords } from '../../report/words/failure-words.ts';
import { plural } from '../../text/plural.ts';
import { judgeLimits, type TrialLimit, withLimits } from './trial-limits.ts';
import { capAfterTrial } from './trial-spend.ts';

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
    const reason =
      last === undefined
        ? whyNotMade(halted)
        : (whyNoSuccess(last, halted, worst) ??
          whyNotLinked(last, reconciliation.calls, plan.target.key) ??
          whyNotPriced(last));
    return { scenario, call: last, reason };
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

function whyNotMade(halted: HaltReason | null): string {
  return halted === null ? 'the trial call left no row' : `the trial was stopped before its call: ${halted}`;
}

function whyNoSuccess(
  { outcome, row, why }: JudgedCall,
  halted: HaltReason | null,
  worstUsd: string | null,
): string | null {
  if (outcome === 'not_sent' && halted !== null && halted !== 'spend_cap') return whyNotMade(halted);
  if (outcome === 'not_sent') {
    const needed = worstUsd === null ? '' : `, which can cost up to $${worstUsd}`;
    const told = row?.error_code?.startsWith('spend_cap') === true ? row.error_message : null;
    const kept = told === null ? `the spend cap is too small for its trial call${needed}` : told;
    return `${kept}: raise --max-spend-usd, or set models.<id>.max_output to a smaller number`;
  }
  if (outcome === 'ok' || isUndownloaded(row)) return null;
  // What the target said helps; that no record is due for it does not.
  return row === null
    ? `the trial call ended ${outcome ?? 'without a row'}: ${why}`
    : `the trial call ended ${failedWords({ ...row, message: row.error_message })}`;
}

function whyNotPriced({ expected, expected_hi, why }: JudgedCall): string | null {
  return expected === null && expected_hi === null ? `the trial call cannot be priced: ${why}` : null;
}

/** Made and due: what is not there to be fetched says nothing against its record or its price. */
function isUndownloaded(row: JudgedCall['row']): boolean {
  return row?.error_type === 'download_failed';
}

function describe(call: JudgedCall | undefined): string {
  if (call === undefined) return '';
  const lost = isUndownloaded(call.row) ? `; ${call.row?.error_message}` : '';
  return `${linkWords(call)}, expected $${call.expected ?? `${call.expected_lo} to ${call.expected_hi}`}, charged $${call.charged ?? 'nothing yet'}${lost}`;
}

/** What each call of the trial was answered that was sent and did not succeed. */
export function failedLines(rows: readonly CallRow[]): readonly string[] {
  return logicalCalls(rows).flatMap(({ scenario, sent, last }) =>
    sent && last.outcome !== 'ok'
      ? [`  trial ${scenario}: ${failedWords({ ...last, message: last.error_message })}`]
      : [],
  );
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

/** An id of its answer or its task leads to the record: it is the call's, whoever else uses the key. */
const BY_ID: readonly MatchPass[] = ['request_id', 'other_id', 'linked_id'];
/** A record that is dated further from a call is none that may be its own. */
const NEAR_MS = 5 * 60_000;

/** How the record of a trial call was found. */
export function linkWords({ match, match_why }: JudgedCall): string {
  return BY_ID.includes(match) ? 'linked by request id' : `linked without a request id (${match_why})`;
}

/**
 * Why nothing tells which record is a trial call's; null where an id does. Without one the record that fits is taken on a
 * key that nobody else uses, where each new record of its model belongs to a trial call.
 */
export function whyNotLinked(
  call: JudgedCall,
  calls: readonly JudgedCall[],
  key: PlanTarget['key'],
): string | null {
  if (BY_ID.includes(call.match)) return null;
  const id = call.row?.request_id ?? null;
  if (id !== null && call.match === 'none')
    return `no usage record carries the request id ${id} of the trial call`;
  const without = 'the answer of the trial call holds no request id';
  if (key === 'shared')
    return `${without}, and on a shared key a record may be of another user: set target.key: exclusive where nobody else uses it`;
  if (call.match === 'cluster')
    return `${without}, and nothing tells which of ${call.record_ids.length} new records of ${call.model} is its own`;
  const others = calls.filter((other) => other.call_id === null && isNear(other, call)).length;
  if (call.match === 'none')
    return `${without}, and no new record of ${call.model} fits it in tokens and time (${others} found)`;
  return others === 0
    ? null
    : `${without}, and ${plural(others, 'new record')} of ${call.model} beside its own ${others === 1 ? 'is' : 'are'} of no trial call: does another program use the key?`;
}

function isNear({ model, match, record }: JudgedCall, call: JudgedCall): boolean {
  if (model !== call.model || match === 'foreign') return false;
  const dated = record?.created_at ?? null;
  const started = parseInstant(call.started_at ?? '');
  return dated !== null && started !== null && Math.abs(dated * 1000 - started) <= NEAR_MS;
}
