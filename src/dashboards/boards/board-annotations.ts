import { AnnotationQueryBuilder } from '@grafana/grafana-foundation-sdk/dashboard';
import type { BoardSpec } from './board-spec.ts';
import { DATASOURCE } from './draw-panel.ts';

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

export function boardAnnotations(family: BoardSpec['family']): readonly AnnotationQueryBuilder[] {
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
