import { SCHEDULED_RUN_LINES } from '../scheduled-run.ts';
import { ARCHIVED_DOCUMENTS, CONTRACT_RULES, CREDENTIALS } from './label-values.ts';
import { counter, gauge } from './probe-metric.ts';

const TARGET = { target: 'configuration' } as const;
const DOCUMENT = { ...TARGET, document: ARCHIVED_DOCUMENTS } as const;
const PROCESS = { source: 'process' } as const;

/** G and H. Contract and daemon. */
export const DAEMON_METRICS = [
  counter(
    'weighbridge_contract_violations_total',
    'violations',
    { ...TARGET, rule: CONTRACT_RULES },
    'Answers that break a named rule of the interface description.',
  ),
  gauge(
    'weighbridge_build_info',
    '1',
    { version: 'daemon', revision: 'daemon', node: 'daemon' },
    'Version of the running daemon.',
  ),
  gauge(
    'weighbridge_config_last_reload_successful',
    '0 or 1',
    {},
    '1 if the last load of the configuration succeeded.',
  ),
  gauge(
    'weighbridge_config_last_reload_success_timestamp_seconds',
    'unix seconds',
    {},
    'Time of the last good load.',
  ),
  gauge(
    'weighbridge_credential_readable',
    '0 or 1',
    { ...TARGET, credential: CREDENTIALS },
    '1 if the last read of a credential from its file or variable succeeded.',
  ),
  counter(
    'weighbridge_state_write_failures_total',
    'failures',
    {},
    'Failed writes of the budget and task journal.',
  ),
  gauge(
    'weighbridge_archive_last_write_timestamp_seconds',
    'unix seconds',
    DOCUMENT,
    'Last time that a document was stored as served.',
  ),
  counter(
    'weighbridge_archive_write_failures_total',
    'failures',
    DOCUMENT,
    'Documents that could not be stored.',
  ),
  counter(
    'weighbridge_label_overflow_total',
    'label sets',
    { metric: 'daemon' },
    'Samples with a label value that is on no list, or beyond the series limit of their metric.',
  ),
  gauge(
    'weighbridge_metrics_render_seconds',
    'seconds',
    {},
    'Time that the rendering of the metrics before this one took.',
  ),
] as const;

/** The process itself, under the names that Prometheus clients give. */
export const PROCESS_METRICS = [
  counter(
    'process_cpu_seconds_total',
    'CPU seconds',
    {},
    'Total user and system CPU time spent in seconds.',
    PROCESS,
  ),
  gauge('process_start_time_seconds', 'unix seconds', {}, 'When the process started.', PROCESS),
  gauge('process_resident_memory_bytes', 'bytes', {}, 'Resident memory size in bytes.', PROCESS),
  gauge('process_open_fds', 'files', {}, 'Number of open file descriptors.', PROCESS),
  gauge('nodejs_heap_size_total_bytes', 'bytes', {}, 'Heap that the process holds.', PROCESS),
  gauge('nodejs_heap_size_used_bytes', 'bytes', {}, 'Heap in use.', PROCESS),
  gauge('nodejs_external_memory_bytes', 'bytes', {}, 'Memory of objects outside the heap.', PROCESS),
  gauge(
    'nodejs_eventloop_lag_p50_seconds',
    'seconds',
    {},
    'Median lateness of a 10 ms timer over the last full ten seconds.',
    PROCESS,
  ),
  gauge(
    'nodejs_eventloop_lag_p99_seconds',
    'seconds',
    {},
    'Lateness of a 10 ms timer, 99th percentile over the last full ten seconds.',
    PROCESS,
  ),
  gauge(
    'nodejs_eventloop_lag_max_seconds',
    'seconds',
    {},
    'Greatest lateness of a 10 ms timer over the last full ten seconds.',
    PROCESS,
  ),
] as const;

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
