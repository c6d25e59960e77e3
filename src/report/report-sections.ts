import type { AuditPeriod } from '../core/audit-period.ts';
import type { Plan } from '../core/plan.ts';
import type { Reconciliation } from '../core/reconciliation.ts';
import type { Result } from '../core/result.ts';
import type { Measurement } from '../measure/measure.ts';
import { capacitySection } from './capacity-section.ts';
import { definitionsSection } from './definitions-section.ts';
import { evidenceSection } from './evidence-section.ts';
import { findingsSection } from './findings-section.ts';
import { loadSections } from './load-section.ts';
import { moneySection } from './money-section.ts';
import { repeatPeriodSection } from './repeat-period-section.ts';
import { type RanCommand, type RunPlace, repeatSection } from './repeat-section.ts';
import type { Section } from './report-document.ts';
import { trialCalls } from './trial-calls.ts';

/** Everything a report is rendered from. */
export interface ReportInput {
  readonly result: Result;
  /** Null for an audit of a past period, which `period` then tells of. */
  readonly plan: Plan | null;
  readonly period: AuditPeriod | null;
  readonly measurement: Measurement | null;
  readonly reconciliation: Reconciliation | null;
  /** By default that of a run folder named after its run in `reports/`. */
  readonly place?: RunPlace | undefined;
  /** Null where the run folder does not tell. */
  readonly command?: RanCommand | null | undefined;
}

/** The sections below the verdict, in reading order: the money and what is wrong with it first. */
export function reportSections({
  result,
  plan,
  period,
  reconciliation,
  place,
  command,
}: ReportInput): readonly Section[] {
  return [
    ...(reconciliation === null
      ? []
      : [moneySection(reconciliation, result.money?.retried ?? null), findingsSection(reconciliation)]),
    ...(result.load === null ? [] : loadSections(result.load)),
    ...(result.capacity === null ? [] : [capacitySection(result.capacity)]),
    evidenceSection(result),
    definitionsSection(),
    ...(plan === null
      ? []
      : [
          repeatSection(
            plan,
            result,
            reconciliation !== null && trialCalls(reconciliation).length > 0,
            place,
            command,
          ),
        ]),
    ...(period === null ? [] : [repeatPeriodSection(period, result, place)]),
  ];
}
