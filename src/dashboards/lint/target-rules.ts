import { type Selector, selectorsOf } from '../promql/selectors-of.ts';
import { isLoadBoard, type LintedBoard, queriesOf } from './board-model.ts';
import type { LintRule } from './lint-rule.ts';

const COUNTS = /_(total|bucket|sum|count)$/;
const GROWTH = ['rate', 'irate', 'increase'];

export const TARGET_RULES: readonly LintRule[] = [
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
