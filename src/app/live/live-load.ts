import type { StateLine } from '../../contracts/ledger-lines.ts';
import { PAID_KINDS } from '../../core/call-kind.ts';
import type { Plan, ScenarioPlan } from '../../core/plan.ts';
import { parseInstant } from '../../core/time.ts';
import { type Figures, type LoadProgress, WINDOW_MS } from '../notices/progress.ts';
import { EndedCalls } from './ended-calls.ts';
import { RecentStates } from './recent-states.ts';

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
