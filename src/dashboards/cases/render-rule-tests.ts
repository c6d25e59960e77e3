import { stringify } from 'yaml';
import { honestTest } from './honest-test.ts';
import { lowTrafficTests } from './low-traffic-tests.ts';
import { faultTest, loadTest, type PromtoolTest } from './promtool-test.ts';
import { RULE_CASES } from './rule-cases.ts';

/**
 * One file for each time between samples, for promtool takes its time between evaluations once a file: days in steps of
 * seconds would take minutes. The rules file is named as it stands beside the folder of the tests.
 */
export function renderRuleTests(): ReadonlyMap<string, string> {
  return new Map([...ruleTests()].map(([step, tests]) => [`step-${step}.test.yml`, textOf(step, tests)]));
}

/** The tests of the rules by the time between samples. */
export function ruleTests(): ReadonlyMap<string, readonly PromtoolTest[]> {
  const steps = [...new Set(RULE_CASES.map(({ step }) => step))];
  return new Map(
    steps.map((step) => {
      const cases = RULE_CASES.filter((rule) => rule.step === step);
      return [step, [...cases.flatMap((rule) => [faultTest(rule), loadTest(rule)]), ...others(step)]];
    }),
  );
}

function others(step: string): readonly PromtoolTest[] {
  if (step === '1m') return [honestTest()];
  return step === '30s' ? lowTrafficTests() : [];
}

function textOf(step: string, tests: readonly PromtoolTest[]): string {
  const file = { rule_files: ['../weighbridge.rules.yml'], evaluation_interval: step, tests };
  return `# GENERATED from src/dashboards/cases by scripts/generate-dashboards.ts
${stringify(file, { lineWidth: 0, aliasDuplicateObjects: false })}`;
}
