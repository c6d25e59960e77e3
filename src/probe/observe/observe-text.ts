import { isTextApi } from '../../contracts/probe-plan.ts';
import { STREAM_EVENT_CLASSES } from '../../contracts/stream-event-class.ts';
import type { ProbeMetricsRegistry } from '../metrics/probe-metrics-registry.ts';
import { labelsOf, type ObservedRun } from './run-labels.ts';

const TOKENS = ['input', 'output', 'cache_read', 'cache_write'] as const;

/** Group B: the moments and events of a stream, and the tokens that a text call told. */
export function observeText(metrics: ProbeMetricsRegistry, { probe, run, facts }: ObservedRun): void {
  const { api } = probe;
  if (!isTextApi(api)) return;
  const { stream: _, ...at } = labelsOf(run.target, probe);
  const exemplar = run.request_id === null ? undefined : { request_id: run.request_id };
  const usage = run.rows.findLast((row) => row.usage !== null)?.usage ?? null;
  for (const type of TOKENS) {
    const count = usage?.[type] ?? null;
    if (count !== null && count > 0)
      metrics.inc('weighbridge_probe_tokens_total', { ...at, type, source: 'reported' }, count);
  }
  const { stream } = facts;
  if (stream === null) return;
  for (const event of STREAM_EVENT_CLASSES) {
    const count = stream.events[event];
    if (count > 0) metrics.inc('weighbridge_probe_stream_events_total', { ...at, event }, count);
  }
  const { first_event_ms, first_content_ms, last_content_ms, max_gap_ms } = stream;
  if (first_event_ms !== null)
    metrics.observe('weighbridge_probe_time_to_first_event_seconds', at, first_event_ms / 1000, exemplar);
  if (first_content_ms !== null)
    metrics.observe('weighbridge_probe_time_to_first_token_seconds', at, first_content_ms / 1000, exemplar);
  if (max_gap_ms !== null) metrics.set('weighbridge_probe_stream_max_gap_seconds', at, max_gap_ms / 1000);
  const output = usage?.output ?? 0;
  // Of a stream that was cut the usage does not fit the time.
  if (run.error_type !== 'none' || output < 2 || first_content_ms === null || last_content_ms === null)
    return;
  const each_ms = (last_content_ms - first_content_ms) / (output - 1);
  metrics.observe('weighbridge_probe_time_per_output_token_seconds', at, each_ms / 1000);
}
