import { describe, expect, test } from 'vitest';
import { BOARDS } from '../boards/boards.ts';
import { buildBoard } from '../boards/build-board.ts';
import { parseQueries, parseQuery } from '../promql/promtool.test-support.ts';
import { LINT_RULES, type LintedBoard, queriesOf, readBoard } from './lint-rules.ts';

const WHOLE = { timeScale: 1 };
const built = BOARDS.map((spec) => readBoard(buildBoard(spec, WHOLE)));

/** Promtool starts once for all sound queries; the fixtures ask it for theirs. */
const sound = (): null => null;

test('promtool reads every query of every board, at both scales', () => {
  for (const timeScale of [1, 1 / 600]) {
    const boards = BOARDS.map((spec) => readBoard(buildBoard(spec, { timeScale })));
    const queries = boards.flatMap((board) => [
      ...queriesOf(board).map(({ expr }) => expr),
      ...board.annotations.list.flatMap(({ expr }) => expr ?? []),
      ...board.templating.list.flatMap(({ query }) => /^label_values\((.+), \w+\)$/.exec(query)?.[1] ?? []),
    ]);
    expect(queries.length).toBeGreaterThan(100);
    expect(parseQueries(queries)).toMatchObject({ status: 0 });
  }
});

describe.each(LINT_RULES)('$name', ({ name, check }) => {
  test('holds on every board', () => {
    expect(built.flatMap((board) => check(board, sound))).toEqual([]);
  });

  test('finds its fixture', () => {
    const [break_, said] = RED[name] ?? [];
    expect(break_).toBeDefined();
    const [first] = BOARDS;
    if (first === undefined || break_ === undefined) throw new Error('no board');
    const board = readBoard(buildBoard(first, WHOLE));
    break_(board);
    expect(check(board, parseQuery).at(0)).toBe(said);
  });
});

test('a load board is chosen by its runs', () => {
  const spec = BOARDS.find(({ family }) => family === 'load');
  if (spec === undefined) throw new Error('no load board');
  const board = readBoard(buildBoard(spec, WHOLE));
  const target = board.panels[0]?.targets?.[0];
  if (target === undefined) throw new Error('no query');
  target.expr = 'k6_weighbridge_run_active';
  const rule = LINT_RULES.find(({ name }) => name === 'target-job-rule');
  expect(rule?.check(board, sound)).toEqual([
    'Active runs A: k6_weighbridge_run_active is not chosen by testid=~"$testid"',
  ]);
});

/** One fault for each rule, and what the rule says of it. */
const RED: Readonly<Record<string, readonly [(board: LintedBoard) => void, string]>> = {
  'template-datasource-rule': [
    (board) => {
      variable(board, 'datasource').name = 'prometheus';
    },
    'the data source is named datasource, found prometheus',
  ],
  'template-job-rule': [
    (board) => {
      variable(board, 'job').allValue = '.*';
    },
    'job is {"type":"query","label":"Job","multi":true,"includeAll":true,"allValue":".*"}',
  ],
  'template-instance-rule': [
    (board) => {
      variable(board, 'instance').name = 'host';
    },
    'no variable instance',
  ],
  'template-label-promql-rule': [
    (board) => {
      variable(board, 'target').query = 'label_values(weighbridge_target_info{, target)';
    },
    'target: parse error: unexpected end of input inside braces',
  ],
  'template-on-time-change-reload-rule': [
    (board) => {
      variable(board, 'model').refresh = 1;
    },
    'model: read again when the time range changes',
  ],
  'panel-datasource-rule': [
    (board) => {
      panel(board).datasource = { type: 'prometheus', uid: 'prom-1' };
    },
    'Availability, 24 h: data source prom-1, must be $datasource',
  ],
  'panel-title-description-rule': [
    (board) => {
      panel(board).description = ' ';
    },
    'Availability, 24 h: has no title or no description',
  ],
  'panel-units-rule': [
    (board) => {
      panel(board).fieldConfig = { defaults: { unit: 'parsecs' } };
    },
    'Availability, 24 h: has no unit that Grafana knows, found parsecs',
  ],
  'panel-no-targets-rule': [
    (board) => {
      panel(board).targets = [];
    },
    'Availability, 24 h: asks for nothing',
  ],
  'target-promql-rule': [
    asking('sum(weighbridge_probe_success'),
    'Availability, 24 h A: parse error: unclosed left parenthesis',
  ],
  'target-rate-interval-rule': [
    asking('rate(weighbridge_probe_runs_total[5m])'),
    'Availability, 24 h A: rate of weighbridge_probe_runs_total over 5m, must be $__rate_interval',
  ],
  'target-job-rule': [
    asking('weighbridge_probe_success{instance=~"$instance"}'),
    'Availability, 24 h A: weighbridge_probe_success is not chosen by job=~"$job"',
  ],
  'target-instance-rule': [
    asking('weighbridge_probe_success{job=~"$job",instance="one"}'),
    'Availability, 24 h A: weighbridge_probe_success is not chosen by instance=~"$instance"',
  ],
  'target-counter-agg-rule': [
    asking('sum(weighbridge_probe_runs_total)'),
    'Availability, 24 h A: weighbridge_probe_runs_total only grows: rate, irate or increase of it says something',
  ],
  'uneditable-dashboard-rule': [
    (board) => {
      board.editable = true;
    },
    'a dashboard that is generated is not edited by hand',
  ],
};

function variable(board: LintedBoard, name: string) {
  const found = board.templating.list.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no variable ${name}`);
  return found;
}

function panel(board: LintedBoard) {
  const [first] = board.panels;
  if (first === undefined) throw new Error('no panel');
  return first;
}

function asking(expr: string) {
  return (board: LintedBoard): void => {
    panel(board).targets = [{ refId: 'A', expr, legendFormat: '' }];
  };
}
