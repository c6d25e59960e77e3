import type { NetworkPolicy } from 'kubernetes-types/networking/v1.d.ts';
import { type LoadRun, runName } from './load-run.ts';
import { objectLabels } from './manifest.ts';

/** Port of k6's REST interface: whoever reaches it can stop the load, or start it early. */
const REST_PORT = 6565;

/** Lets the operator and the starter of the run alone reach its engines. */
export function networkPolicy({ runId, operatorNamespace }: LoadRun): NetworkPolicy {
  const name = runName(runId);
  const ofRun = { app: 'k6', k6_cr: name };
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name, labels: objectLabels('load', runId) },
    spec: {
      podSelector: { matchLabels: { ...ofRun, runner: 'true' } },
      policyTypes: ['Ingress'],
      ingress: [
        {
          from: [
            { podSelector: { matchLabels: { ...ofRun, 'job-name': `${name}-starter` } } },
            { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': operatorNamespace } } },
          ],
          ports: [{ protocol: 'TCP', port: REST_PORT }],
        },
      ],
    },
  };
}
