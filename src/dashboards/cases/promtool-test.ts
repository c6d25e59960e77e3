import { ALERT_RULES } from '../rules/alert-rules.ts';
import { scaledSeconds } from '../time-scale.ts';
import { type CaseSeries, levels, type RuleCase, stepOf, valuesOf } from './rule-case.ts';

/** A group of promtool's rule tests. */
export interface PromtoolTest {
  readonly name: string;
  readonly interval: string;
  readonly input_series: readonly { readonly series: string; readonly values: string }[];
  readonly promql_expr_test: readonly ExprTest[];
}

export interface ExprTest {
  readonly expr: string;
  readonly eval_time: string;
  readonly exp_samples: readonly { readonly labels: string; readonly value: number }[];
}

/** The base address of the target `a`, as a load run tells it. */
const BASE = 'http://gateway.example';

/** Silent at the end of the sound phase, fires at the end of the fault, silent again at the end of what follows. */
export function faultTest(rule: RuleCase): PromtoolTest {
  return asTest(`${titleOf(rule)}: silent, fires on its fault, clears`, rule, rule.series, true);
}

/**
 * The same fault while a load run of ours is active on the target: what load can cause stays silent, and only that. The run is
 * known by its base address, and `weighbridge_target_info` tells whose that is.
 */
export function loadTest(rule: RuleCase): PromtoolTest {
  const { held = false } = ruleOf(rule.alert);
  const series = {
    ...rule.series,
    [`k6_weighbridge_run_active{target="${BASE}",instance="one"}`]: levels(null, 1, null),
    [`weighbridge_target_info{target="a",base="${BASE}"}`]: levels(1, 1, 1),
    'weighbridge_target_info{target="b",base="http://other.example"}': levels(1, 1, 1),
  };
  return asTest(
    `${titleOf(rule)}: ${held ? 'silent' : 'fires'} while a load run of ours is active`,
    rule,
    series,
    !held,
  );
}

function titleOf({ alert, labels }: RuleCase): string {
  const told = Object.values(labels).join(' ');
  return `${alert} (${told})`;
}

function asTest(name: string, rule: RuleCase, series: CaseSeries, fires: boolean): PromtoolTest {
  const [sound, fault, after] = rule.lengths;
  const step = stepOf(rule);
  const at = (steps: number): string => `${(steps - 1) * scaledSeconds(step)}s`;
  const expr = `ALERTS{alertname="${rule.alert}",alertstate="firing"}`;
  return {
    name,
    interval: step,
    input_series: Object.entries(series).map(([text, course]) => ({
      series: text,
      values: valuesOf(course, rule.lengths, step),
    })),
    promql_expr_test: [
      { expr, eval_time: at(sound), exp_samples: [] },
      {
        expr,
        eval_time: at(sound + fault),
        exp_samples: fires ? [{ labels: alertOf(rule), value: 1 }] : [],
      },
      { expr, eval_time: at(sound + fault + after), exp_samples: [] },
    ],
  };
}

function alertOf({ alert, labels }: RuleCase): string {
  const all = { alertname: alert, alertstate: 'firing', severity: ruleOf(alert).severity, ...labels };
  return `ALERTS{${Object.entries(all)
    .map(([name, value]) => `${name}="${value}"`)
    .join(',')}}`;
}

function ruleOf(alert: string) {
  const rule = ALERT_RULES.find(({ name }) => name === alert);
  if (rule === undefined) throw new Error(`a case for the alert ${alert}, which is no rule`);
  return rule;
}
