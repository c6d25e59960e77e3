import type { AlertRule } from './alert-rule.ts';

/** The name of the scrape job: prometheus.yml of this folder gives it. */
export const JOB = 'weighbridge-probe';

/** The watcher itself. No load run excuses any of these. */
export const DAEMON_ALERTS: readonly AlertRule[] = [
  {
    name: 'WeighbridgeDaemonDown',
    severity: 'page',
    for: '3m',
    expr: () => `up{job="${JOB}"} == 0`,
    summary: 'The probe daemon {{ $labels.instance }} cannot be scraped',
    description: 'Prometheus cannot read metrics at {{ $labels.instance }}. Nothing is monitored.',
    meaning:
      'Without the daemon a broken gateway looks healthy. While this fires, do not trust the silence of other alerts.',
    blame: ['probe', 'network'],
    first: [
      'Look at `/-/healthy` and `/-/ready` of the daemon, and at its log.',
      'If the process is gone, start it again. It keeps its budget and its open tasks, and creates no task twice.',
      'If it answers you but not Prometheus, compare address, TLS and credentials of the scrape job.',
    ],
  },
  {
    name: 'WeighbridgeDaemonAbsent',
    severity: 'page',
    for: '5m',
    expr: () => `absent(up{job="${JOB}"})`,
    summary: 'Prometheus knows no probe daemon',
    description: `No target of the job ${JOB} is left in Prometheus.`,
    meaning: 'The daemon is no longer in service discovery, so no scrape of it can fail.',
    blame: ['probe'],
    first: [
      'Look at the targets page of Prometheus and at its last reload.',
      `Check that the job is called \`${JOB}\`. The rules look for that name.`,
    ],
  },
  {
    name: 'WeighbridgeConfigReloadFailed',
    for: '5m',
    expr: () => 'weighbridge_config_last_reload_successful == 0',
    summary: 'The daemon {{ $labels.instance }} refused its new configuration',
    description: 'The configuration before the change stays in force.',
    meaning:
      'Somebody changed weighbridge.yaml and the daemon cannot read it. It continues with the previous configuration.',
    blame: ['probe'],
    first: [
      'Read the log. It names the file, line and column, and the nearest known key.',
      'Correct the file and reload. `weighbridge probe --dry-run` checks it without starting anything.',
    ],
  },
  {
    name: 'WeighbridgeLabelOverflow',
    expr: (time) => `increase(weighbridge_label_overflow_total[${time.span('1h')}]) > 0`,
    summary: 'Label values of {{ $labels.metric }} were replaced by other',
    description: '{{ $value | humanize }} values in the last hour exceeded the limit on series.',
    meaning:
      'A metric reached its limit on series. Sums stay correct, but some of them are counted under `other`.',
    blame: ['probe'],
    first: [
      'Count the probes and watched models of the configuration. Remove those that nobody looks at.',
      'Before you raise `probe.series_limit`, check the memory of Prometheus.',
    ],
  },
  {
    name: 'WeighbridgeWatchdog',
    severity: 'none',
    expr: () => 'vector(1)',
    summary: 'Alerts can be delivered',
    description: 'This alert always fires. Send it to a receiver that complains when it stops.',
    meaning: 'Proves that Prometheus evaluates rules and that Alertmanager delivers.',
    blame: [],
    first: ['Do nothing while it fires. When it stops, look at Prometheus and Alertmanager first.'],
  },
];

/** Runs that a schedule starts. */
export const SCHEDULE_ALERTS: readonly AlertRule[] = [
  {
    name: 'WeighbridgeScheduledRunMissing',
    // The daemon and a textfile collector may both tell of the same target.
    expr: (time) =>
      `time() - max by (target) (weighbridge_scheduled_run_expected_timestamp_seconds) > ${time.seconds('2h')}`,
    summary: 'The scheduled run of {{ $labels.target }} is missing',
    description: 'It should have ended {{ $value | humanizeDuration }} ago.',
    meaning:
      'No scheduled run has reached a verdict since. It was not started, was refused before it sent anything, or died. Nothing starts it again by itself, because a second start could spend twice.',
    blame: ['probe'],
    first: [
      'Look at what the scheduler says of it: `systemctl status weighbridge-audit`, `kubectl get jobs`, or the log of the workflow. The exit status tells why: 6 no room in the budget, 3 target or credentials, 2 configuration or another run.',
      'If the run died, `weighbridge reconcile --due` settles what it had reserved, for free.',
      'When the cause is gone, start it by hand with the same `--every`.',
      'If you ended the schedule on purpose, delete `scheduled-run.json` from the folder of the target under the state.',
    ],
  },
];
