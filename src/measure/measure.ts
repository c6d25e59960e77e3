import { plannedStarts } from '../core/arrival.ts';
import { PAID_KINDS, type PaidKind } from '../core/call-kind.ts';
import type { CallRow, StateLine } from '../core/ledger-lines.ts';
import type { Plan, ScenarioPlan } from '../core/plan.ts';
import type { ClientVerdict, LoadResult } from '../core/result.ts';
import { formatInstant, parseInstant } from '../core/time.ts';
import { askedArrivals } from './arrival-time.ts';
import { clientVerdict } from './client-verdict.ts';
import { ascending, latencyTable, roundedMs } from './latency-table.ts';
import { type LoadGroup, loadFigures } from './load-figures.ts';
import { type LoadSeries, loadSeries } from './load-series.ts';
import { type LogicalCall, logicalCalls } from './logical-call.ts';
import { judgeObjective } from './objective-check.ts';
import { addCounts, lastStates, type ScenarioCounts, scenarioCounts } from './scenario-counts.ts';

/** The time in which calls were started, RFC 3339: rates and goodput are per second of it. */
export interface MeasuredWindow {
  readonly start: string;
  readonly end: string;
}

export interface Measurement {
  readonly window: MeasuredWindow | null;
  readonly load: LoadResult;
  readonly client: ClientVerdict;
  readonly series: LoadSeries;
}

export interface MeasureInput {
  readonly plan: Plan;
  readonly rows: Iterable<CallRow>;
  readonly states: Iterable<StateLine>;
  /** Null: from the first start on, as long as the plan starts calls, or until a halt ended the starts. */
  readonly window: MeasuredWindow | null;
  /** CPU cores that the load generator had. */
  readonly cores: number;
}

/** Figures of one run from its ledger. A pure function: the same lines give the same bytes. */
export function measure(input: MeasureInput): Measurement {
  const { plan, cores } = input;
  const states = [...input.states].filter((state) => state.run_id === plan.run_id);
  const all = logicalCalls([...input.rows].filter((row) => row.run_id === plan.run_id));
  const window = input.window ?? windowOf(plan, all, states);
  const seconds = window === null ? 0 : secondsOf(window);
  const last = lastStates(states);
  const groups = plan.workload.scenarios.map((scenario) => scenarioGroup(scenario, all, last, seconds, plan));
  const kinds = PAID_KINDS.flatMap((kind) => {
    const ofKind = groups.filter((group) => group.scenario.kind === kind);
    return ofKind.length === 0 ? [] : [{ kind, ...loadFigures(together(ofKind)) }];
  });
  const lags = groups.flatMap((group) => group.calls.flatMap((call) => call.scheduleLagMs ?? []));
  return {
    window,
    load: {
      measured_s: roundedMs(seconds),
      scenarios: groups.map((group) => {
        const { name, kind, model } = group.scenario;
        return { scenario: name, kind, model, ...loadFigures(group) };
      }),
      kinds,
      total: loadFigures(together(groups)),
      objectives: plan.workload.objectives.flatMap((objective) =>
        groups
          .filter((group) => group.scenario.name === objective.scenario)
          .map((group) => judgeObjective(objective, group.calls, group.counts)),
      ),
    },
    client: clientVerdict(statesIn(window, states), latencyTable(ascending(lags)), cores),
    series: loadSeries(all, kindOfPlan(plan)),
  };
}

interface ScenarioGroup extends LoadGroup {
  readonly scenario: ScenarioPlan;
}

function scenarioGroup(
  scenario: ScenarioPlan,
  all: readonly LogicalCall[],
  last: readonly StateLine[],
  seconds: number,
  plan: Plan,
): ScenarioGroup {
  const ofScenario = all.filter((call) => call.scenario === scenario.name);
  const asked = askedArrivals(scenario.arrival, seconds);
  return {
    scenario,
    calls: ofScenario.filter((call) => call.sent && call.last.phase === 'measured'),
    counts: countsOf(scenario, ofScenario, last),
    asked,
    measuredSeconds: seconds,
    objectives: plan.workload.objectives,
  };
}

/**
 * Counters of the state lines. A killed client's last line is up to a second old, so its rows may know of more
 * starts; without any state line the schedule says what was planned. The client counts a start before it asks whether
 * the call may be sent: what was not sent is held back.
 */
function countsOf(
  scenario: ScenarioPlan,
  calls: readonly LogicalCall[],
  last: readonly StateLine[],
): ScenarioCounts {
  const counts = scenarioCounts(scenario.name, last);
  const notSent = calls.filter((call) => !call.sent).length;
  if (counts === null) {
    const planned = Math.max(plannedStarts(scenario.arrival), calls.length);
    return { planned, started: calls.length - notSent, dropped: 0, held: notSent };
  }
  const whole = last.every((line) => line.final);
  const begun = whole ? counts.started : Math.max(counts.started, calls.length);
  return {
    planned: Math.max(counts.planned, begun + counts.dropped + counts.held),
    started: Math.max(0, begun - notSent),
    dropped: counts.dropped,
    held: counts.held + notSent,
  };
}

const NONE: ScenarioCounts = { planned: 0, started: 0, dropped: 0, held: 0 };

/** Several scenarios as one: their starts over the longest of their times of starts. */
function together(groups: readonly ScenarioGroup[]): LoadGroup {
  return {
    calls: groups.flatMap((group) => group.calls),
    counts: groups.reduce((counts, group) => addCounts(counts, group.counts), NONE),
    asked: {
      calls: groups.reduce((calls, group) => calls + group.asked.calls, 0),
      seconds: groups.reduce((most, group) => Math.max(most, group.asked.seconds), 0),
    },
    measuredSeconds: groups.reduce((most, group) => Math.max(most, group.measuredSeconds), 0),
    objectives: groups[0]?.objectives ?? [],
  };
}

function windowOf(
  plan: Plan,
  calls: readonly LogicalCall[],
  states: readonly StateLine[],
): MeasuredWindow | null {
  const starts = calls
    .filter((call) => call.sent && call.last.phase === 'measured')
    .map((call) => call.startedAt);
  const first = starts.reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY);
  if (!Number.isFinite(first)) return null;
  const lastStart = starts.reduce((most, at) => Math.max(most, at), first);
  const planned = first + plan.workload.duration_ms;
  const end = Math.min(planned, Math.max(lastStart, haltedAt(states) ?? planned));
  return { start: formatInstant(first), end: formatInstant(end) };
}

/** When the last instance was seen to start no more; what drains afterwards is no time of starts. Null: one never halted. */
function haltedAt(states: readonly StateLine[]): number | null {
  const halts = [...Map.groupBy(states, ({ instance }) => instance).values()].map((lines) =>
    lines
      .filter((line) => line.halted !== null)
      .reduce((least, line) => Math.min(least, parseInstant(line.at) ?? least), Number.POSITIVE_INFINITY),
  );
  const last = halts.reduce((most, at) => Math.max(most, at), Number.NEGATIVE_INFINITY);
  return Number.isFinite(last) ? last : null;
}

/** State lines from the window's start on: what the load engine needs to get ready disturbs no call. */
function statesIn(window: MeasuredWindow | null, states: readonly StateLine[]): readonly StateLine[] {
  const start = parseInstant(window?.start ?? '') ?? Number.NEGATIVE_INFINITY;
  return states.filter((state) => (parseInstant(state.at) ?? start) >= start);
}

function secondsOf(window: MeasuredWindow): number {
  const start = parseInstant(window.start);
  const end = parseInstant(window.end);
  return start === null || end === null ? 0 : Math.max(0, (end - start) / 1000);
}

function kindOfPlan(plan: Plan): (call: LogicalCall) => PaidKind | null {
  const kinds = new Map(plan.workload.scenarios.map((scenario) => [scenario.name, scenario.kind]));
  return (call) => kinds.get(call.scenario) ?? null;
}
