import { plannedStarts } from '../core/arrival.ts';
import type { StateLine } from '../core/ledger-lines.ts';
import type { Plan, ScenarioPlan } from '../core/plan.ts';
import { askedBetween } from './arrival-time.ts';
import type { CallCosts } from './call-costs.ts';
import type { LoadGroup } from './load-figures.ts';
import type { LogicalCall } from './logical-call.ts';
import { isMeasured, measuredMs } from './measured-window.ts';
import { addCounts, type ScenarioCounts, scenarioCounts } from './scenario-counts.ts';

/** What the figures of one scenario are made of. */
export interface ScenarioGroup extends LoadGroup {
  readonly scenario: ScenarioPlan;
}

export interface ScenarioInput {
  readonly scenario: ScenarioPlan;
  readonly all: readonly LogicalCall[];
  readonly last: readonly StateLine[];
  readonly seconds: number;
  readonly plan: Plan;
  readonly costs: CallCosts | null;
}

export function scenarioGroup({ scenario, all, last, seconds, plan, costs }: ScenarioInput): ScenarioGroup {
  const { warm_up_ms, cool_down_ms, objectives } = plan.workload;
  const ofScenario = all.filter((call) => call.scenario === scenario.name && isMeasured(call));
  const phases = warm_up_ms + cool_down_ms > 0;
  const counts = countsOf(
    plan,
    scenario,
    ofScenario,
    scenarioCounts(scenario.name, last, phases ? 'measured' : 'all'),
    last,
  );
  return {
    scenario,
    calls: ofScenario.filter((call) => call.sent),
    counts,
    asked: askedBetween(scenario.arrival, warm_up_ms / 1000, seconds, counts.planned),
    measuredSeconds: seconds,
    objectives,
    costs,
  };
}

/** A turn after the first of a session is no start of its own. */
function isStart(call: LogicalCall): boolean {
  return call.last.turn === null || call.last.turn === 1;
}

/**
 * Counters of the state lines. A killed client's last line is up to a second old, so its rows may know of more
 * starts; without any state line the schedule says what was planned. The client counts a start before it asks whether
 * the call may be sent: what was not sent is held back.
 */
function countsOf(
  plan: Plan,
  scenario: ScenarioPlan,
  calls: readonly LogicalCall[],
  counts: ScenarioCounts | null,
  last: readonly StateLine[],
): ScenarioCounts {
  const starts = calls.filter(isStart);
  const notSent = starts.filter((call) => !call.sent).length;
  if (counts === null) {
    const planned = Math.max(plannedOf(plan, scenario), starts.length);
    return { planned, started: starts.length - notSent, dropped: 0, held: notSent };
  }
  const whole = last.every((line) => line.final);
  const begun = whole ? counts.started : Math.max(counts.started, starts.length);
  return {
    planned: Math.max(counts.planned, begun + counts.dropped + counts.held),
    started: Math.max(0, begun - notSent),
    dropped: counts.dropped,
    held: counts.held + notSent,
  };
}

/** Starts that the schedule has in the measured phase; what a trace has in it, only the client knows. */
function plannedOf(plan: Plan, { arrival }: ScenarioPlan): number {
  const { warm_up_ms, cool_down_ms } = plan.workload;
  if (warm_up_ms + cool_down_ms === 0) return plannedStarts(arrival) ?? 0;
  return askedBetween(arrival, warm_up_ms / 1000, measuredMs(plan) / 1000, 0).calls ?? 0;
}

const NONE: ScenarioCounts = { planned: 0, started: 0, dropped: 0, held: 0 };

/** Several scenarios as one: their starts over the longest of their times of starts. */
export function together(groups: readonly ScenarioGroup[]): LoadGroup {
  return {
    calls: groups.flatMap((group) => group.calls),
    counts: groups.reduce((counts, group) => addCounts(counts, group.counts), NONE),
    asked: {
      calls: sumKnown(groups.map(({ asked }) => asked.calls)),
      seconds: groups.reduce((most, group) => Math.max(most, group.asked.seconds), 0),
    },
    measuredSeconds: groups.reduce((most, group) => Math.max(most, group.measuredSeconds), 0),
    objectives: groups[0]?.objectives ?? [],
    costs: groups[0]?.costs ?? null,
  };
}

/** The sum; null where one of them is not known. */
function sumKnown(counts: readonly (number | null)[]): number | null {
  return counts.reduce<number | null>(
    (sum, count) => (sum === null || count === null ? null : sum + count),
    0,
  );
}
