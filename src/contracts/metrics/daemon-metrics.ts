import { SCHEDULED_RUN_LINES } from '../scheduled-run.ts';
import { ARCHIVED_DOCUMENTS, CONTRACT_RULES, CREDENTIALS } from './label-values.ts';
import { counter, gauge, ofProcess } from './probe-metric.ts';

const TARGET = { target: 'configuration' } as const;
const DOCUMENT = { ...TARGET, document: ARCHIVED_DOCUMENTS } as const;

/** G and H. Contract and daemon. */
export const DAEMON_METRICS = [
  counter(
    'contract_violations_total',
    'violations',
    { ...TARGET, rule: CONTRACT_RULES },
    'Answers that break a named rule of the interface description.',
  ),
  gauge(
    'build_info',
    '1',
    { version: 'daemon', revision: 'daemon', node: 'daemon' },
    'Version of the running daemon.',
  ),
  gauge('config_last_reload_successful', '0 or 1', {}, '1 if the last load of the configuration succeeded.'),
  gauge('config_last_reload_success_timestamp_seconds', 'unix seconds', {}, 'Time of the last good load.'),
  gauge(
    'credential_readable',
    '0 or 1',
    { ...TARGET, credential: CREDENTIALS },
    '1 if the last read of a credential from its file or variable succeeded.',
  ),
  counter('state_write_failures_total', 'failures', {}, 'Failed writes of the budget and task journal.'),
  gauge(
    'archive_last_write_timestamp_seconds',
    'unix seconds',
    DOCUMENT,
    'Last time that a document was stored as served.',
  ),
  counter('archive_write_failures_total', 'failures', DOCUMENT, 'Documents that could not be stored.'),
  counter(
    'label_overflow_total',
    'label sets',
    { metric: 'daemon' },
    'Samples with a label value that is on no list, or beyond the series limit of their metric.',
  ),
  gauge(
    'metrics_render_seconds',
    'seconds',
    {},
    'Time that the rendering of the metrics before this one took.',
  ),
] as const;

/** The process itself, under the names that Prometheus clients give. */
export const PROCESS_METRICS = [
  ofProcess(
    'process_cpu_seconds_total',
    'counter',
    'CPU seconds',
    'Total user and system CPU time spent in seconds.',
  ),
  ofProcess('process_start_time_seconds', 'gauge', 'unix seconds', 'When the process started.'),
  ofProcess('process_resident_memory_bytes', 'gauge', 'bytes', 'Resident memory size in bytes.'),
  ofProcess('process_open_fds', 'gauge', 'files', 'Number of open file descriptors.'),
  ofProcess('nodejs_heap_size_total_bytes', 'gauge', 'bytes', 'Heap that the process holds.'),
  ofProcess('nodejs_heap_size_used_bytes', 'gauge', 'bytes', 'Heap in use.'),
  ofProcess('nodejs_external_memory_bytes', 'gauge', 'bytes', 'Memory of objects outside the heap.'),
  ofProcess(
    'nodejs_eventloop_lag_p50_seconds',
    'gauge',
    'seconds',
    'Median lateness of a 10 ms timer over the last full ten seconds.',
  ),
  ofProcess(
    'nodejs_eventloop_lag_p99_seconds',
    'gauge',
    'seconds',
    'Lateness of a 10 ms timer, 99th percentile over the last full ten seconds.',
  ),
  ofProcess(
    'nodejs_eventloop_lag_max_seconds',
    'gauge',
    'seconds',
    'Greatest lateness of a 10 ms timer over the last full ten seconds.',
  ),
] as const;

/** Of the last run of a schedule (`--every`) that came to a verdict; `reports --metrics-file` writes the same. */
export const SCHEDULED_METRICS = [
  gauge(
    'scheduled_run_end_timestamp_seconds',
    'unix seconds',
    TARGET,
    'End of the last scheduled run that came to a verdict.',
  ),
  gauge(
    'scheduled_run_expected_timestamp_seconds',
    'unix seconds',
    TARGET,
    'When the next scheduled run is to have ended.',
  ),
  gauge(
    'scheduled_run_exit_status',
    'exit status',
    TARGET,
    'Exit status of the last scheduled run; of its last reconcile where there was one.',
  ),
  gauge(
    'scheduled_run_usd',
    'USD',
    { ...TARGET, line: SCHEDULED_RUN_LINES },
    'Money of the last scheduled run: charged, expected, certainly too much and too little.',
  ),
] as const;
