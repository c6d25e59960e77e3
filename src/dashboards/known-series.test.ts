import { expect, test } from 'vitest';
import { BOARDS } from './boards/boards.ts';
import { buildBoard } from './boards/build-board.ts';
import { knownSeries } from './known-series.ts';
import { readBoard } from './lint/lint-rules.ts';
import { groupedLabelsOf, selectorsOf } from './promql/selectors-of.ts';
import { ruleGroups } from './rules/rule-groups.ts';

const KNOWN = knownSeries();
/** Labels that a query itself makes or that stand for a bucket. */
const MADE = new Set(['le', 'base']);

test('every metric and label of a board exists in the catalogue', () => {
  const wrong = BOARDS.flatMap((spec) => {
    const board = readBoard(buildBoard(spec, { timeScale: 1 }));
    const panels = board.panels.flatMap(({ targets = [] }) => targets);
    const variables = board.templating.list.flatMap(({ query }) => {
      const [, expr, label = ''] = /^label_values\((.+), (\w+)\)$/.exec(query) ?? [];
      return expr === undefined ? [] : [{ expr, legendFormat: `{{${label}}}` }];
    });
    const marks = board.annotations.list.flatMap(({ expr }) =>
      expr === undefined ? [] : [{ expr, legendFormat: '' }],
    );
    return [...panels, ...variables, ...marks].flatMap(({ expr, legendFormat }) =>
      unknownIn(
        expr,
        [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label),
      ),
    );
  });
  expect(wrong).toEqual([]);
});

test('every metric and label of a rule exists in the catalogue', () => {
  const rules = ruleGroups({ timeScale: 1 }).flatMap(({ rules: all }) => all);
  expect(rules.length).toBeGreaterThan(45);
  expect(rules.flatMap(({ expr }) => unknownIn(expr, []))).toEqual([]);
});

test('every metric of the catalogue about probes is drawn or alerted on', () => {
  const asked = new Set(
    [
      ...BOARDS.flatMap((spec) =>
        readBoard(buildBoard(spec, { timeScale: 1 })).panels.flatMap(({ targets = [] }) =>
          targets.map(({ expr }) => expr),
        ),
      ),
      ...ruleGroups({ timeScale: 1 }).flatMap(({ rules }) => rules.map(({ expr }) => expr)),
    ].flatMap((expr) => selectorsOf(expr).map(({ metric }) => metric)),
  );
  const unasked = [...KNOWN.keys()].filter(
    (name) => name.startsWith('weighbridge_') && !/_(sum|count|bucket)$/.test(name) && !asked.has(name),
  );
  expect(unasked).toEqual([]);
});

test('an unknown metric, matcher, group and legend are found', () => {
  expect(unknownIn('sum by (tenant) (increase(weighbridge_probe_runz_total{target="a"}[5m]))', [])).toEqual([
    'weighbridge_probe_runz_total',
    'by tenant',
  ]);
  expect(unknownIn('weighbridge_probe_success{phase="tls"}', ['colour'])).toEqual([
    'weighbridge_probe_success{phase}',
    'by colour',
  ]);
});

function unknownIn(expr: string, legend: readonly string[]): readonly string[] {
  const selectors = selectorsOf(expr);
  const offered = new Set(selectors.flatMap(({ metric }) => [...(KNOWN.get(metric) ?? [])]));
  return [
    ...selectors.flatMap(({ metric, matchers }) => {
      const labels = KNOWN.get(metric);
      if (labels === undefined) return [metric];
      return [...matchers.keys()].filter((label) => !labels.has(label)).map((label) => `${metric}{${label}}`);
    }),
    ...[...groupedLabelsOf(expr), ...legend]
      .filter((label) => !offered.has(label) && !MADE.has(label))
      .map((label) => `by ${label}`),
  ];
}
