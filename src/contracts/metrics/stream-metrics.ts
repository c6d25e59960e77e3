import { STREAM_EVENT_CLASSES } from '../stream-event-class.ts';
import { DUR, TPOT, TTFT } from './buckets.ts';
import { PROBE_APIS, TOKEN_SOURCES, TOKEN_TYPES } from './label-values.ts';
import { counter, gauge, histogram } from './probe-metric.ts';

const STREAM = {
  probe: 'configuration',
  target: 'configuration',
  api: PROBE_APIS,
  model: 'configuration',
} as const;

/** B. Text, streamed. */
export const STREAM_METRICS = [
  histogram(
    'weighbridge_probe_time_to_first_event_seconds',
    DUR,
    STREAM,
    'Request sent to first SSE event of any kind (OTel time_to_first_chunk).',
    { exemplars: true },
  ),
  histogram(
    'weighbridge_probe_time_to_first_token_seconds',
    TTFT,
    STREAM,
    'Request sent to first non-empty text delta.',
    { exemplars: true },
  ),
  histogram(
    'weighbridge_probe_time_per_output_token_seconds',
    TPOT,
    STREAM,
    '(last delta - first delta) / (output tokens - 1), one observation per stream.',
  ),
  gauge(
    'weighbridge_probe_stream_max_gap_seconds',
    'seconds',
    STREAM,
    'Longest silence between two deltas in the last stream.',
  ),
  counter(
    'weighbridge_probe_stream_events_total',
    'events',
    { ...STREAM, event: STREAM_EVENT_CLASSES },
    'SSE events by class: delta, control (frames without content), ping, comment, usage, terminator, error, unknown, malformed.',
  ),
  counter(
    'weighbridge_probe_tokens_total',
    'tokens',
    { ...STREAM, type: TOKEN_TYPES, source: TOKEN_SOURCES },
    'Tokens by type and source: reported by the gateway, estimated by the client. Never add up the two sources.',
  ),
] as const;
