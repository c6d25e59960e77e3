import * as bargauge from '@grafana/grafana-foundation-sdk/bargauge';
import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import * as common from '@grafana/grafana-foundation-sdk/common';
import { type DataSourceRef, StackingConfigBuilder } from '@grafana/grafana-foundation-sdk/common';
import {
  AnnotationQueryBuilder,
  type Dashboard,
  DashboardBuilder,
  DashboardCursorSync,
  DashboardLinkBuilder,
  DashboardLinkType,
  DatasourceVariableBuilder,
  type Panel,
  QueryVariableBuilder,
  type VariableModel,
  VariableRefresh,
  VariableSort,
} from '@grafana/grafana-foundation-sdk/dashboard';
import * as gauge from '@grafana/grafana-foundation-sdk/gauge';
import * as heatmap from '@grafana/grafana-foundation-sdk/heatmap';
import * as prometheus from '@grafana/grafana-foundation-sdk/prometheus';
import * as stat from '@grafana/grafana-foundation-sdk/stat';
import * as statetimeline from '@grafana/grafana-foundation-sdk/statetimeline';
import * as table from '@grafana/grafana-foundation-sdk/table';
import * as timeseries from '@grafana/grafana-foundation-sdk/timeseries';
import { TimeScale } from '../time-scale.ts';
import type { BoardSpec, PanelKind, PanelSpec } from './board-spec.ts';

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

type Mark = Readonly<Record<'name' | 'expr' | 'title' | 'color', string>>;

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

function boardAnnotations(family: BoardSpec['family']): readonly AnnotationQueryBuilder[] {
  const marks = family === 'load' ? [loadRuns(family)] : [PRICE_CHANGES, loadRuns(family)];
  return marks.map(({ name, expr, title, color }) =>
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
  const choices = family === 'load' ? LOAD_CHOICES : PROBE_CHOICES;
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

/** Never a data source by name: the one that the variable of the dashboard says. */
const DATASOURCE: DataSourceRef = { type: 'prometheus', uid: '$datasource' };

const HEIGHT = 8;

/** What the builders of all kinds of panel have in common. */
interface AnyPanel extends Builder<Panel> {
  id(id: number): unknown;
  title(title: string): unknown;
  description(description: string): unknown;
  datasource(datasource: DataSourceRef): unknown;
  unit(unit: string): unknown;
  height(height: number): unknown;
  span(width: number): unknown;
  noValue(text: string): unknown;
  withTarget(target: Builder<prometheus.Dataquery>): unknown;
}

const BUILDERS: Readonly<Record<PanelKind, () => AnyPanel>> = {
  timeseries: () => new timeseries.PanelBuilder().legend(legend()).tooltip(tooltip()),
  stacked: () =>
    new timeseries.PanelBuilder()
      .legend(legend())
      .tooltip(tooltip())
      .fillOpacity(30)
      .stacking(new StackingConfigBuilder().mode(common.StackingMode.Normal)),
  stat: () => new stat.PanelBuilder(),
  table: () => new table.PanelBuilder(),
  state: () => new statetimeline.PanelBuilder().mergeValues(true),
  bargauge: () => new bargauge.PanelBuilder(),
  gauge: () => new gauge.PanelBuilder(),
  heatmap: () => new heatmap.PanelBuilder(),
};

/** Kinds that show the last value only: a range would be read for nothing. */
const INSTANT: readonly PanelKind[] = ['stat', 'table', 'bargauge', 'gauge'];

function drawPanel(spec: PanelSpec, id: number): Builder<Panel> {
  const { kind = 'timeseries', width = 12, unit = 'short' } = spec;
  const panel = BUILDERS[kind]();
  panel.id(id);
  panel.title(spec.title);
  panel.description(spec.description);
  panel.datasource(DATASOURCE);
  panel.unit(unit);
  panel.height(HEIGHT);
  panel.span(width);
  if (spec.noValue !== undefined) panel.noValue(spec.noValue);
  for (const [index, [text, expr]] of Object.entries(spec.queries).entries()) {
    const query = new prometheus.DataqueryBuilder()
      .datasource(DATASOURCE)
      .refId(String.fromCharCode(65 + index))
      .expr(expr)
      .legendFormat(text);
    if (kind === 'table') query.format(prometheus.PromQueryFormat.Table);
    if (kind === 'heatmap') query.format(prometheus.PromQueryFormat.Heatmap);
    panel.withTarget(INSTANT.includes(kind) ? query.instant() : query.range());
  }
  return panel;
}

function legend(): common.VizLegendOptionsBuilder {
  return new common.VizLegendOptionsBuilder()
    .displayMode(common.LegendDisplayMode.List)
    .placement(common.LegendPlacement.Bottom)
    .showLegend(true);
}

function tooltip(): common.VizTooltipOptionsBuilder {
  return new common.VizTooltipOptionsBuilder().mode(common.TooltipDisplayMode.Multi);
}
