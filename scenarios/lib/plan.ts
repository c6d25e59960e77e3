import { hasArrivals, version } from 'k6/x/weighbridge';
import type { Plan } from '../../src/contracts/plan.ts';
import { PLAN_SCHEMA } from '../../src/contracts/schema-names.ts';
import type { PaidKind } from '../../src/core/call-kind.ts';
import { executorOf, stockExecutorOf, stockNotes } from './executor-of.ts';
import { httpOptionsOf } from './http-options.ts';
import { thresholdsOf } from './thresholds-of.ts';

/** Reads the plan that `WEIGHBRIDGE_PLAN` names; only in the init part of a script, as k6's `open`. */
export function openPlan(): Plan {
  const path = __ENV['WEIGHBRIDGE_PLAN'];
  if (path === undefined || path === '') {
    throw new Error(
      'WEIGHBRIDGE_PLAN: expected the path of a plan.json, found nothing. This script drives the calls of a plan: ' +
        'write one by `weighbridge plan --out FILE` and name it. Calls without a plan: xk6/examples/hello.ts',
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

/** k6 options for the plan's scenarios, or for those of one kind. Functions named `run` and `pool` are executed. */
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
  const executor = hasArrivals() ? executorOf : stockExecutorOf;
  if (!hasArrivals()) for (const note of stockNotes(plan, chosen)) console.error(note);
  return {
    ...httpOptionsOf(plan, version()),
    scenarios: Object.fromEntries(chosen.map((scenario) => [scenario.name, executor(plan, scenario)])),
    thresholds: thresholdsOf(plan.workload.objectives, names),
  };
}

function kindsOf(plan: Plan): string {
  return [...new Set(plan.workload.scenarios.map((scenario) => scenario.kind))].join(', ');
}
