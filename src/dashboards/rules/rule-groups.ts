import { stringify } from 'yaml';
import { TimeScale } from '../time-scale.ts';
import type { ListedAlert, RecordingRule } from './alert-rule.ts';
import { ALERT_RULES } from './alert-rules.ts';
import { ALL_RECORDS } from './all-records.ts';
import { unlessLoading } from './load-hold.ts';
import { unlessDown } from './outage-hold.ts';

/** As Prometheus reads a rules file. */
export interface RuleGroup {
  readonly name: string;
  readonly interval: string;
  readonly rules: readonly (WrittenRecord | WrittenAlert)[];
}

type WrittenRecord = Readonly<Record<'record' | 'expr', string>>;

export interface WrittenAlert {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: Readonly<Record<'summary' | 'description' | 'runbook_url', string>>;
}

export interface RuleOptions {
  /** 1 in what is shipped; 1/600 makes a day 144 seconds. */
  readonly timeScale: number;
  /** Of bounds on latency; as the time scale unless it is said. */
  readonly latencyScale?: number;
  /**
   * No range, offset or `for` is shorter, milliseconds: at a small scale a window of minutes holds too few scrapes to have a
   * rate, and one scrape that is missed would outlast a `for`. It has no effect at scale 1.
   */
  readonly shortestMs?: number;
  /** How often rules are evaluated; half a minute of the time scale unless it is said. */
  readonly interval?: string;
  /** Where the runbooks stand; the alert's anchor is put behind it. */
  readonly runbooks?: string;
}

/**
 * Rules of a group are evaluated in their order, groups beside one another: every record stands in the group of the alerts
 * that read it, before them, so that none judges by the record of the evaluation before.
 */
export function ruleGroups({
  timeScale,
  latencyScale = timeScale,
  shortestMs,
  interval,
  runbooks = 'docs/runbooks.md',
}: RuleOptions): readonly RuleGroup[] {
  const time = new TimeScale(timeScale, latencyScale, shortestMs);
  const every = interval ?? time.span('30s');
  const { service = [], facts = [] } = Object.groupBy(ALERT_RULES, (rule) =>
    rule.held || rule.partOfOutage ? 'service' : 'facts',
  );
  const alerts = (rules: readonly ListedAlert[]): WrittenAlert[] =>
    rules.map((rule) => writtenAlert(rule, time, runbooks));
  const records = ALL_RECORDS.map((rule) => writtenRecord(rule, time));
  return [
    { name: 'weighbridge-service', interval: every, rules: [...records, ...alerts(service)] },
    { name: 'weighbridge-facts', interval: every, rules: alerts(facts) },
  ];
}

function writtenRecord({ record, expr }: RecordingRule, time: TimeScale): WrittenRecord {
  return { record, expr: expr(time) };
}

function writtenAlert(rule: ListedAlert, time: TimeScale, runbooks: string): WrittenAlert {
  const own = rule.expr(time);
  const alone = rule.partOfOutage ? unlessDown(own) : own;
  return {
    alert: rule.name,
    expr: rule.held ? unlessLoading(alone) : alone,
    ...(rule.for === undefined ? {} : { for: time.span(rule.for) }),
    labels: { severity: rule.severity },
    annotations: {
      summary: rule.summary,
      description: rule.description,
      runbook_url: `${runbooks}#${rule.name.toLowerCase()}`,
    },
  };
}

/** The text of a rules file for Prometheus. */
export function renderRules(options: RuleOptions): string {
  return `# GENERATED from src/dashboards by scripts/generate-dashboards.ts. What each alert asks of you: docs/runbooks.md
${stringify({ groups: ruleGroups(options) }, { lineWidth: 0, aliasDuplicateObjects: false })}`;
}
