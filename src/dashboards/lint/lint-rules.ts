import * as units from '@grafana/grafana-foundation-sdk/units';
import { z } from 'zod';
import { type Selector, selectorsOf } from '../promql/selectors-of.ts';

const DATASOURCE = z.object({ type: z.string(), uid: z.string() });

/** What the rules read of a dashboard in Classic JSON. */
const BOARD = z.object({
  title: z.string(),
  uid: z.string(),
  editable: z.boolean(),
  templating: z.object({
    list: z.array(
      z.object({
        name: z.string(),
        label: z.string().optional(),
        type: z.string(),
        query: z.string(),
        datasource: DATASOURCE.optional(),
        refresh: z.number().optional(),
        multi: z.boolean().optional(),
        includeAll: z.boolean().optional(),
        allValue: z.string().optional(),
      }),
    ),
  }),
  annotations: z.object({ list: z.array(z.object({ name: z.string(), expr: z.string().optional() })) }),
  panels: z.array(
    z.object({
      type: z.string(),
      title: z.string().optional(),
      description: z.string().optional(),
      datasource: DATASOURCE.optional(),
      fieldConfig: z.object({ defaults: z.object({ unit: z.string().optional() }) }).optional(),
      targets: z
        .array(z.object({ refId: z.string(), expr: z.string(), legendFormat: z.string() }))
        .optional(),
    }),
  ),
});

export type LintedBoard = z.infer<typeof BOARD>;
type LintedPanel = LintedBoard['panels'][number];
type LintedVariable = LintedBoard['templating']['list'][number];

export function readBoard(json: unknown): LintedBoard {
  return BOARD.parse(json);
}

/** Whether the board shows load runs, which are chosen by `testid` and have no scrape job. */
function isLoadBoard(board: LintedBoard): boolean {
  return board.templating.list.some(({ name }) => name === 'testid');
}

export function queriesOf(board: LintedBoard): readonly { readonly where: string; readonly expr: string }[] {
  return board.panels.flatMap(({ title, targets }) =>
    (targets ?? []).map(({ refId, expr }) => ({ where: `${title ?? 'untitled'} ${refId}`, expr })),
  );
}

const ON_TIME_RANGE_CHANGE = 2;

const TEMPLATE_RULES: readonly LintRule[] = [
  {
    name: 'template-datasource-rule',
    check: ({ templating }) => {
      const found = templating.list.filter(({ type }) => type === 'datasource');
      const [only] = found;
      if (only === undefined || found.length > 1)
        return [`one data source is a variable, found ${found.length}`];
      if (only.name !== 'datasource') return [`the data source is named datasource, found ${only.name}`];
      return only.label === 'Data source'
        ? []
        : [`the data source is labelled Data source, found ${only.label}`];
    },
  },
  {
    name: 'template-job-rule',
    check: (board) =>
      isLoadBoard(board) ? scraped(board, 'testid', 'Run', '.*') : scraped(board, 'job', 'Job', '.+'),
  },
  {
    name: 'template-instance-rule',
    check: (board) => (isLoadBoard(board) ? [] : scraped(board, 'instance', 'Instance', '.+')),
  },
  {
    name: 'template-label-promql-rule',
    check: (board, parse) =>
      queried(board).flatMap(({ name, query }) => {
        const [, selector, label] = /^label_values\((.+), (\w+)\)$/.exec(query) ?? [];
        if (selector === undefined || label === undefined)
          return [`${name}: a query of a variable is label_values(selector, label), found ${query}`];
        const wrong = parse(selector);
        return wrong === null ? [] : [`${name}: ${wrong}`];
      }),
  },
  {
    name: 'template-on-time-change-reload-rule',
    check: (board) =>
      queried(board)
        .filter(({ refresh }) => refresh !== ON_TIME_RANGE_CHANGE)
        .map(({ name }) => `${name}: read again when the time range changes`),
  },
];

function queried({ templating }: LintedBoard): readonly LintedVariable[] {
  return templating.list.filter(({ type }) => type === 'query');
}

function scraped(board: LintedBoard, name: string, label: string, allValue: string): readonly string[] {
  const found = board.templating.list.find((variable) => variable.name === name);
  if (found === undefined) return [`no variable ${name}`];
  const must = { type: 'query', label, multi: true, includeAll: true, allValue };
  const is = {
    type: found.type,
    label: found.label,
    multi: found.multi,
    includeAll: found.includeAll,
    allValue: found.allValue,
  };
  const wrong = JSON.stringify(is) === JSON.stringify(must) ? [] : [`${name} is ${JSON.stringify(is)}`];
  return found.datasource?.uid === '$datasource' ? wrong : [...wrong, `${name} is not read from $datasource`];
}

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

/** Says what is wrong with a query, or null. Promtool in the tests: nothing else reads PromQL as Prometheus does. */
type ParseQuery = (expr: string) => string | null;

/** A rule of Grafana's dashboard-linter, under its name there. */
interface LintRule {
  readonly name: string;
  /** What is wrong, a line each; nothing where all is well. */
  readonly check: (board: LintedBoard, parse: ParseQuery) => readonly string[];
}
