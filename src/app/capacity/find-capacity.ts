import type { CapacityEnd, CapacityResult, CapacityStep } from '../../contracts/capacity-result.ts';
import { EXIT } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { CallRow } from '../../contracts/ledger-lines.ts';
import type { Objective, Plan } from '../../contracts/plan.ts';
import { parseAmount } from '../../core/amount.ts';
import { loadLedger } from '../../ledger/load-ledger.ts';
import { type Measurement, measure } from '../../measure/measure.ts';
import { stepPlan } from '../../plan/step-plan.ts';
import { CAPACITY_FILE } from '../folder/run-files.ts';
import { countedRows } from '../judge/counted-rows.ts';
import { measuredObjectiveWords } from '../judge/judge-exit.ts';
import { stepPlanFile } from '../judge/reported-step.ts';
import type { LoadOptions } from '../load/run-load.ts';
import { capAfterTrial } from '../spend/trial-spend.ts';
import { type CapacityBounds, highestHeld, nextStep } from './capacity-search.ts';
import { tooFewPlanned } from './step-calls.ts';
import { tooFewCalls } from './step-evidence.ts';

export interface FindCapacityOptions {
  /** At a factor of 1, each step as long as its duration. */
  readonly plan: Plan;
  readonly runDir: string;
  readonly bounds: CapacityBounds;
  /** Drives one step to its end; `halted` where it did not reach it. */
  readonly drive: (
    step: Pick<LoadOptions, 'plan' | 'planFile' | 'instance'>,
  ) => Promise<{ readonly halted: string | null }>;
  readonly interrupted: () => boolean;
  readonly say: (line: string) => void;
  /** Throws a WeighbridgeError where a plan asks for more than the target's owner permits. */
  readonly permit: (plan: Plan) => void;
}

/**
 * Searches the highest rate at which every objective is met and the client is valid. A step begins when the load
 * engine of the one before has ended: nothing is in flight between them. What a step may have cost is taken from the
 * cap of the next. The search is left in the run folder.
 */
export async function findCapacity(options: FindCapacityOptions): Promise<CapacityResult> {
  const { bounds, runDir, say } = options;
  const steps: CapacityStep[] = [];
  let plan = options.plan;
  let ended: CapacityEnd | null = null;
  while (ended === null) {
    const next = nextStep(steps, bounds);
    if ('ended' in next) {
      ended = next.ended;
      break;
    }
    const instance = `step${steps.length + 1}`;
    const step = stepPlan(plan, { instance, scale: next.scale });
    ended = options.interrupted() ? 'interrupted' : whyNot(step, options, steps.length > 0);
    if (ended !== null) break;
    say(`${instance}: ${next.scale} × the planned rates`);
    const driven = await options.drive({ plan: step, planFile: stepPlanFile(instance), instance });
    const measured = await measureStep(runDir, step);
    const halted = driven.halted ?? (lostKind(measured.rows) ? 'spend_cap' : null);
    const judged = judgeStep(measured, { halted, heldBefore: highestHeld(steps) !== null });
    steps.push(lineOf(step, { instance, rate_scale: next.scale }, measured, judged));
    say(`  ${judged.verdict}${judged.reasons.length === 0 ? '' : `: ${judged.reasons.join('; ')}`}`);
    if (halted === 'spend_cap' || halted === 'interrupted') ended = halted;
    plan = { ...plan, cap: capAfterTrial(plan.cap, measured.rows, measured.reservedUsd) };
  }
  const scale = highestHeld(steps);
  const best = steps.find((step) => step.verdict === 'held' && step.rate_scale === scale);
  const result = { rate_scale: scale, asked_rate: best?.asked_rate ?? null, ended, steps };
  CAPACITY_FILE.write(runDir, result);
  return result;
}

/** Whether the cap stopped one kind alone: the step then put another mix on the target than its rate says. */
function lostKind(rows: readonly CallRow[]): boolean {
  return rows.some(({ outcome, error_code }) => outcome === 'not_sent' && error_code === 'spend_cap_by_kind');
}

/** Refused before anything is sent: with nothing to miss any rate would hold. */
export function refuseWithoutObjectives(objectives: readonly Pick<Objective, 'measure'>[]): void {
  if (objectives.some(isJudgedByStep)) return;
  throw new WeighbridgeError({
    code: 'capacity_needs_objectives',
    message: '--find-capacity needs at least one objective. Without one, no rate would be too high.',
    hint: 'Give for example --objective ttft_p95=800ms,error_share=1%, or list objectives in the configuration.',
  });
}

/** Why a step is not to be made; the first one is refused aloud where it is not permitted. */
function whyNot(step: Plan, { permit, say }: FindCapacityOptions, later: boolean): CapacityEnd | null {
  const left = step.cap.max_spend_usd;
  if (later && left !== null && parseAmount(left) === 0n) return 'spend_cap';
  const short = tooFewPlanned(step);
  if (short.length > 0) {
    say(`The search stops before the next step: ${short.map(({ why }) => why).join('; ')}`);
    return 'too_few_calls';
  }
  try {
    permit(step);
    return null;
  } catch (error) {
    if (later && error instanceof WeighbridgeError && error.exitCode === EXIT.usage) return 'not_permitted';
    throw error;
  }
}

async function measureStep(runDir: string, plan: Plan) {
  const ledger = await loadLedger(runDir);
  const { rows, states, headers } = ledger;
  const cores = headers.find(({ run_id }) => run_id === plan.run_id)?.cores ?? 1;
  const last = states.findLast((state) => state.run_id === plan.run_id);
  const measured = measure({
    plan,
    rows: await countedRows(plan, ledger),
    states,
    window: null,
    cores,
    costs: null,
  });
  const own = rows.filter((row) => row.run_id === plan.run_id);
  return { ...measured, rows: own, reservedUsd: last?.reserved_usd ?? null };
}

function lineOf(
  { workload }: Plan,
  step: Pick<CapacityStep, 'instance' | 'rate_scale'>,
  { load }: Measurement,
  judged: Pick<CapacityStep, 'verdict' | 'reasons' | 'only_dropped'>,
): CapacityStep {
  const { asked_rate, achieved_rate, goodput, attainment, latency } = load.total;
  const times = { ttft_p95_ms: latency.ttft?.p95 ?? null, e2e_p95_ms: latency.e2e?.p95 ?? null };
  const loops = workload.scenarios.flatMap(({ arrival }) => arrival.concurrency ?? []);
  const concurrency = loops.length === 0 ? null : loops.reduce((total, calls) => total + calls, 0);
  const objectives = load.objectives.filter(isJudgedByStep);
  return {
    ...step,
    asked_rate,
    achieved_rate,
    concurrency,
    ...judged,
    goodput,
    attainment,
    ...times,
    objectives,
  };
}

/** What calls cost is not known before the bill is read. */
function isJudgedByStep({ measure }: Pick<Objective, 'measure'>): boolean {
  return measure !== 'usd_per_1000_good';
}

/** More dropped starts than this share, and the asked rate was not put on the target at all. */
const DROPPED_SHARE = 0.01;

/**
 * Whether a step's rate held. Where no call succeeds and no lower rate held before, the rate is not to blame. A few
 * calls show neither that a rate held nor that it missed.
 */
export function judgeStep(
  { load, client }: Pick<Measurement, 'load' | 'client'>,
  { halted, heldBefore }: { readonly halted: string | null; readonly heldBefore: boolean },
): Pick<CapacityStep, 'verdict' | 'reasons' | 'only_dropped'> {
  const step = (verdict: CapacityStep['verdict'], reasons: readonly string[], only_dropped = false) => ({
    verdict,
    reasons,
    only_dropped,
  });
  if (halted !== null) return step('halted', [`no further call was started: ${halted}`]);
  if (load.total.ok === 0 && !heldBefore) return step('halted', ['no call succeeded']);
  if (client.verdict === 'client_limited') return step('client_limited', client.reasons);
  const judged = load.objectives
    .filter(isJudgedByStep)
    .map((objective) => ({ objective, tooFew: tooFewCalls(objective, load) }));
  const reasons = judged
    .filter(({ objective, tooFew }) => !objective.met && tooFew === null)
    .map(({ objective }) => measuredObjectiveWords(objective));
  const { dropped, planned } = load.total;
  if (dropped > DROPPED_SHARE * planned) {
    const why = `${dropped} of ${planned} starts were dropped: max_in_flight calls were under way`;
    return step('missed', [...reasons, why], reasons.length === 0);
  }
  if (reasons.length > 0) return step('missed', reasons);
  const open = judged.flatMap(({ tooFew }) => tooFew ?? []);
  return step(open.length === 0 ? 'held' : 'too_few_calls', open);
}
