import { claim } from './claim.ts';
import { configMap } from './config-map.ts';
import { type Manifest, objectLabels } from './manifest.ts';
import { REPORTS, STATE } from './mounted.ts';
import { SCHEDULE_CLAIM, SCHEDULE_CONFIG, type ScheduledJob, scheduledJob } from './scheduled-job.ts';
import type { SecretUse } from './secret-use.ts';

/** What is to run at set times. */
export interface Schedules {
  readonly image: string;
  /** The resolved configuration, which holds no secret. */
  readonly config: string;
  readonly secret: SecretUse;
  /** Address of the gateway whose past month is audited; null for no such audit. */
  readonly month: string | null;
  readonly nightly: 'audit' | 'run' | null;
}

const KEPT = ['--out', REPORTS, '--state', STATE];

/** The CronJobs, with one configuration and one volume, which a pod at a time has. */
export function scheduleManifests(asked: Schedules): readonly Manifest[] {
  const component = asked.nightly === null ? 'month' : 'nightly';
  return [
    {
      file: 'schedule-config.yaml',
      about: 'What the schedules call, and how they judge. It holds no secret.',
      object: configMap(SCHEDULE_CONFIG, objectLabels(component), { 'weighbridge.yaml': asked.config }),
    },
    {
      file: 'schedule-data.yaml',
      about: 'Budget, locks and reports. Not for the daemon: it would never let another pod have it.',
      object: claim(SCHEDULE_CLAIM, objectLabels(component), 'ReadWriteOncePod', '10Gi'),
    },
    ...(asked.month === null ? [] : [monthly(asked, asked.month)]),
    ...(asked.nightly === null ? [] : nightly(asked, asked.nightly)),
  ];
}

/** On the 3rd: late charges of the month's last day have come by then. It only reads, so a late start is made up for. */
function monthly(asked: Schedules, target: string): Manifest {
  const job: ScheduledJob = {
    ...asked,
    name: 'weighbridge-month',
    component: 'month',
    schedule: '0 6 3 * *',
    lateSeconds: 86_400,
    mostSeconds: 43_200,
    args: ['reconcile', '--month', 'last', '--target', target, ...KEPT],
  };
  return {
    file: 'month.yaml',
    about: 'Audits the month before, on the 3rd, by its records alone: no call is paid.',
    object: scheduledJob(job),
  };
}

function nightly(asked: Schedules, command: 'audit' | 'run'): readonly Manifest[] {
  const shared = { ...asked, component: 'nightly' as const, lateSeconds: 600 };
  const regression = ['--baseline', 'last-good', '--max-regression', 'ttft_p95=50%'];
  const load: ScheduledJob = {
    ...shared,
    name: `weighbridge-${command}`,
    schedule: '0 2 * * *',
    mostSeconds: 7200,
    args: [command, '--every', '24h', ...regression, ...KEPT],
  };
  const look: ScheduledJob = {
    ...shared,
    name: 'weighbridge-reconcile',
    schedule: '30 * * * *',
    mostSeconds: 10_800,
    args: ['reconcile', '--due', ...KEPT],
  };
  return [
    {
      file: `nightly-${command}.yaml`,
      about: 'A night that was missed is missing, and told: it is not made up for at noon.',
      object: scheduledJob(load),
    },
    // Without a bill there is nothing to look at again.
    ...(command === 'run'
      ? []
      : [
          {
            file: 'nightly-reconcile.yaml',
            about: 'Looks again at runs whose bill may have changed since: reads only, free.',
            object: scheduledJob(look),
          },
        ]),
  ];
}
