import { DUR, START } from './buckets.ts';
import { BLAMES, ERROR_TYPE_VALUES, PHASES, PROBE_APIS, SKIP_REASONS, YES_NO } from './label-values.ts';
import { counter, gauge, histogram } from './probe-metric.ts';

const PROBE = { probe: 'configuration', target: 'configuration' } as const;
const RUN = { ...PROBE, api: PROBE_APIS, model: 'configuration', stream: YES_NO } as const;
const TARGET = { target: 'configuration' } as const;

/** A. Every probe. */
export const RUN_METRICS = [
  counter(
    'weighbridge_probe_runs_total',
    'runs',
    { ...RUN, error_type: ERROR_TYPE_VALUES, blame: BLAMES },
    'Finished probe runs; error_type is empty on success; blame is none, gateway, upstream, network, account or probe.',
    { exemplars: true },
  ),
  counter(
    'weighbridge_probe_http_responses_total',
    'responses',
    { ...RUN, code: 'status' },
    'HTTP responses seen by a probe, by exact status code.',
  ),
  histogram(
    'weighbridge_probe_duration_seconds',
    DUR,
    RUN,
    'Whole run as the client sees it: first byte of the request to last byte of the answer, or to the final task state.',
    { exemplars: true },
  ),
  gauge(
    'weighbridge_probe_phase_seconds',
    'seconds',
    { ...PROBE, phase: PHASES },
    'Last run split into resolve, connect, tls, send, wait and transfer.',
  ),
  gauge('weighbridge_probe_success', '0 or 1', RUN, '1 if the last run met every expectation of its probe.'),
  gauge('weighbridge_probe_last_duration_seconds', 'seconds', PROBE, 'Length of the last run.'),
  gauge(
    'weighbridge_probe_last_run_timestamp_seconds',
    'unix seconds',
    PROBE,
    'Time at which the last run ended.',
  ),
  gauge(
    'weighbridge_probe_last_success_timestamp_seconds',
    'unix seconds',
    PROBE,
    'Time at which the last good run ended.',
  ),
  gauge('weighbridge_probe_interval_seconds', 'seconds', PROBE, 'Configured interval, before jitter.'),
  gauge('weighbridge_probe_in_flight', 'runs', { ...TARGET, api: PROBE_APIS }, 'Runs now under way.'),
  counter(
    'weighbridge_probe_skipped_total',
    'runs',
    { ...PROBE, reason: SKIP_REASONS },
    'Runs not started: overlap, concurrency, budget, paused, retry_after.',
  ),
  histogram(
    'weighbridge_probe_schedule_lag_seconds',
    START,
    {},
    'Delay between the planned and the real start of a run.',
  ),
  gauge(
    'weighbridge_probe_retry_after_seconds',
    'seconds',
    PROBE,
    'Last Retry-After value received; 0 when none.',
  ),
  gauge(
    'weighbridge_target_tls_not_after_timestamp_seconds',
    'unix seconds',
    TARGET,
    'Earliest expiry in the certificate chain last seen.',
  ),
  gauge(
    'weighbridge_target_info',
    '1',
    { ...TARGET, base: 'configuration' },
    'Base address of a target, as load runs name it in k6_weighbridge_run_active.',
  ),
] as const;
