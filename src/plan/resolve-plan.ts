import type { ConfigObjective, Origin, ResolvedConfig, ResolvedTraffic } from '../config/resolved-config.ts';
import { WeighbridgeError } from '../contracts/failure.ts';
import type { Objective, Plan, PlanTarget, PriceBound, ScenarioPlan, Workload } from '../contracts/plan.ts';
import type { PriceBook } from '../contracts/price-book.ts';
import { PLAN_SCHEMA } from '../contracts/schema-names.ts';
import { parseAmount } from '../core/amount.ts';
import { isTextKind } from '../core/call-kind.ts';
import { formatInstant } from '../core/time.ts';
import { roundingGuard } from '../pricebook/charge/price-bounds.ts';
import { guessWords } from '../text/guess-words.ts';
import { buildScenario } from './build-scenario.ts';
import { mostCalls, withinCalls } from './call-limit.ts';
import { type ChosenModel, chooseModels, firstModels } from './choose-models.ts';
import { type Forecast, forecast } from './forecast.ts';
import { checkPermission, withinFreeLoad } from './load-permission.ts';
import { planHash } from './plan-hash.ts';
import { checkInstances, shareOf } from './plan-instances.ts';
import {
  limitsOf,
  mergeBounds,
  partialCaps,
  priceBoundOf,
  promptSources,
  shareWatermarks,
  unlistedModel,
  whyUnpriced,
} from './plan-limits.ts';
import { plannedTokenizer } from './planned-tokenizer.ts';
import { peakOfTrace, replayTrace, startsOf, traced } from './replay-trace.ts';
import { uncutCalls } from './uncut-calls.ts';

export interface PlanRequest {
  readonly config: ResolvedConfig;
  readonly target: PlanTarget;
  readonly book: PriceBook | null;
  /** Ids of the target's model list; null where it was not read. */
  readonly listedModels: readonly string[] | null;
  readonly runId: string;
  readonly nonce: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** `optional` plans without a spend cap on an own target, for one who asks what it must be. Default: `required`. */
  readonly cap?: 'required' | 'optional';
  /** k6 that share the load; left out for one. */
  readonly instances?: number | undefined;
}

export interface ResolvedPlan {
  readonly plan: Plan;
  readonly origins: Readonly<Record<string, Origin>>;
  readonly chosen: readonly ChosenModel[];
  readonly forecast: Forecast;
  /** What was changed or left out without being asked for, one sentence each. */
  readonly notes: readonly string[];
  /** What the run folder holds beside the plan, so that it can be repeated; null where no trace is replayed. */
  readonly replay: StoredReplay | null;
}

/** The content of `trace.ndjson`, and the configuration that names it. */
export interface StoredReplay {
  readonly trace: string;
  readonly config: ResolvedConfig;
}

/** The plan of a run. Throws `spend_cap_needed`, `permission_needed` or `instances_without_place` (exit 2). An own target is always capped. */
export function resolvePlan(request: PlanRequest): ResolvedPlan {
  const { target, book, runId, nonce, instances } = request;
  const replay = replayTrace(request.config);
  const config = replay?.config ?? request.config;
  const maxSpend = request.cap === 'optional' ? config.spend.max_usd : spendLimit(config, target);
  const hasBill = target.bill === 'served';
  const most = mostCalls(config, target);
  const capped = hasBill && (maxSpend !== null || !target.embedded);
  const { traffic, notes } = selectTraffic(config, target);
  const { chosen, stopped } = hasBill
    ? chooseModels(traffic, book, request.listedModels)
    : firstModels(traffic, request.listedModels);
  const sources = promptSources(traffic);
  const built: ScenarioPlan[] = [];
  const bounds: PriceBound[] = [];
  for (const { scenario: name, model } of chosen) {
    const entry = traffic.find((candidate) => candidate.name === name);
    if (entry === undefined) continue;
    const prompts = sources.get(name)?.file ?? null;
    const untraced = buildScenario({ traffic: entry, model, durationMs: config.duration_ms, prompts });
    const scenario = replay === null ? untraced : traced(untraced, replay.trace);
    const bound =
      book === null ? null : priceBoundOf(book, scenario, config.models.get(model)?.max_output ?? null);
    const unlisted = unlistedModel(scenario, request.listedModels);
    const isCapped = capped || entry.max_usd !== null || (config.models.get(model)?.max_usd ?? null) !== null;
    if (bound === null && isCapped) {
      const why = unlisted ?? whyUnpriced(scenario, book);
      const reason = `the spend cap cannot be kept: ${why}`;
      stopped.push({ scenario: name, kind: scenario.kind, model, reason });
      continue;
    }
    if (unlisted !== null) notes.push(`${name}: its calls will fail: ${unlisted}`);
    else if (bound === null && hasBill)
      notes.push(`${name}: its charges cannot be checked: ${whyUnpriced(scenario, book)}`);
    if (bound !== null) bounds.push(bound);
    built.push(scenario);
  }
  const limited = withinCalls(shareWatermarks(built), most, config.retry.max_attempts);
  const scenarios = limited.filter(({ arrival }) => arrival.max_calls !== 0);
  for (const { name, kind, model } of limited.filter((scenario) => !scenarios.includes(scenario)))
    stopped.push({ scenario: name, kind, model, reason: `of ${most} calls at most none is left for it` });
  checkPermission(config, scenarios, request.now, replay === null ? 0 : peakOfTrace(replay.trace, scenarios));
  notes.push(...(replay?.trace.notes ?? []));
  const workload = workloadOf(config, scenarios);
  notes.push(...cutStages(traffic, config.duration_ms), ...uncutCalls(scenarios));
  for (const objective of config.objectives) {
    if (scenarios.some((candidate) => isBounded(candidate, objective))) continue;
    const { scenario, kind, measure } = objective;
    notes.push(
      `the objective on ${measure} of ${scenario ?? kind ?? 'every kind'} is not judged: nothing that has it runs`,
    );
  }
  const guess = config.spend.assume_usd_per_call;
  if (guess !== null)
    notes.push(
      hasBill ? 'your guess of what a call costs is not used: the target has prices' : guessWords(guess),
    );
  const cap = {
    ...partialCaps(config, traffic, scenarios),
    max_spend_usd: maxSpend,
    ...(hasBill || guess === null ? {} : { assumed_usd_per_call: guess }),
    bounds: mergeBounds(bounds),
  };
  const limits = limitsOf(config, scenarios);
  if (instances !== undefined) checkInstances({ limits, workload }, instances);
  const costs = forecast({
    plan: { limits, workload, cap },
    guard: book === null ? 0n : roundingGuard(book),
    sourcesOf: ({ name }) => ({
      prompts: sources.get(name)?.bytes ?? null,
      trace: replay === null ? null : startsOf(replay.trace, name),
    }),
  });
  notes.push(...callsWithoutRoom(costs, maxSpend, instances ?? 1));
  return {
    plan: {
      schema: PLAN_SCHEMA,
      run_id: runId,
      created_at: formatInstant(request.now),
      plan_hash: planHash(workload),
      nonce: config.nonce ?? nonce,
      target,
      cap,
      limits,
      keep_text: config.keep_text,
      ...plannedTokenizer(config),
      ...(instances === undefined ? {} : { instances }),
      workload,
      stopped,
    },
    origins: config.origins,
    chosen: chosen.filter(({ scenario }) => scenarios.some(({ name }) => name === scenario)),
    forecast: costs,
    notes,
    replay: replay === null ? null : { trace: replay.trace.text, config: replay.stored },
  };
}

/**
 * An own target with a bill, loopback too, needs a limit; the embedded gateway that we started ourselves may have one.
 * Where nothing has a price, a limit could not be kept.
 */
export function spendLimit(config: ResolvedConfig, target: PlanTarget): string | null {
  if (target.bill === 'none') return null;
  if (config.spend.max_usd !== null || target.embedded) return config.spend.max_usd;
  throw new WeighbridgeError({
    code: 'spend_cap_needed',
    message: `There is no limit on what this run may spend on ${target.name}.`,
    hint: 'Give --max-spend-usd 2.00, or set spend.max_usd: "2.00" in the configuration.',
  });
}

function selectTraffic(
  config: ResolvedConfig,
  target: PlanTarget,
): { traffic: readonly ResolvedTraffic[]; notes: string[] } {
  if (!config.default_traffic || target.embedded)
    return { traffic: config.traffic, notes: replacedTraffic(config) };
  const isPlain = target.bill === 'none';
  // A server without a bill often knows no other route.
  const text = config.traffic.filter(({ kind }) => (isPlain ? kind === 'chat' : isTextKind(kind)));
  const notes = [
    isPlain
      ? 'all kinds but chat stay off until the configuration asks for them'
      : 'images and videos stay off until the configuration asks for them',
  ];
  const traffic = withinFreeLoad(text, config);
  if (traffic !== text)
    notes.push('without target.permission the default traffic is held to 2 calls/s and 5 in flight');
  return { traffic, notes };
}

function replacedTraffic({ replaced_traffic: names, file }: ResolvedConfig): string[] {
  if (names.length === 0) return [];
  return [`the flags of the calls stand in place of what ${file} calls: ${names.join(', ')}`];
}

/** A note for each scenario of which the cap, or an instance's share of it, holds not one call. */
function callsWithoutRoom({ scenarios }: Forecast, maxSpend: string | null, instances: number): string[] {
  if (maxSpend === null) return [];
  const share = instances === 1 ? maxSpend : shareOf(maxSpend, instances);
  const cap = parseAmount(share);
  const found = instances === 1 ? `the cap is $${share}` : `an instance's share of the cap is $${share}`;
  if (cap === null) return [];
  return scenarios.flatMap(({ scenario, call_usd }) => {
    const worst = parseAmount(call_usd);
    if (worst === null || worst <= cap) return [];
    return [
      `${scenario}: none of its calls is sent: one can cost $${call_usd} at worst, ${found}; raise --max-spend-usd (or, of text calls, set models.<id>.max_output)`,
    ];
  });
}

/** A note for each scenario whose stages go on after the run's end. */
function cutStages(traffic: readonly ResolvedTraffic[], durationMs: number): string[] {
  return traffic.flatMap(({ name, stages }) => {
    const lastMs = stages.reduce((sum, stage) => sum + stage.duration_ms, 0);
    if (lastMs <= durationMs) return [];
    return [`${name}: stages last ${lastMs / 1_000} s, the run ${durationMs / 1_000} s: the rest is cut`];
  });
}

/** Without a name an objective holds for every scenario that can have its measure: only streams have a first token. */
function isBounded(
  { name, kind, text }: ScenarioPlan,
  objective: Pick<ConfigObjective, 'scenario' | 'kind' | 'measure'>,
): boolean {
  if (objective.scenario !== null || objective.kind !== null)
    return name === objective.scenario || kind === objective.kind;
  const isStreamed = objective.measure === 'ttft_ms' || objective.measure === 'tpot_ms';
  return !isStreamed || (text?.stream_share ?? 0) > 0;
}

function workloadOf(config: ResolvedConfig, scenarios: readonly ScenarioPlan[]): Workload {
  const objectives = config.objectives.flatMap((objective): Objective[] => {
    const { measure, percentile, max, min, max_usd } = objective;
    return scenarios
      .filter((scenario) => isBounded(scenario, objective))
      .map(({ name }) => ({ scenario: name, measure, percentile, max, min, max_usd }));
  });
  const { seed, duration_ms, drain_ms, warm_up_ms, cool_down_ms, timeouts, retry, http, calls_per_vu } =
    config;
  return {
    seed,
    duration_ms,
    drain_ms,
    warm_up_ms,
    cool_down_ms,
    timeouts,
    retry,
    http,
    calls_per_vu,
    scenarios,
    objectives,
  };
}
