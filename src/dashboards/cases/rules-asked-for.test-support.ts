import { selectorsOf } from '../promql/selectors-of.ts';
import type { RuleGroup } from '../rules/rule-groups.ts';
import type { PromtoolTest } from './promtool-test.ts';

/**
 * The rules that a test asks for, and the records that these read, in their groups and their order. Promtool evaluates every
 * rule at every step of every test; what no query of the test names takes nine tenths of its time and changes no answer.
 */
export function rulesAskedFor(groups: readonly RuleGroup[], test: PromtoolTest): readonly RuleGroup[] {
  const queries = test.promql_expr_test.map(({ expr }) => expr);
  if (queries.some((expr) => expr.includes('ALERTS') && !expr.includes('alertname="'))) return groups;
  const asked = new Set(queries.flatMap(namesIn));
  const rules = groups.flatMap((group) => group.rules);
  for (let known = -1; known < asked.size; ) {
    known = asked.size;
    const read = rules.filter((rule) => asked.has(nameOf(rule))).flatMap(({ expr }) => namesIn(expr));
    for (const name of read) asked.add(name);
  }
  return groups
    .map((group) => ({ ...group, rules: group.rules.filter((rule) => asked.has(nameOf(rule))) }))
    .filter((group) => group.rules.length > 0);
}

function nameOf(rule: RuleGroup['rules'][number]): string {
  return 'alert' in rule ? rule.alert : rule.record;
}

/** Metrics and, of `ALERTS`, the alerts. */
function namesIn(expr: string): string[] {
  return selectorsOf(expr).flatMap(({ metric, matchers }) => {
    const alert = /^=(\w+)$/.exec(matchers.get('alertname') ?? '')?.[1];
    return alert === undefined ? [metric] : [metric, alert];
  });
}
