import * as bargauge from '@grafana/grafana-foundation-sdk/bargauge';
import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import * as common from '@grafana/grafana-foundation-sdk/common';
import { type DataSourceRef, StackingConfigBuilder } from '@grafana/grafana-foundation-sdk/common';
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard';
import * as gauge from '@grafana/grafana-foundation-sdk/gauge';
import * as heatmap from '@grafana/grafana-foundation-sdk/heatmap';
import * as prometheus from '@grafana/grafana-foundation-sdk/prometheus';
import * as stat from '@grafana/grafana-foundation-sdk/stat';
import * as statetimeline from '@grafana/grafana-foundation-sdk/statetimeline';
import * as table from '@grafana/grafana-foundation-sdk/table';
import * as timeseries from '@grafana/grafana-foundation-sdk/timeseries';
import type { PanelKind, PanelSpec } from './board-spec.ts';

/** Never a data source by name: the one that the variable of the dashboard says. */
export const DATASOURCE: DataSourceRef = { type: 'prometheus', uid: '$datasource' };

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

export function drawPanel(spec: PanelSpec, id: number): Builder<Panel> {
  const panel = BUILDERS[spec.kind]();
  panel.id(id);
  panel.title(spec.title);
  panel.description(spec.description);
  panel.datasource(DATASOURCE);
  panel.unit(spec.unit);
  panel.height(HEIGHT);
  panel.span(spec.width);
  if (spec.noValue !== undefined) panel.noValue(spec.noValue);
  for (const [index, { expr, legend: text }] of spec.queries.entries()) {
    const query = new prometheus.DataqueryBuilder()
      .datasource(DATASOURCE)
      .refId(String.fromCharCode(65 + index))
      .expr(expr)
      .legendFormat(text);
    if (spec.kind === 'table') query.format(prometheus.PromQueryFormat.Table);
    if (spec.kind === 'heatmap') query.format(prometheus.PromQueryFormat.Heatmap);
    panel.withTarget(INSTANT.includes(spec.kind) ? query.instant() : query.range());
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
