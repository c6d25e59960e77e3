import { CLIENT_LIMITS, withoutLateSeconds } from '../contracts/client-limits.ts';
import type { EngineResult } from '../contracts/engine-result.ts';
import type { ScenarioState, StateLine } from '../contracts/ledger-lines.ts';
import type { Plan, ScenarioPlan } from '../contracts/plan.ts';
import type { ClientVerdict } from '../contracts/result.ts';
import { rpsShortfall } from '../workload/peak-rate.ts';
import { skewReason, startSkewMs } from './engine-figures.ts';
import { ascending, percentile, roundedMs } from './latency-table.ts';
import { measuredMs } from './measured-window.ts';
import { lastStates } from './scenario-counts.ts';

export interface ClientEvidence {
  readonly plan: Plan;
  /** Those of the time of starts and after. */
  readonly states: readonly StateLine[];
  readonly lagP99: number | null;
  /** CPU cores that the client had. */
  readonly cores: number;
  /** Instances that left their ledger open. */
  readonly unclosed: readonly string[];
  /** Each is judged by its own figures; empty where one made the run. */
  readonly engines: readonly EngineResult[];
}

type Figures = Omit<ClientVerdict, 'verdict' | 'reasons'>;

/**
 * Whether the client itself was the bottleneck, by the stated limits: each that is passed is a reason. So is what leaves
 * unknown how it fared: no state line, or a ledger that breaks off.
 */
export function clientVerdict(evidence: ClientEvidence): ClientVerdict {
  const { plan, states, unclosed, engines } = evidence;
  const skew = startSkewMs(engines);
  const reasons =
    engines.length === 0 ? limitsPassed(evidence) : engines.flatMap((engine) => ofEngine(evidence, engine));
  const apart = skewReason(skew, measuredMs(plan));
  if (apart !== null) reasons.push(apart);
  if (states.length === 0) reasons.push('no state line was written: the client’s own load is not known');
  else if (unclosed.length > 0) {
    const names = unclosed.join(', ');
    reasons.push(`the ledger of ${names} was not closed: how the client fared at its end is not known`);
  }
  return {
    verdict: reasons.length === 0 ? 'valid' : 'client_limited',
    reasons,
    ...figuresOf(evidence),
    ...(engines.length === 0 ? {} : { start_skew_ms: skew }),
  };
}

/** A machine that is too slow must not hide behind those that are not. */
function ofEngine(
  evidence: ClientEvidence,
  { instance, cores, schedule_lag_p99_ms }: EngineResult,
): string[] {
  const own = {
    ...evidence,
    states: evidence.states.filter((state) => state.instance === instance),
    lagP99: schedule_lag_p99_ms,
    cores: cores ?? evidence.cores,
  };
  return limitsPassed(own).map((reason) => `${instance}: ${reason}`);
}

function limitsPassed(evidence: ClientEvidence): string[] {
  const figures = figuresOf(evidence);
  const judged = {
    ...figures,
    schedule_lag_p99_ms: ownLag(evidence.plan, figures.schedule_lag_p99_ms, evidence.states),
  };
  return CLIENT_LIMITS.flatMap(({ passed }) => passed(judged) ?? []);
}

function figuresOf({ plan, states, lagP99, cores, engines }: ClientEvidence): Figures {
  return {
    schedule_lag_p99_ms: lagP99,
    cpu_max: most(states.map(({ cpu }) => cpu)),
    gc_ms: states.length === 0 ? null : roundedMs(states.reduce((total, { gc_ms }) => total + gc_ms, 0)),
    rows_lost: lastStates(states).reduce((total, { rows_lost }) => total + rows_lost, 0),
    cores,
    cpu_p95: percentile(ascending(states.map(({ cpu }) => cpu)), 95),
    gc_share: gcShare(states),
    timer_lag_p99_ms: withoutLateSeconds(ascending(states.flatMap(({ timer_lag_ms }) => timer_lag_ms ?? []))),
    run_queue_p99_ms: percentile(
      ascending(states.flatMap(({ run_queue_p99_ms }) => run_queue_p99_ms ?? [])),
      99,
    ),
    open_files_max: most(states.flatMap(({ open_files }) => open_files ?? [])),
    open_files_limit: least(states.flatMap(({ open_files_limit }) => open_files_limit ?? [])),
    rss_max_bytes: most(states.flatMap(({ rss_bytes }) => rss_bytes ?? [])),
    dropped_by_client: droppedByClient(plan, states, engines.length || undefined),
    rps_limit: rpsShortfall(plan.workload),
  };
}

/**
 * The lag that is the client's doing. Rows hold the wait for `http.rps`, which is the plan's; the seconds' largest lateness
 * in state lines does not.
 */
function ownLag({ workload }: Plan, lag: number | null, states: readonly StateLine[]): number | null {
  if (workload.http.rps === null || lag === null) return lag;
  const largest = percentile(ascending(states.map(({ sched_lag_ms }) => sched_lag_ms)), 99);
  return largest === null ? lag : Math.min(lag, largest);
}

/** Pauses of all instances over the time that their state lines cover: each line is of the second before it. */
function gcShare(states: readonly StateLine[]): number | null {
  const seconds = states.length;
  if (seconds === 0) return null;
  const paused = states.reduce((total, { gc_ms }) => total + gc_ms, 0);
  return Math.round((paused / (seconds * 1000)) * 1e6) / 1e6;
}

function most(values: readonly number[]): number | null {
  return values.length === 0 ? null : roundedMs(values.reduce((left, right) => Math.max(left, right)));
}

function least(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((left, right) => Math.min(left, right));
}

/**
 * Starts dropped in seconds at whose both ends each limit that stood over them was less than half used: no limit of the
 * plan can have dropped them. A limit is used by all scenarios that share it. A session holds its place while it thinks,
 * and a caller that waits for a retry holds it, too, so nothing is judged that shares a limit with either.
 */
export function droppedByClient(
  plan: Plan,
  states: readonly StateLine[],
  engines = new Set(states.map(({ instance }) => instance)).size,
): number {
  if (plan.workload.retry.max_attempts > 1) return 0;
  const byInstance = [...Map.groupBy(states, ({ instance }) => instance).values()];
  const judged = plan.workload.scenarios.map((scenario) => ({
    name: scenario.name,
    limits: limitsOver(plan, scenario, engines),
  }));
  return byInstance.reduce(
    (total, lines) =>
      total + judged.reduce((sum, { name, limits }) => sum + droppedOf(name, limits, lines), 0),
    0,
  );
}

interface SharedLimit {
  /** Calls under way at once that an instance has for itself. */
  readonly most: number;
  /** Scenarios that use it together. */
  readonly scenarios: ReadonlySet<string>;
  /** False where a place can be held by what is not in flight. */
  readonly counted: boolean;
}

/** The limits that can drop a start of a scenario. */
function limitsOver(
  { limits, workload }: Plan,
  { name, model, max_in_flight }: ScenarioPlan,
  instances: number,
): readonly SharedLimit[] {
  const limitOf = (most: number, shares: (other: ScenarioPlan) => boolean): SharedLimit => {
    const sharing = workload.scenarios.filter(shares);
    return {
      // Shares of an instance are whole, rounded either way.
      most: Math.floor(most / instances),
      scenarios: new Set(sharing.map((scenario) => scenario.name)),
      counted: sharing.every(({ text }) => text?.session == null),
    };
  };
  const byModel = limits.max_in_flight_by_model[model];
  return [
    limitOf(max_in_flight, (other) => other.name === name),
    ...(limits.max_in_flight === null ? [] : [limitOf(limits.max_in_flight, () => true)]),
    ...(byModel === undefined ? [] : [limitOf(byModel, (other) => other.model === model)]),
  ];
}

function droppedOf(name: string, limits: readonly SharedLimit[], lines: readonly StateLine[]): number {
  let before: StateLine | undefined;
  let count = 0;
  for (const line of lines.toSorted((left, right) => left.elapsed_ms - right.elapsed_ms)) {
    const ends = before === undefined ? [] : [before, line];
    if (ends.length > 0 && limits.every((limit) => ends.every((end) => isHalfFree(limit, end)))) {
      count += droppedIn(name, line) - droppedIn(name, before);
    }
    before = line;
  }
  return count;
}

function isHalfFree({ most, scenarios, counted }: SharedLimit, line: StateLine): boolean {
  const used = line.scenarios.reduce(
    (sum, state) => sum + (scenarios.has(state.scenario) ? state.in_flight : 0),
    0,
  );
  return counted && used < most / 2;
}

function droppedIn(name: string, line: StateLine | undefined): number {
  const state: ScenarioState | undefined = line?.scenarios.find(({ scenario }) => scenario === name);
  return state?.dropped ?? 0;
}
