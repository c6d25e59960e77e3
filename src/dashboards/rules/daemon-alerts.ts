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
    description: 'Prometheus reaches no metrics at {{ $labels.instance }}: nothing is watched.',
    meaning:
      'A silent prober looks like a healthy gateway. While this fires no other alert can be trusted to.',
    blame: ['probe', 'network'],
    first: [
      'Look at `/-/healthy` and `/-/ready` of the daemon, and at its log.',
      'Where the process is gone, start it again: budget and open tasks are kept, no task is created twice.',
      'Where it answers you but not Prometheus, compare address, TLS and credentials of the scrape job.',
    ],
  },
  {
    name: 'WeighbridgeDaemonAbsent',
    severity: 'page',
    for: '5m',
    expr: () => `absent(up{job="${JOB}"})`,
    summary: 'Prometheus knows no probe daemon',
    description: `No target of the job ${JOB} is left in Prometheus.`,
    meaning: 'The daemon left service discovery, so that its absence cannot be seen as a failed scrape.',
    blame: ['probe'],
    first: [
      'Look at the targets page of Prometheus and at its last reload.',
      `See that the job is called \`${JOB}\`: the rules look for that name.`,
    ],
  },
  {
    name: 'WeighbridgeConfigReloadFailed',
    for: '5m',
    expr: () => 'weighbridge_config_last_reload_successful == 0',
    summary: 'The daemon {{ $labels.instance }} refused its new configuration',
    description: 'The configuration before the change stays in force.',
    meaning: 'Somebody changed weighbridge.yaml and it cannot be read. What runs is what ran before.',
    blame: ['probe'],
    first: [
      'Read the log: it names file, line, column and the key that was meant.',
      'Mend the file and reload; `weighbridge probe --dry-run` checks it without starting anything.',
    ],
  },
  {
    name: 'WeighbridgeLabelOverflow',
    expr: (time) => `increase(weighbridge_label_overflow_total[${time.span('1h')}]) > 0`,
    summary: 'Label values of {{ $labels.metric }} were folded into other',
    description: '{{ $value | humanize }} values in the last hour met the limit on series.',
    meaning:
      'A metric reached its limit on series. Counts stay right in sum, but parts of them stand under `other`.',
    blame: ['probe'],
    first: [
      'Count the probes and watched models of the configuration, and take out what nobody looks at.',
      'Raise the limit on series only with the memory of Prometheus in view.',
    ],
  },
  {
    name: 'WeighbridgeWatchdog',
    severity: 'none',
    expr: () => 'vector(1)',
    summary: 'The path of alerts works',
    description: 'Fires always. Send it to a receiver that complains when it stops.',
    meaning: 'Proves that Prometheus evaluates rules and that Alertmanager delivers.',
    blame: [],
    first: ['Nothing while it fires. When it stops, look at Prometheus and Alertmanager first.'],
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
    description: 'It was to have ended {{ $value | humanizeDuration }} ago.',
    meaning:
      'No run of the schedule has come to a verdict since: it was not started, was refused before anything was sent, or died. Nothing starts it again by itself, since a second start could spend twice.',
    blame: ['probe'],
    first: [
      'Look at what the scheduler says of it: `systemctl status weighbridge-audit`, `kubectl get jobs`, or the log of the workflow. The exit status tells why: 6 no room in the budget, 3 target or credentials, 2 configuration or another run.',
      'Where the run died, `weighbridge reconcile --due` settles what it had reserved, for free.',
      'Start it by hand once the cause is gone, with the same `--every`.',
      'Where the schedule was given up on purpose, remove `scheduled-run.json` from the folder of the target under the state.',
    ],
  },
];
