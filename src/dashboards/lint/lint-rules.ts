import * as units from '@grafana/grafana-foundation-sdk/units';
import { type Selector, selectorsOf } from '../promql/selectors-of.ts';
import { isLoadBoard, type LintedBoard, type LintedPanel, queriesOf } from './board-model.ts';
import type { LintRule } from './lint-rule.ts';
import { TEMPLATE_RULES } from './template-rules.ts';

const COUNTS = /_(total|bucket|sum|count)$/;
const GROWTH = ['rate', 'irate', 'increase'];

const TARGET_RULES: readonly LintRule[] = [
  {
    name: 'target-promql-rule',
    check: (board, parse) =>
      queriesOf(board).flatMap(({ where, expr }) => {
        const wrong = parse(expr);
        return wrong === null ? [] : [`${where}: ${wrong}`];
      }),
  },
  {
    name: 'target-rate-interval-rule',
    check: ofSelectors(({ call, range, metric }) =>
      (call === 'rate' || call === 'irate') && range !== '$__rate_interval'
        ? `${call} of ${metric} over ${range}, must be $__rate_interval`
        : null,
    ),
  },
  {
    name: 'target-job-rule',
    check: ofSelectors((selector, board) => chosenBy(selector, isLoadBoard(board) ? 'testid' : 'job')),
  },
  {
    name: 'target-instance-rule',
    check: ofSelectors((selector, board) => (isLoadBoard(board) ? null : chosenBy(selector, 'instance'))),
  },
  {
    name: 'target-counter-agg-rule',
    check: ofSelectors(({ metric, call, range }) =>
      COUNTS.test(metric) && (range === null || call === null || !GROWTH.includes(call))
        ? `${metric} only grows: rate, irate or increase of it says something`
        : null,
    ),
  },
];

function chosenBy({ metric, matchers }: Selector, label: string): string | null {
  return matchers.get(label) === `=~$${label}` ? null : `${metric} is not chosen by ${label}=~"$${label}"`;
}

function ofSelectors(check: (selector: Selector, board: LintedBoard) => string | null) {
  return (board: LintedBoard): readonly string[] =>
    queriesOf(board).flatMap(({ where, expr }) =>
      selectorsOf(expr).flatMap((selector) => {
        const wrong = check(selector, board);
        return wrong === null ? [] : [`${where}: ${wrong}`];
      }),
    );
}

const UNITS: ReadonlySet<unknown> = new Set(Object.values(units));

const PANEL_RULES: readonly LintRule[] = [
  {
    name: 'panel-datasource-rule',
    check: ofPanels(({ datasource }) =>
      datasource?.uid === '$datasource' ? null : `data source ${datasource?.uid}, must be $datasource`,
    ),
  },
  {
    name: 'panel-title-description-rule',
    check: ofPanels(({ title = '', description = '' }) =>
      title.trim() === '' || description.trim() === '' ? 'has no title or no description' : null,
    ),
  },
  {
    name: 'panel-units-rule',
    check: ofPanels(({ fieldConfig }) => {
      const unit = fieldConfig?.defaults.unit;
      return UNITS.has(unit) ? null : `has no unit that Grafana knows, found ${unit}`;
    }),
  },
  {
    name: 'panel-no-targets-rule',
    check: ofPanels(({ targets = [] }) => (targets.length > 0 ? null : 'asks for nothing')),
  },
];

function ofPanels(check: (panel: LintedPanel) => string | null) {
  return ({ panels }: LintedBoard): readonly string[] =>
    panels.flatMap((panel) => {
      const wrong = check(panel);
      return wrong === null ? [] : [`${panel.title ?? 'untitled'}: ${wrong}`];
    });
}

/**
 * The rules of Grafana's dashboard-linter, its two about logs left out. Its binary is no package that npm installs; a
 * difference is that load boards are chosen by `testid`, for a load run is pushed and has no scrape job.
 */
export const LINT_RULES: readonly LintRule[] = [
  ...TEMPLATE_RULES,
  ...PANEL_RULES,
  ...TARGET_RULES,
  {
    name: 'uneditable-dashboard-rule',
    check: ({ editable }) => (editable ? ['a dashboard that is generated is not edited by hand'] : []),
  },
];
