import * as units from '@grafana/grafana-foundation-sdk/units';
import type { LintedBoard, LintedPanel } from './board-model.ts';
import type { LintRule } from './lint-rule.ts';

const UNITS: ReadonlySet<unknown> = new Set(Object.values(units));

export const PANEL_RULES: readonly LintRule[] = [
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
