import type { ObjectMeta } from 'kubernetes-types/meta/v1.d.ts';
import { objectLabels } from './manifest.ts';

/** The Prometheus operator's form of a file of rules. */
export interface PrometheusRule {
  readonly apiVersion: 'monitoring.coreos.com/v1';
  readonly kind: 'PrometheusRule';
  readonly metadata: ObjectMeta;
  readonly spec: { readonly groups: readonly unknown[] };
}

export function prometheusRule(groups: readonly unknown[]): PrometheusRule {
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'weighbridge', labels: objectLabels('probe') },
    spec: { groups },
  };
}
