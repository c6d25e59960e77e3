import type { ObjectMeta } from 'kubernetes-types/meta/v1.d.ts';
import { objectLabels } from './manifest.ts';
import { DAEMON } from './probe-watch.ts';

/** The part of the Prometheus operator's ServiceMonitor that is used here. */
export interface ServiceMonitor {
  readonly apiVersion: 'monitoring.coreos.com/v1';
  readonly kind: 'ServiceMonitor';
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly selector: { readonly matchLabels: Record<string, string> };
    readonly endpoints: readonly { readonly port: string; readonly interval: string }[];
    readonly sampleLimit: number;
    readonly labelValueLengthLimit: number;
  };
}

/** Scrapes as dashboards/provisioning/prometheus.yml does: the rules count on it. */
export function serviceMonitor(): ServiceMonitor {
  const labels = objectLabels('probe');
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'ServiceMonitor',
    metadata: { name: DAEMON, labels },
    spec: {
      selector: { matchLabels: labels },
      endpoints: [{ port: 'metrics', interval: '15s' }],
      sampleLimit: 50_000,
      labelValueLengthLimit: 256,
    },
  };
}
