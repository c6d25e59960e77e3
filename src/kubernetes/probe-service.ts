import type { Service } from 'kubernetes-types/core/v1.d.ts';
import { objectLabels } from './manifest.ts';
import { DAEMON, METRICS_PORT } from './probe-watch.ts';

export function probeService(): Service {
  const labels = objectLabels('probe');
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: DAEMON, labels },
    spec: {
      selector: labels,
      ports: [{ name: 'metrics', port: METRICS_PORT, targetPort: 'metrics' }],
    },
  };
}
