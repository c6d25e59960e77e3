import { isFreeRead, type Probe } from '../../contracts/probe-plan.ts';
import type { SkipReason } from '../schedule/due-run.ts';
import { SlotPlan } from '../schedule/slot-plan.ts';
import type { ProbeView } from '../view/daemon-view.ts';
import type { ProbeRun } from '../view/probe-run.ts';
import { DayHistory } from './day-history.ts';

const KEPT = 50;

interface Past {
  readonly day: DayHistory;
  running_since_ms: number | null;
  price: ProbeView['price'];
  runs: readonly ProbeRun[];
  last_success_ms: number | null;
  held: SkipReason | null;
}

/** The last runs of each probe of a target, for the status page. */
export class RunHistory {
  readonly #past = new Map<string, Past>();

  started(probe: string, now_ms: number): void {
    this.#of(probe).running_since_ms = now_ms;
  }

  stopped(probe: string): void {
    this.#of(probe).running_since_ms = null;
  }

  priced(probe: string, price: ProbeView['price']): void {
    this.#of(probe).price = price;
  }

  ended(run: ProbeRun, first_token_ms: number | null): void {
    const past = this.#of(run.probe);
    past.day.ended(run, first_token_ms);
    // Rows are in the ledger; here they would only hold memory.
    past.runs = [...past.runs.slice(1 - KEPT), { ...run, rows: [] }];
    past.held = null;
    if (run.error_type === 'none') past.last_success_ms = run.ended_ms;
  }

  skipped(probe: string, reason: SkipReason): void {
    const past = this.#of(probe);
    past.held = reason;
    if (reason === 'no_price') past.price = 'unknown';
  }

  forget(probe: string): void {
    this.#past.delete(probe);
  }

  view(target: string, probe: Probe, now_ms: number): ProbeView {
    const { name, api, model, stream, interval_ms } = probe;
    const { runs, last_success_ms, held, running_since_ms, price, day } = this.#of(name);
    const early = isFreeRead(api) && runs.length === 0;
    // As the scheduler works it out: its starts are a function of the names and the interval.
    const plan = new SlotPlan(interval_ms, '', target, name);
    const next_ms = Math.round(plan.startOf(plan.nextAfter(now_ms)));
    return {
      ...{ name, api, model, stream, interval_ms, runs, last_success_ms, held, running_since_ms, price },
      // Its first run comes before its first slot.
      next_ms: early ? null : next_ms,
      day: day.view(now_ms),
    };
  }

  #of(probe: string): Past {
    const known = this.#past.get(probe);
    if (known !== undefined) return known;
    const past: Past = {
      runs: [],
      last_success_ms: null,
      held: null,
      running_since_ms: null,
      price: null,
      day: new DayHistory(),
    };
    this.#past.set(probe, past);
    return past;
  }
}
