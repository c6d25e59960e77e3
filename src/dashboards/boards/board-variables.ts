import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import {
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  type VariableModel,
  VariableRefresh,
  VariableSort,
} from '@grafana/grafana-foundation-sdk/dashboard';
import type { BoardSpec } from './board-spec.ts';
import { DATASOURCE } from './draw-panel.ts';

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

export function boardVariables(family: BoardSpec['family']): readonly Builder<VariableModel>[] {
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
