import { stringify } from 'yaml';
import { CATALOGUE_CASES } from './catalogue-cases.ts';
import { DAEMON_CASES, LATENCY_CASES, SCHEDULE_CASES, TASK_CASES } from './daemon-cases.ts';
import { lowTrafficTests } from './low-traffic-tests.ts';
import { BUDGET_CASES, MONEY_CASES } from './money-cases.ts';
import { outageTest } from './outage-test.ts';
import { faultTest, loadTest, type PromtoolTest } from './promtool-test.ts';
import { type RuleCase, stepOf, valuesOf } from './rule-case.ts';
import { RUN_CASES } from './run-cases.ts';

/**
 * One file for each time between samples, for promtool takes its time between evaluations once a file: days in steps of
 * seconds would take minutes. The rules file is named as it stands beside the folder of the tests.
 */
export function renderRuleTests(): ReadonlyMap<string, string> {
  return new Map([...ruleTests()].map(([step, tests]) => [`step-${step}.test.yml`, textOf(step, tests)]));
}

/** The tests of the rules by the time between samples. */
export function ruleTests(): ReadonlyMap<string, readonly PromtoolTest[]> {
  const steps = [...new Set(RULE_CASES.map(stepOf))];
  return new Map(
    steps.map((step) => {
      const cases = RULE_CASES.filter((rule) => stepOf(rule) === step);
      return [step, [...cases.flatMap((rule) => [faultTest(rule), loadTest(rule)]), ...others(step)]];
    }),
  );
}

function others(step: string): readonly PromtoolTest[] {
  if (step === '1m') return [honestTest(), outageTest()];
  return step === '30s' ? lowTrafficTests() : [];
}

function textOf(step: string, tests: readonly PromtoolTest[]): string {
  const file = { rule_files: ['../weighbridge.rules.yml'], evaluation_interval: step, tests };
  return `# GENERATED from src/dashboards/cases by scripts/generate-dashboards.ts
${stringify(file, { lineWidth: 0, aliasDuplicateObjects: false })}`;
}

const STEP = '1m';
const HOURS = 10;

/**
 * Every series of every case as it is while nothing is wrong, all at once and for ten hours: nothing but the watchdog may
 * speak, at any full hour.
 */
function honestTest(): PromtoolTest {
  const series = new Map<string, string>();
  for (const { series: all } of RULE_CASES) {
    for (const [name, course] of Object.entries(all)) {
      if (!series.has(name)) series.set(name, valuesOf(course, [HOURS * 60 + 1, 0, 0], STEP));
    }
  }
  return {
    name: 'a sound gateway: only the watchdog speaks',
    interval: STEP,
    input_series: [...series].map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [
      {
        expr: 'ALERTS{alertname="WeighbridgeWatchdog"}',
        eval_time: `${HOURS}h`,
        exp_samples: [
          { labels: 'ALERTS{alertname="WeighbridgeWatchdog",alertstate="firing",severity="none"}', value: 1 },
        ],
      },
      ...Array.from({ length: HOURS }, (_, hour) => ({
        expr: 'ALERTS{alertname!="WeighbridgeWatchdog"}',
        eval_time: `${hour + 1}h`,
        exp_samples: [],
      })),
    ],
  };
}

/** WeighbridgeWatchdog alone has no fault: it fires always. */
export const RULE_CASES: readonly RuleCase[] = [
  ...DAEMON_CASES,
  ...RUN_CASES,
  ...LATENCY_CASES,
  ...TASK_CASES,
  ...CATALOGUE_CASES,
  ...MONEY_CASES,
  ...BUDGET_CASES,
  ...SCHEDULE_CASES,
];
