import type { Service } from 'kubernetes-types/core/v1.d.ts';
import { labelsOf } from './manifest.ts';
import { METRICS_PORT, PROBE } from './probe-watch.ts';

export function probeService(): Service {
  const labels = labelsOf('probe');
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: PROBE, labels },
    spec: {
      selector: labels,
      ports: [{ name: 'metrics', port: METRICS_PORT, targetPort: 'metrics' }],
    },
  };
}
