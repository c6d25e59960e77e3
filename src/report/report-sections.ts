import type { AuditPeriod } from '../core/audit-period.ts';
import type { Plan } from '../core/plan.ts';
import type { Reconciliation } from '../core/reconciliation.ts';
import type { Result } from '../core/result.ts';
import type { Measurement } from '../measure/measure.ts';
import { baselineSection } from './baseline-section.ts';
import { capacitySection } from './capacity-section.ts';
import { classesSection } from './classes-section.ts';
import { definitionsSection } from './definitions-section.ts';
import { evidenceSection } from './evidence-section.ts';
import { findingsSection } from './findings-section.ts';
import { loadSections } from './load-section.ts';
import { type Markup, markupSection } from './markup-section.ts';
import { moneySection } from './money-section.ts';
import { repeatPeriodSection } from './repeat-period-section.ts';
import { type RanCommand, type RunPlace, repeatSection } from './repeat-section.ts';
import type { Section } from './report-document.ts';
import { statementSection } from './statement-section.ts';
import { keysOf, summarySection, type UsedBook } from './summary-section.ts';
import { trialCalls } from './trial-calls.ts';
import { undecidedSection } from './undecided-section.ts';

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
  /** The price books in the run folder. */
  readonly books?: readonly UsedBook[] | undefined;
  /** Null where no price list was given. */
  readonly markup?: Markup | null | undefined;
}

/** The sections below the verdict, in reading order: the money and what is wrong with it first. */
export function reportSections({
  result,
  plan,
  period,
  reconciliation,
  place,
  command,
  books,
  markup,
}: ReportInput): readonly Section[] {
  return [
    ...(reconciliation === null ? [] : billSections(result, reconciliation)),
    undecidedSection(result),
    ...(reconciliation === null
      ? []
      : [summarySection(result, reconciliation, keysOf(reconciliation, period?.keys ?? []), books ?? [])]),
    ...(markup === null || markup === undefined ? [] : [markupSection(markup)]),
    ...(result.load === null ? [] : loadSections(result.load)),
    ...(result.capacity === null ? [] : [capacitySection(result.capacity)]),
    ...(result.baseline === null ? [] : [baselineSection(result.baseline)]),
    evidenceSection(result),
    definitionsSection(result),
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

function billSections(result: Result, reconciliation: Reconciliation): readonly Section[] {
  const classes = classesSection(reconciliation);
  return [
    moneySection(reconciliation, result.money?.retried ?? null),
    ...(result.statement === null ? [] : [statementSection(result.statement)]),
    ...(classes === null ? [] : [classes]),
    findingsSection(reconciliation),
  ];
}
