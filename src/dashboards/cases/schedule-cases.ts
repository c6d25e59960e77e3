import { clock, type RuleCase } from './rule-case.ts';

/** The next run is expected a day after the last one ended, and the last one stays the last. */
export const SCHEDULE_CASES: readonly RuleCase[] = [
  {
    alert: 'WeighbridgeScheduledRunMissing',
    step: '10m',
    lengths: [20, 20, 20],
    series: [
      clock('weighbridge_scheduled_run_expected_timestamp_seconds{target="a"}', 3_600, 'frozen', 3_600),
    ],
    labels: { target: 'a' },
  },
];
