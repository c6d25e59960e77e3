import type { ScenarioState, StateLine } from '../../contracts/ledger-lines.ts';
import type { Objective, Plan, ScenarioPlan } from '../../contracts/plan.ts';
import { PAID_KINDS } from '../../core/call-kind.ts';
import { parseInstant } from '../../core/time.ts';
import { type Figures, type LiveObjective, type LoadProgress, WINDOW_MS } from '../notices/progress.ts';
import { EndedCalls } from './ended-calls.ts';

/** State lines may come this much earlier or later than each second. */
const SLACK_MS = 500;

type StateFigures = Omit<Figures, 'ttft' | 'e2e' | 'tokens_per_s'>;

/** What state lines tell of scenarios taken together: counts since the beginning, and rates of the window. */
class RecentStates {
  #states: StateLine[] = [];

  add(state: StateLine): void {
    const from = state.elapsed_ms - WINDOW_MS - SLACK_MS;
    this.#states = [...this.#states.filter(({ elapsed_ms }) => elapsed_ms >= from), state];
  }

  /** Seconds between the first and the last line of the window. */
  get seconds(): number {
    const [first, last] = [this.#states.at(0), this.#states.at(-1)];
    return first === undefined || last === undefined ? 0 : (last.elapsed_ms - first.elapsed_ms) / 1000;
  }

  /** `openLoop`: false for a closed loop, whose answers set the pace: it asks for calls under way, not for starts. */
  figures(names: ReadonlySet<string>, openLoop: boolean): StateFigures {
    const [first, last] = [this.#states.at(0), this.#states.at(-1)];
    const now = (pick: (scenario: ScenarioState) => number | null): number => sumOf(last, names, pick);
    const rate = (pick: (scenario: ScenarioState) => number | null): number | null =>
      this.seconds <= 0
        ? null
        : Math.round(((now(pick) - sumOf(first, names, pick)) / this.seconds) * 1000) / 1000;
    // The load engine counts a start before it asks whether the call may be sent.
    const sent = ({ started, not_sent }: ScenarioState) => started - (not_sent ?? 0);
    // A halt adds the starts that were still to come, as held ones: then nothing tells what is due.
    const isDue = openLoop && last?.halted === null;
    return {
      asked_rate: isDue ? rate(({ planned }) => planned) : null,
      started_rate: rate(sent),
      planned: now(({ planned }) => planned),
      started: now(sent),
      in_flight: now(({ in_flight }) => in_flight),
      ok: now(({ ok }) => ok),
      // As the report counts: whole calls, whatever their attempts, and none that was cut on purpose.
      failed: now(({ finished, ok, retried, aborted }) => finished - ok - (retried ?? 0) - (aborted ?? 0)),
      dropped: now(({ dropped }) => dropped),
      held: now(({ held }) => held),
      not_sent: now(({ not_sent }) => not_sent),
      aborted: now(({ aborted }) => aborted),
    };
  }
}

function sumOf(
  state: StateLine | undefined,
  names: ReadonlySet<string>,
  pick: (scenario: ScenarioState) => number | null,
): number {
  const own = (state?.scenarios ?? []).filter(({ scenario }) => names.has(scenario));
  return own.reduce((sum, scenario) => sum + (pick(scenario) ?? 0), 0);
}

/** Null where a scenario goes on until the time is over. */
function countedCalls(scenarios: readonly ScenarioPlan[]): number | null {
  const counts = scenarios.flatMap(({ arrival }) => arrival.max_calls ?? []);
  return counts.length === 0 || counts.length < scenarios.length
    ? null
    : counts.reduce((sum, calls) => sum + calls, 0);
}

/** An objective held to the figures of its scenario so far. */
function liveObjective(objective: Objective, figures: Figures): LiveObjective {
  const { scenario, measure, percentile, max, min } = objective;
  const actual = actualOf(objective, figures);
  const known = actual !== null && (max !== null || min !== null);
  const met = known ? actual <= (max ?? actual) && actual >= (min ?? actual) : null;
  return { scenario, measure, percentile, max, min, actual, met };
}

/** Null for what takes the whole load, or its bill, to tell. */
function actualOf({ measure, percentile }: Objective, figures: Figures): number | null {
  const { ok, failed, dropped, planned } = figures;
  switch (measure) {
    case 'ttft_ms':
    case 'e2e_ms': {
      const times = measure === 'ttft_ms' ? figures.ttft : figures.e2e;
      if (percentile === 50) return times?.p50_ms ?? null;
      if (percentile === 95) return times?.p95_ms ?? null;
      return percentile === 99 ? (times?.p99_ms ?? null) : null;
    }
    case 'error_share':
      return ok + failed === 0 ? null : failed / (ok + failed);
    case 'dropped_share':
      return planned === 0 ? null : dropped / planned;
    default:
      return null;
  }
}

/** One load as it runs: state lines and rows of calls in, what is shown of it out. */
export class LiveLoad {
  readonly #plan: Plan;
  readonly #instance: string;
  readonly #states = new RecentStates();
  readonly #calls: EndedCalls;

  constructor(plan: Plan, instance: string) {
    this.#plan = plan;
    this.#instance = instance;
    const kinds = new Map(plan.workload.scenarios.map(({ name, kind }) => [name, kind]));
    this.#calls = new EndedCalls((scenario) => kinds.get(scenario) ?? null);
  }

  onCalls(rows: readonly string[]): void {
    this.#calls.add(rows);
  }

  /** The rows of calls that ended before the line was written have been given before it. */
  onState(state: StateLine): LoadProgress {
    const { workload, cap } = this.#plan;
    const { duration_ms: planned_ms, drain_ms, scenarios } = workload;
    const { elapsed_ms, halted } = state;
    const windowMs = Math.min(WINDOW_MS, elapsed_ms);
    this.#states.add(state);
    this.#calls.forgetBefore((parseInstant(state.at) ?? 0) - windowMs);
    const figures = (of: readonly ScenarioPlan[]): Figures => this.#figures(of, windowMs / 1000);
    const draining = elapsed_ms >= planned_ms || halted !== null;
    const { errors, others } = this.#calls.failures();
    return {
      instance: this.#instance,
      elapsed_ms,
      planned_ms,
      planned_calls: countedCalls(scenarios),
      drain_ms,
      left_ms: halted === null ? Math.max(0, planned_ms + (draining ? drain_ms : 0) - elapsed_ms) : null,
      draining,
      halted,
      kinds: PAID_KINDS.flatMap((kind) => {
        const of = scenarios.filter((scenario) => scenario.kind === kind);
        return of.length === 0 ? [] : [{ kind, ...figures(of) }];
      }),
      total: figures(scenarios),
      errors: [...errors],
      errors_others: others,
      objectives: workload.objectives.map((objective) =>
        liveObjective(objective, figures(scenarios.filter(({ name }) => name === objective.scenario))),
      ),
      spend: { at_most_usd: state.reserved_usd, cap_usd: cap.max_spend_usd },
      client: {
        cpu_cores: state.cpu,
        sched_lag_ms: state.sched_lag_ms,
        timer_lag_ms: state.timer_lag_ms ?? null,
        rows_lost: state.rows_lost,
      },
      sample: this.#calls.sample(),
    };
  }

  #figures(scenarios: readonly ScenarioPlan[], seconds: number): Figures {
    const names = new Set(scenarios.map(({ name }) => name));
    const openLoop = scenarios.every(({ arrival }) => arrival.concurrency === null);
    const kinds = new Set(scenarios.map(({ kind }) => kind));
    const [kind] = kinds;
    const ofCalls = this.#calls.figures(kinds.size === 1 && kind !== undefined ? kind : null, seconds);
    return { ...this.#states.figures(names, openLoop), ...ofCalls };
  }
}
