import type { AuditPeriod } from '../../contracts/audit-period.ts';
import type { CapacityResult } from '../../contracts/capacity-result.ts';
import type { BaselineResult } from '../../contracts/comparison.ts';
import { EXIT_ORDER } from '../../contracts/exit-code.ts';
import type { Plan, StoppedScenario } from '../../contracts/plan.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import {
  type ExitReason,
  RESULT_SCHEMA,
  type Result,
  resultSchema,
  type ToolVersions,
} from '../../contracts/result.ts';
import type { Statement } from '../../contracts/statement.ts';
import type { Measurement } from '../../measure/measure.ts';
import { trialRecords } from '../words/trial-calls.ts';
import { statementBridge } from './statement-bridge.ts';

export interface ResultParts {
  /** Null for an audit of a past period, which `period` then tells of. */
  readonly plan: Plan | null;
  readonly period: AuditPeriod | null;
  /** What the bill was compared with; default: a ledger where there is a plan. */
  readonly basis?: 'ledger' | 'records';
  /** Null where nothing was driven. */
  readonly measurement: Measurement | null;
  /** Null where nothing was reconciled. */
  readonly reconciliation: Reconciliation | null;
  /** Null where no capacity was searched. */
  readonly capacity: CapacityResult | null;
  /** An account statement of the period; null where none was given. */
  readonly statement?: Statement | null;
  /** Against what the run may not be worse than; null where none was given. */
  readonly baseline?: BaselineResult | null;
  readonly stopped: readonly StoppedScenario[];
  readonly tool: ToolVersions;
  /** Every exit code that holds, with its reason; ordered here by precedence. */
  readonly exits: readonly ExitReason[];
}

/** Puts a run's conclusions together. Throws ZodError when a part is not what the schema says: a fault of ours. */
export function buildResult(parts: ResultParts): Result {
  const { plan, period, measurement, reconciliation, capacity, stopped, tool, exits } = parts;
  const statement = parts.statement ?? null;
  const result: Result = {
    schema: RESULT_SCHEMA,
    run_id: (plan ?? period)?.run_id ?? '',
    target: (plan ?? period)?.target.root ?? '',
    plan_hash: plan?.plan_hash ?? null,
    tool,
    period: period === null ? (measurement?.window ?? null) : { start: period.start, end: period.end },
    basis: reconciliation === null ? null : (parts.basis ?? (period === null ? 'ledger' : 'records')),
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
    matching: reconciliation?.matching ?? null,
    completeness: reconciliation?.completeness ?? null,
    statement:
      reconciliation === null || statement === null ? null : statementBridge(statement, reconciliation),
    client: measurement?.client ?? null,
    capacity,
    baseline: parts.baseline ?? null,
    stopped,
    exit_codes: exits.toSorted(
      (left, right) => EXIT_ORDER.indexOf(left.code) - EXIT_ORDER.indexOf(right.code),
    ),
  };
  return resultSchema.parse(result);
}
