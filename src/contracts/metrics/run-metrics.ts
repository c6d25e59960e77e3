import { STREAM_EVENT_CLASSES } from '../stream-event-class.ts';
import { DUR, STAGE, START, TPOT, TTFT } from './buckets.ts';
import {
  BLAMES,
  ERROR_TYPE_VALUES,
  PHASES,
  PROBE_APIS,
  SKIP_REASONS,
  TASK_FINALS,
  TASK_STAGES,
  TASK_STATES,
  TOKEN_SOURCES,
  TOKEN_TYPES,
  YES_NO,
} from './label-values.ts';
import { counter, gauge, histogram } from './probe-metric.ts';

const PROBE = { probe: 'configuration', target: 'configuration' } as const;
const RUN = { ...PROBE, api: PROBE_APIS, model: 'configuration', stream: YES_NO } as const;
const TARGET = { target: 'configuration' } as const;

/** A. Every probe. */
export const RUN_METRICS = [
  counter(
    'probe_runs_total',
    'runs',
    { ...RUN, error_type: ERROR_TYPE_VALUES, blame: BLAMES },
    'Finished probe runs; error_type is empty on success; blame is none, gateway, upstream, network, account or probe.',
    { exemplars: true },
  ),
  counter(
    'probe_http_responses_total',
    'responses',
    { ...RUN, code: 'status' },
    'HTTP responses seen by a probe, by exact status code.',
  ),
  histogram(
    'probe_duration_seconds',
    DUR,
    RUN,
    'Whole run as the client sees it: first byte of the request to last byte of the answer, or to the final task state.',
    { exemplars: true },
  ),
  gauge(
    'probe_phase_seconds',
    'seconds',
    { ...PROBE, phase: PHASES },
    'Last run split into resolve, connect, tls, send, wait and transfer.',
  ),
  gauge('probe_success', '0 or 1', RUN, '1 if the last run met every expectation of its probe.'),
  gauge('probe_last_duration_seconds', 'seconds', PROBE, 'Length of the last run.'),
  gauge('probe_last_run_timestamp_seconds', 'unix seconds', PROBE, 'Time at which the last run ended.'),
  gauge(
    'probe_last_success_timestamp_seconds',
    'unix seconds',
    PROBE,
    'Time at which the last good run ended.',
  ),
  gauge('probe_interval_seconds', 'seconds', PROBE, 'Configured interval, before jitter.'),
  gauge('probe_in_flight', 'runs', { ...TARGET, api: PROBE_APIS }, 'Runs now under way.'),
  counter(
    'probe_skipped_total',
    'runs',
    { ...PROBE, reason: SKIP_REASONS },
    'Runs not started: overlap, concurrency, budget, paused, retry_after, no_price.',
  ),
  histogram(
    'probe_schedule_lag_seconds',
    START,
    {},
    'Delay between the planned and the real start of a run.',
  ),
  gauge('probe_retry_after_seconds', 'seconds', PROBE, 'Last Retry-After value received; 0 when none.'),
  gauge(
    'target_tls_not_after_timestamp_seconds',
    'unix seconds',
    TARGET,
    'Earliest expiry in the certificate chain last seen.',
  ),
  gauge(
    'target_info',
    '1',
    { ...TARGET, base: 'configuration' },
    'Base address of a target, as load runs name it in k6_weighbridge_run_active.',
  ),
] as const;

const STREAM = {
  probe: 'configuration',
  target: 'configuration',
  api: PROBE_APIS,
  model: 'configuration',
} as const;

/** B. Text, streamed. */
export const STREAM_METRICS = [
  histogram(
    'probe_time_to_first_event_seconds',
    DUR,
    STREAM,
    'Request sent to first SSE event of any kind (OTel time_to_first_chunk).',
    { exemplars: true },
  ),
  histogram(
    'probe_time_to_first_token_seconds',
    TTFT,
    STREAM,
    'Request sent to first non-empty text delta.',
    { exemplars: true },
  ),
  histogram(
    'probe_time_per_output_token_seconds',
    TPOT,
    STREAM,
    '(last delta - first delta) / (output tokens - 1), one observation per stream.',
  ),
  gauge(
    'probe_stream_max_gap_seconds',
    'seconds',
    STREAM,
    'Longest silence between two deltas in the last stream.',
  ),
  counter(
    'probe_stream_events_total',
    'events',
    { ...STREAM, event: STREAM_EVENT_CLASSES },
    'SSE events by class: delta, control (frames without content), ping, comment, usage, terminator, error, unknown, malformed.',
  ),
  counter(
    'probe_tokens_total',
    'tokens',
    { ...STREAM, type: TOKEN_TYPES, source: TOKEN_SOURCES },
    'Tokens by type and source: reported by the gateway, estimated by the client. Never add up the two sources.',
  ),
] as const;

const TASK = { probe: 'configuration', target: 'configuration', api: PROBE_APIS } as const;
const MODEL = { ...TASK, model: 'configuration' } as const;

/** C. Images, video tasks. */
export const TASK_METRICS = [
  histogram(
    'probe_task_stage_seconds',
    STAGE,
    { ...MODEL, stage: TASK_STAGES },
    'Time a task spent in submit, queued, in_progress, download and total.',
    { exemplars: true },
  ),
  counter(
    'probe_task_transitions_total',
    'transitions',
    { target: 'configuration', api: PROBE_APIS, from: TASK_STATES, to: TASK_STATES, legal: YES_NO },
    'Observed status changes; legal=false breaks the documented order.',
  ),
  counter(
    'probe_tasks_total',
    'tasks',
    { ...MODEL, final: TASK_FINALS },
    'Tasks closed, by final: completed, failed, timeout, lost, rejected.',
  ),
  counter('probe_tasks_resumed_total', 'tasks', TASK, 'Open tasks that were taken up again after a restart.'),
  gauge('probe_tasks_open', 'tasks', TASK, 'Tasks created and not yet final.'),
  gauge(
    'probe_task_oldest_open_timestamp_seconds',
    'unix seconds',
    TASK,
    'Creation time of the oldest open task; absent when none.',
  ),
  counter('probe_task_polls_total', 'polls', TASK, 'Status reads made for tasks.'),
  gauge('probe_content_bytes', 'bytes', MODEL, 'Size of the last image or video fetched.'),
] as const;
