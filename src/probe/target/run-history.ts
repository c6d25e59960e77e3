import type { Probe } from '../../contracts/probe-plan.ts';
import type { SkipReason } from '../schedule/due-run.ts';
import { SlotPlan } from '../schedule/slot-plan.ts';
import type { ProbeView } from '../view/daemon-view.ts';
import type { ProbeRun } from '../view/probe-run.ts';

const KEPT = 50;

interface Past {
  runs: readonly ProbeRun[];
  last_success_ms: number | null;
  held: SkipReason | null;
}

/** The last runs of each probe of a target, for the status page. */
export class RunHistory {
  readonly #past = new Map<string, Past>();

  ended(run: ProbeRun): void {
    const past = this.#of(run.probe);
    // Rows are in the ledger; here they would only hold memory.
    past.runs = [...past.runs.slice(1 - KEPT), { ...run, rows: [] }];
    past.held = null;
    if (run.error_type === 'none') past.last_success_ms = run.ended_ms;
  }

  skipped(probe: string, reason: SkipReason): void {
    this.#of(probe).held = reason;
  }

  forget(probe: string): void {
    this.#past.delete(probe);
  }

  view(target: string, probe: Probe, now_ms: number): ProbeView {
    const { name, api, model, stream, interval_ms } = probe;
    const { runs, last_success_ms, held } = this.#of(name);
    // As the scheduler works it out: its starts are a function of the names and the interval.
    const plan = new SlotPlan(interval_ms, '', target, name);
    const next_ms = Math.round(plan.startOf(plan.nextAfter(now_ms)));
    return { name, api, model, stream, interval_ms, runs, last_success_ms, next_ms, held };
  }

  #of(probe: string): Past {
    const known = this.#past.get(probe);
    if (known !== undefined) return known;
    const past: Past = { runs: [], last_success_ms: null, held: null };
    this.#past.set(probe, past);
    return past;
  }
}
