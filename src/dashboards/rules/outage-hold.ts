import type { RecordingRule } from './alert-rule.ts';

/** So many probes must fail: one or two may be one model. The status page asks the same of its runs. */
const ENOUGH = 3;
/** How long an outage still excuses the alerts that it causes: the windows of those that page pass within it. */
const HOLD = '30m';

const FAILING = 'target:weighbridge_probes_failing:since_success';
const ACTIVE = 'target:weighbridge_target_down:active';

/** Counts probes, not time: the last run of each failed, and ended after the last good run of any probe of the target. */
const PROBES_FAILING: RecordingRule = {
  record: FAILING,
  expr: () => `count by (target) (
  weighbridge_probe_last_run_timestamp_seconds
  and on (target, probe) weighbridge_probe_success == 0
  and on (target, probe) (
    weighbridge_probe_last_run_timestamp_seconds
    > on (target) group_left () max by (target) (weighbridge_probe_last_success_timestamp_seconds)
    or on (target, probe)
    weighbridge_probe_last_run_timestamp_seconds
    unless on (target) weighbridge_probe_last_success_timestamp_seconds
  )
)`,
  meaning: 'Probes whose last run failed, with no good run of any probe of the target since.',
};

const TARGET_DOWN: RecordingRule = {
  record: ACTIVE,
  expr: (time) => `max_over_time(${FAILING}[${time.span(HOLD)}]) >= ${ENOUGH}`,
  meaning: `${ENOUGH} or more while every request to the target fails, and ${HOLD} beyond.`,
};

/** In the order in which they are evaluated. */
export const OUTAGE_RECORDS: readonly RecordingRule[] = [PROBES_FAILING, TARGET_DOWN];

/** True of a target at which enough probes have failed since the last success. */
export const TARGET_FAILS = `${FAILING} >= ${ENOUGH}`;

export function unlessDown(expr: string): string {
  return `(\n${expr}\n)\nunless on (target) ${ACTIVE}`;
}
