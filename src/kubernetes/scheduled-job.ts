import type { CronJob } from 'kubernetes-types/batch/v1.d.ts';
import { type Component, objectLabels } from './manifest.ts';
import { mountedClaim, mountedConfig, mountedSecret } from './mounted.ts';
import { ownPod } from './pod.ts';
import { type SecretUse, secretEnv } from './secret-use.ts';

/** One command at set times. */
export interface ScheduledJob {
  readonly name: string;
  readonly component: Component;
  /** Five fields, UTC. */
  readonly schedule: string;
  /** A start that is missed for longer than this is missing, and not made up for. */
  readonly lateSeconds: number;
  readonly mostSeconds: number;
  readonly args: readonly string[];
  readonly image: string;
  readonly secret: SecretUse;
}

export const SCHEDULE_CLAIM = 'weighbridge-data';
export const SCHEDULE_CONFIG = 'weighbridge-config';
const CONFIG_FOLDER = '/etc/weighbridge';

/** Never two at once, never a second try: each could spend once more. */
export function scheduledJob(job: ScheduledJob): CronJob {
  const labels = objectLabels(job.component);
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: job.name, labels },
    spec: {
      schedule: job.schedule,
      timeZone: 'Etc/UTC',
      concurrencyPolicy: 'Forbid',
      startingDeadlineSeconds: job.lateSeconds,
      successfulJobsHistoryLimit: 7,
      failedJobsHistoryLimit: 7,
      jobTemplate: {
        spec: {
          backoffLimit: 0,
          parallelism: 1,
          completions: 1,
          activeDeadlineSeconds: job.mostSeconds,
          template: {
            metadata: { labels },
            spec: {
              restartPolicy: 'Never',
              // The lock names its host: the next pod takes over what a dead one left. The claim lets one pod live at a time.
              hostname: 'weighbridge',
              // Longer than a drain: calls in flight end first.
              terminationGracePeriodSeconds: 300,
              ...ownPod({
                image: job.image,
                mounts: [
                  mountedClaim(SCHEDULE_CLAIM),
                  mountedConfig(SCHEDULE_CONFIG, CONFIG_FOLDER),
                  ...mountedSecret(job.secret),
                ],
                container: {
                  name: job.component,
                  args: [...job.args],
                  env: [
                    { name: 'WEIGHBRIDGE_CONFIG', value: `${CONFIG_FOLDER}/weighbridge.yaml` },
                    ...secretEnv(job.secret),
                  ],
                },
              }),
            },
          },
        },
      },
    },
  };
}
