import type { ScenarioState, StateLine } from '../../contracts/ledger-lines.ts';
import { type Figures, WINDOW_MS } from '../notices/progress.ts';

/** State lines come each second, a little early or late. */
const SLACK_MS = 500;

export type StateFigures = Omit<Figures, 'ttft' | 'e2e' | 'tokens_per_s'>;

/** What state lines tell of scenarios taken together: counts since the beginning, and rates of the window. */
export class RecentStates {
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
