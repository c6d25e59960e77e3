import type { Deployment } from 'kubernetes-types/apps/v1.d.ts';
import { objectLabels } from './manifest.ts';
import { DATA, mountedClaim, mountedConfig, mountedSecret } from './mounted.ts';
import { ownPod } from './pod.ts';
import { DAEMON, DAEMON_CONFIG, METRICS_PORT, type ProbeWatch } from './probe-watch.ts';
import { secretEnv } from './secret-use.ts';

/** One daemon, never two: each would spend its budget. */
export function probeDeployment({ image, secret, drainMs }: ProbeWatch): Deployment {
  const labels = objectLabels('probe');
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: DAEMON, labels },
    spec: {
      replicas: 1,
      strategy: { type: 'Recreate' },
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          // The lock on the state names its host: a new pod takes over what a dead one left. The claim lets one pod live at a time.
          hostname: DAEMON,
          terminationGracePeriodSeconds: Math.ceil(drainMs / 1000) + 15,
          ...ownPod({
            image,
            mounts: [mountedClaim(DAEMON), mountedConfig(DAEMON_CONFIG), ...mountedSecret(secret)],
            container: {
              name: 'probe',
              args: [
                'probe',
                ...['--config', '/etc/weighbridge/weighbridge.yaml'],
                ...['--listen', `:${METRICS_PORT}`, '--state', DATA],
              ],
              env: secretEnv(secret),
              ports: [{ name: 'metrics', containerPort: METRICS_PORT }],
              livenessProbe: {
                httpGet: { path: '/-/healthy', port: 'metrics' },
                periodSeconds: 30,
                timeoutSeconds: 5,
              },
              readinessProbe: { httpGet: { path: '/-/ready', port: 'metrics' } },
            },
          }),
        },
      },
    },
  };
}
