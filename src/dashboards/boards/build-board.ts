import {
  type Dashboard,
  DashboardBuilder,
  DashboardCursorSync,
  DashboardLinkBuilder,
  DashboardLinkType,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { TimeScale } from '../time-scale.ts';
import { boardAnnotations } from './board-annotations.ts';
import type { BoardSpec } from './board-spec.ts';
import { boardVariables } from './board-variables.ts';
import { drawPanel } from './draw-panel.ts';

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
