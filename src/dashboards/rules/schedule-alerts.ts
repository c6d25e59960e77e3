import type { AlertRule } from './alert-rule.ts';

/** Runs that a schedule starts. */
export const SCHEDULE_ALERTS: readonly AlertRule[] = [
  {
    name: 'WeighbridgeScheduledRunMissing',
    severity: 'ticket',
    for: null,
    held: false,
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
