import type { PaidKind } from '../../src/core/call-kind.ts';
import type { Objective, Plan, ScenarioPlan } from '../../src/core/plan.ts';
import { PLAN_SCHEMA } from '../../src/core/plan.ts';

/** Reads the plan that `WEIGHBRIDGE_PLAN` names; only in the init part of a script, as k6's `open`. */
export function openPlan(): Plan {
  const path = __ENV['WEIGHBRIDGE_PLAN'];
  if (path === undefined || path === '') {
    throw new Error(
      'WEIGHBRIDGE_PLAN: expected the path of a plan.json (weighbridge plan writes one), found nothing',
    );
  }
  if (!path.startsWith('/') && !/^[A-Za-z]:/.test(path)) {
    throw new Error(`WEIGHBRIDGE_PLAN: expected an absolute path, found ${path}`);
  }
  const plan: Plan = JSON.parse(open(path));
  if (plan.schema !== PLAN_SCHEMA) {
    throw new Error(`${path}: expected schema ${PLAN_SCHEMA}, found ${String(plan.schema)}`);
  }
  return plan;
}

export function scenarioNamed(plan: Plan, name: string): ScenarioPlan {
  const found = plan.workload.scenarios.find((scenario) => scenario.name === name);
  if (found === undefined) throw new Error(`the plan has no scenario ${name}`);
  return found;
}

/** k6 options for the plan's scenarios, or for those of one kind. Functions named `run` are executed. */
export function optionsOf(plan: Plan, kind: PaidKind | null) {
  const chosen = plan.workload.scenarios.filter((scenario) => kind === null || scenario.kind === kind);
  if (chosen.length === 0) {
    throw new Error(
      kind === null
        ? 'the plan has no scenario'
        : `the plan has no scenario of kind ${kind}; it has ${kindsOf(plan)}`,
    );
  }
  const names = chosen.map((scenario) => scenario.name);
  return {
    scenarios: Object.fromEntries(chosen.map((scenario) => [scenario.name, executorOf(plan, scenario)])),
    thresholds: thresholdsOf(
      plan.workload.objectives.filter((objective) => names.includes(objective.scenario)),
    ),
    // The pool of idle connections is capped by these two: as wide as any scenario, so that connections are kept.
    batch: 2000,
    batchPerHost: 2000,
  };
}

function executorOf(plan: Plan, scenario: ScenarioPlan) {
  return {
    executor: 'weighbridge-arrivals',
    exec: 'run',
    stages: scenario.arrival.stages,
    maxCalls: scenario.arrival.max_calls,
    maxInFlight: scenario.max_in_flight,
    gracefulStop: `${plan.workload.drain_ms}ms`,
  };
}

const METRIC_OF = {
  ttft_ms: 'weighbridge_ttft',
  tpot_ms: 'weighbridge_tpot',
  e2e_ms: 'weighbridge_duration',
  error_share: 'weighbridge_ok',
  dropped_share: 'weighbridge_dropped',
} as const;

function thresholdsOf(objectives: readonly Objective[]) {
  const thresholds: Record<string, string[]> = {};
  for (const objective of objectives) {
    const name = `${METRIC_OF[objective.measure]}{scenario:${objective.scenario}}`;
    const bounds = thresholds[name] ?? [];
    bounds.push(thresholdOf(objective));
    thresholds[name] = bounds;
  }
  return thresholds;
}

function thresholdOf(objective: Objective): string {
  if (objective.measure === 'error_share') return `rate>=${1 - objective.max}`;
  if (objective.measure === 'dropped_share') return `rate<=${objective.max}`;
  return `p(${objective.percentile ?? 95})<=${objective.max}`;
}

function kindsOf(plan: Plan): string {
  return [...new Set(plan.workload.scenarios.map((scenario) => scenario.kind))].join(', ');
}
