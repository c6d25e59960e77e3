import { SCHEDULED_RUN_LINES } from '../scheduled-run.ts';
import { gauge } from './probe-metric.ts';

const TARGET = { target: 'configuration' } as const;

/** Of the last run of a schedule (`--every`) that came to a verdict; `reports --metrics-file` writes the same. */
export const SCHEDULED_METRICS = [
  gauge(
    'weighbridge_scheduled_run_end_timestamp_seconds',
    'unix seconds',
    TARGET,
    'End of the last scheduled run that came to a verdict.',
  ),
  gauge(
    'weighbridge_scheduled_run_expected_timestamp_seconds',
    'unix seconds',
    TARGET,
    'When the next scheduled run is to have ended.',
  ),
  gauge(
    'weighbridge_scheduled_run_exit_status',
    'exit status',
    TARGET,
    'Exit status of the last scheduled run; of its last reconcile where there was one.',
  ),
  gauge(
    'weighbridge_scheduled_run_usd',
    'USD',
    { ...TARGET, line: SCHEDULED_RUN_LINES },
    'Money of the last scheduled run: charged, expected, certainly too much and too little.',
  ),
] as const;
