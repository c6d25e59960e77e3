import { isLoadBoard, type LintedBoard, type LintedVariable } from './board-model.ts';
import type { LintRule } from './lint-rule.ts';

const ON_TIME_RANGE_CHANGE = 2;

export const TEMPLATE_RULES: readonly LintRule[] = [
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
