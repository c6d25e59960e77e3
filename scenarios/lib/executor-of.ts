import type { Arrival, Plan, ScenarioPlan } from '../../src/contracts/plan.ts';
import { plannedStarts } from '../../src/workload/arrival.ts';

/** Rates of a plan are starts per 1,000 s, which k6 holds as exactly. */
const TIME_UNIT = '1000s';

type PlannedRun = Pick<Plan, 'workload'>;

/** A scenario's options under our own executor (xk6/arrivals), which takes the starts of a trace from the plan itself. */
export function executorOf({ workload }: PlannedRun, scenario: ScenarioPlan) {
  const { stages, max_calls, process, burstiness, concurrency, trace } = scenario.arrival;
  return {
    executor: 'weighbridge-arrivals',
    exec: workload.calls_per_vu > 1 ? 'pool' : 'run',
    stages,
    maxCalls: max_calls,
    maxInFlight: scenario.max_in_flight,
    process,
    burstiness,
    seed: workload.seed,
    concurrency,
    trace: trace !== null,
    callsPerVU: workload.calls_per_vu,
    gracefulStop: `${workload.drain_ms}ms`,
  };
}

/**
 * The same under k6's own executors, for a k6 without ours: even starts and closed loops alone. Throws where it would
 * start other calls than those planned: a trace, or fewer calls than the rates give.
 */
export function stockExecutorOf({ workload }: PlannedRun, scenario: ScenarioPlan) {
  const { arrival, name, max_in_flight } = scenario;
  const gracefulStop = `${workload.drain_ms}ms`;
  if (arrival.trace !== null) throw new Error(refusal(name, 'a trace'));
  if (arrival.concurrency !== null)
    return { ...closedLoop(arrival, arrival.concurrency), exec: 'run', gracefulStop };
  const all = plannedStarts({ ...arrival, max_calls: null });
  if (arrival.max_calls !== null && (all === null || all > arrival.max_calls))
    throw new Error(refusal(name, 'max_calls'));
  return {
    ...openLoop(arrival),
    exec: 'run',
    timeUnit: TIME_UNIT,
    preAllocatedVUs: max_in_flight,
    maxVUs: max_in_flight,
    gracefulStop,
  };
}

/** What k6's own executors do otherwise than planned, one sentence each. */
export function stockNotes({ workload }: PlannedRun, scenarios: readonly ScenarioPlan[]): string[] {
  const notes = scenarios.flatMap(({ name, arrival }) =>
    arrival.process === 'even' ? [] : [`${name}: starts are even, not ${arrival.process}: ${MISSING}`],
  );
  if (workload.calls_per_vu > 1)
    notes.push(`each virtual user holds one call, not ${workload.calls_per_vu}: ${MISSING}`);
  return notes;
}

const MISSING = 'this k6 has no weighbridge-arrivals executor';

function refusal(scenario: string, what: string): string {
  return `scenario ${scenario}: expected a k6 with the weighbridge-arrivals executor, which ${what} needs; found one without`;
}

function closedLoop({ stages, max_calls }: Arrival, vus: number) {
  const duration = `${stages.reduce((sum, { duration_ms }) => sum + duration_ms, 0)}ms`;
  return max_calls === null
    ? { executor: 'constant-vus', vus, duration }
    : {
        executor: 'shared-iterations',
        vus: Math.min(vus, max_calls),
        iterations: max_calls,
        maxDuration: duration,
      };
}

function openLoop({ stages }: Arrival) {
  const [first] = stages;
  if (first === undefined) throw new Error('the arrival has no stage');
  const rate = first.from_millirate;
  const isConstant = stages.every(
    ({ from_millirate, to_millirate }) => from_millirate === rate && to_millirate === rate,
  );
  if (isConstant && rate > 0) {
    const duration = stages.reduce((sum, { duration_ms }) => sum + duration_ms, 0);
    return { executor: 'constant-arrival-rate', rate, duration: `${duration}ms` };
  }
  let reached = rate;
  const ramps = stages.flatMap(({ duration_ms, from_millirate, to_millirate }) => {
    const ramp = { duration: `${duration_ms}ms`, target: to_millirate };
    // A stage of no length is k6's way to jump.
    const jump = from_millirate === reached ? [] : [{ duration: '0ms', target: from_millirate }];
    reached = to_millirate;
    return [...jump, ramp];
  });
  return { executor: 'ramping-arrival-rate', startRate: rate, stages: ramps };
}
