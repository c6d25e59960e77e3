import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import {
  AnnotationQueryBuilder,
  type Dashboard,
  DashboardBuilder,
  DashboardCursorSync,
  DashboardLinkBuilder,
  DashboardLinkType,
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  type VariableModel,
  VariableRefresh,
  VariableSort,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { TimeScale } from '../time-scale.ts';
import type { BoardSpec } from './board-spec.ts';
import { DATASOURCE, drawPanel } from './draw-panel.ts';

const TAG = 'weighbridge';

/** A dashboard as Grafana imports it (Classic JSON, which every version reads). */
export function buildBoard(spec: BoardSpec, { timeScale }: { readonly timeScale: number }): Dashboard {
  const board = new DashboardBuilder(spec.title)
    .uid(spec.uid)
    .description(spec.description)
    .tags([TAG])
    .readonly()
    .tooltip(DashboardCursorSync.Crosshair)
    .refresh('1m')
    .time({ from: 'now-24h', to: 'now' })
    .timezone('browser')
    .variables([...boardVariables(spec.family)])
    .annotations([...boardAnnotations(spec.family)])
    .link(
      new DashboardLinkBuilder('Weighbridge')
        .type(DashboardLinkType.Dashboards)
        .tags([TAG])
        .asDropdown(true)
        .keepTime(true)
        .includeVars(true),
    );
  for (const [index, panel] of spec.panels(new TimeScale(timeScale)).entries()) {
    board.withPanel(drawPanel(panel, index + 1));
  }
  return board.build();
}

interface Mark {
  readonly name: string;
  readonly expr: string;
  readonly title: string;
  readonly color: string;
}

const PRICE_CHANGES: Mark = {
  name: 'Price changes',
  expr: 'changes(weighbridge_pricebook_last_change_timestamp_seconds{job=~"$job",instance=~"$instance",target=~"$target"}[$__rate_interval]) > 0',
  title: 'The price book of {{target}} changed',
  color: 'orange',
};

/** Told by base address: a load run knows no names of targets. */
function loadRuns(family: BoardSpec['family']): Mark {
  const chosen = family === 'load' ? '{testid=~"$testid"}' : '';
  return {
    name: 'Load runs',
    expr: `max by (target) (k6_weighbridge_run_active${chosen}) > 0`,
    title: 'A load run of ours on {{target}}',
    color: 'blue',
  };
}

function boardMarks(family: BoardSpec['family']): readonly Mark[] {
  return family === 'probe' ? [PRICE_CHANGES, loadRuns(family)] : [loadRuns(family)];
}

function boardAnnotations(family: BoardSpec['family']): readonly AnnotationQueryBuilder[] {
  return boardMarks(family).map(({ name, expr, title, color }) =>
    new AnnotationQueryBuilder()
      .name(name)
      .datasource(DATASOURCE)
      .enable(true)
      .iconColor(color)
      .expr(expr)
      .titleFormat(title)
      .step('60s'),
  );
}

interface Choice {
  readonly name: string;
  readonly label: string;
  /** Whose values are offered. */
  readonly from: string;
  /** What “all” means; `.*` also takes series that have no such label. */
  readonly all: '.+' | '.*';
}

const SCRAPED = 'job=~"$job",instance=~"$instance"';
const CHOSEN = `${SCRAPED},target=~"$target"`;

const PROBE_CHOICES: readonly Choice[] = [
  { name: 'job', label: 'Job', from: 'weighbridge_build_info', all: '.+' },
  { name: 'instance', label: 'Instance', from: 'weighbridge_build_info{job=~"$job"}', all: '.+' },
  { name: 'target', label: 'Target', from: `weighbridge_target_info{${SCRAPED}}`, all: '.*' },
  { name: 'api', label: 'API', from: `weighbridge_probe_success{${CHOSEN}}`, all: '.*' },
  { name: 'model', label: 'Model', from: `weighbridge_model_listed{${CHOSEN}}`, all: '.*' },
  { name: 'probe', label: 'Probe', from: `weighbridge_probe_interval_seconds{${CHOSEN}}`, all: '.*' },
];

const LOAD_CHOICES: readonly Choice[] = [
  { name: 'testid', label: 'Run', from: 'k6_weighbridge_calls_total', all: '.*' },
];

function boardVariables(family: BoardSpec['family']): readonly Builder<VariableModel>[] {
  const choices = family === 'probe' ? PROBE_CHOICES : LOAD_CHOICES;
  return [
    new DatasourceVariableBuilder('datasource').label('Data source').type('prometheus'),
    ...choices.map(choice),
  ];
}

function choice({ name, label, from, all }: Choice): Builder<VariableModel> {
  return new QueryVariableBuilder(name)
    .label(label)
    .datasource(DATASOURCE)
    .query(`label_values(${from}, ${name})`)
    .refresh(VariableRefresh.OnTimeRangeChanged)
    .sort(VariableSort.AlphabeticalAsc)
    .multi(true)
    .includeAll(true)
    .allValue(all)
    .current({ selected: true, text: 'All', value: '$__all' });
}
