import type { StateLine } from '../contracts/ledger-lines.ts';
import type { Plan, ScenarioPlan } from '../contracts/plan.ts';
import { plannedStarts } from '../workload/arrival.ts';
import { scheduledBetween } from './arrival-time.ts';
import type { CallCosts } from './call-costs.ts';
import type { LoadGroup } from './load-figures.ts';
import { isMeasured, isStart, type LogicalCall } from './logical-call.ts';
import { measuredMs, spanOfCalls } from './measured-window.ts';
import { addCounts, type ScenarioCounts, scenarioCounts } from './scenario-counts.ts';
import { isHalted } from './starts-ended.ts';

/** What the figures of one scenario are made of. */
export interface ScenarioGroup extends LoadGroup {
  readonly scenario: ScenarioPlan;
}

export interface ScenarioInput {
  readonly scenario: ScenarioPlan;
  readonly all: readonly LogicalCall[];
  readonly last: readonly StateLine[];
  /** The measured time, and epoch ms of its beginning. */
  readonly seconds: number;
  readonly from: number | null;
  readonly plan: Plan;
  readonly costs: CallCosts | null;
}

export function scenarioGroup(input: ScenarioInput): ScenarioGroup {
  const { scenario, all, last, seconds, from, plan, costs } = input;
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
  const calls = ofScenario.filter((call) => call.sent);
  const withoutBill = plan.target.bill === 'none';
  const rest = { scenario, calls, counts, objectives, costs, withoutBill };
  if (isOffPlanGroup(scenario, calls)) {
    const span = spanOfCalls(calls);
    const own = span === null ? seconds : Math.min(seconds, (span.lastEnd - span.first) / 1000);
    return { ...rest, asked: { calls: null, seconds: own }, sendSeconds: own, measuredSeconds: own };
  }
  const spanned = (time: number) => scheduledBetween(scenario.arrival, warm_up_ms / 1000, time).seconds;
  // Counters that a kill broke off hold what was due until then; those of a halt go on to plan starts, which are held.
  const isBroken = last.length > 0 && !isHalted(last);
  const asked = {
    calls: scenario.arrival.concurrency === null ? counts.planned : null,
    seconds: spanned(isBroken ? Math.min(seconds, measuredMs(plan) / 1000) : measuredMs(plan) / 1000),
  };
  const starts = spanOfCalls(calls.filter(isStart));
  const late = starts === null || from === null ? 0 : (starts.lastStart - from) / 1000;
  return { ...rest, asked, sendSeconds: Math.max(spanned(seconds), late), measuredSeconds: seconds };
}

/** True where a script of the user's own made all starts: then the schedule says nothing of them. */
function isOffPlanGroup({ arrival }: ScenarioPlan, calls: readonly LogicalCall[]): boolean {
  if (arrival.concurrency !== null || calls.length === 0) return false;
  return calls.filter(isStart).every((call) => call.scheduleLagMs === null);
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
  if (isOffPlanGroup(scenario, calls)) {
    const planned = Math.max(counts?.planned ?? 0, starts.length);
    return {
      planned,
      started: starts.length - notSent,
      dropped: counts?.dropped ?? 0,
      held: notSent + (counts?.held ?? 0),
    };
  }
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
  return scheduledBetween(arrival, warm_up_ms / 1000, measuredMs(plan) / 1000).calls ?? 0;
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
    sendSeconds: groups.reduce((most, group) => Math.max(most, group.sendSeconds), 0),
    measuredSeconds: groups.reduce((most, group) => Math.max(most, group.measuredSeconds), 0),
    objectives: groups[0]?.objectives ?? [],
    costs: groups[0]?.costs ?? null,
    withoutBill: groups[0]?.withoutBill ?? false,
  };
}

/** The sum; null where one of them is not known. */
function sumKnown(counts: readonly (number | null)[]): number | null {
  return counts.reduce<number | null>(
    (sum, count) => (sum === null || count === null ? null : sum + count),
    0,
  );
}
