import { EXIT_ORDER } from '../core/exit-code.ts';
import type { Plan } from '../core/plan.ts';
import type { Reconciliation } from '../core/reconciliation.ts';
import {
  type CapacityResult,
  type ExitReason,
  RESULT_SCHEMA,
  type Result,
  type StoppedScenario,
  type ToolVersions,
} from '../core/result.ts';
import type { Measurement } from '../measure/measure.ts';
import { resultSchema } from './result-schema.ts';
import { trialRecords } from './trial-calls.ts';

export interface ResultParts {
  readonly plan: Plan;
  /** Null where nothing was driven. */
  readonly measurement: Measurement | null;
  /** Null where nothing was reconciled. */
  readonly reconciliation: Reconciliation | null;
  /** Null where no capacity was searched. */
  readonly capacity: CapacityResult | null;
  readonly stopped: readonly StoppedScenario[];
  readonly tool: ToolVersions;
  /** Every exit code that holds, with its reason; ordered here by precedence. */
  readonly exits: readonly ExitReason[];
}

/** Puts a run's conclusions together. Throws ZodError when a part is not what the schema says: a fault of ours. */
export function buildResult(parts: ResultParts): Result {
  const { plan, measurement, reconciliation, capacity, stopped, tool, exits } = parts;
  const result: Result = {
    schema: RESULT_SCHEMA,
    run_id: plan.run_id,
    target: plan.target.root,
    plan_hash: plan.plan_hash,
    tool,
    period: measurement?.window ?? null,
    load: measurement?.load ?? null,
    money:
      reconciliation === null
        ? null
        : {
            ...reconciliation.money,
            trial_records: trialRecords(reconciliation),
            retried: measurement?.retriedUsd ?? null,
          },
    coverage: reconciliation?.coverage ?? null,
    findings: reconciliation?.groups ?? [],
    completeness: reconciliation?.completeness ?? null,
    client: measurement?.client ?? null,
    capacity,
    stopped,
    exit_codes: exits.toSorted(
      (left, right) => EXIT_ORDER.indexOf(left.code) - EXIT_ORDER.indexOf(right.code),
    ),
  };
  return resultSchema.parse(result);
}
