import { stringify } from 'yaml';
import { TimeScale } from '../time-scale.ts';
import type { ListedAlert, RecordingRule } from './alert-rule.ts';
import { ALERT_RULES } from './alert-rules.ts';
import { LOAD_RUN_ACTIVE, unlessLoading } from './load-hold.ts';
import { RECORDING_RULES } from './recording-rules.ts';

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
  const alerts = (held?: true): WrittenAlert[] =>
    ALERT_RULES.filter((rule) => rule.held === held).map((rule) => writtenAlert(rule, time, runbooks));
  const records = [...RECORDING_RULES, LOAD_RUN_ACTIVE].map((rule) => writtenRecord(rule, time));
  return [
    { name: 'weighbridge-service', interval: every, rules: [...records, ...alerts(true)] },
    { name: 'weighbridge-facts', interval: every, rules: alerts() },
  ];
}

function writtenRecord({ record, expr }: RecordingRule, time: TimeScale): WrittenRecord {
  return { record, expr: expr(time) };
}

function writtenAlert(rule: ListedAlert, time: TimeScale, runbooks: string): WrittenAlert {
  const expr = rule.expr(time);
  return {
    alert: rule.name,
    expr: rule.held ? unlessLoading(expr) : expr,
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
