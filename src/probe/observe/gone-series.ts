import type { ProbeMetricsRegistry } from '../metrics/probe-metrics-registry.ts';
import { removeScheduledRun } from './observe-scheduled-run.ts';

/** Takes out what a probe that is no longer in the plan has left: its last values would stand for ever. */
export function removeProbeSeries(metrics: ProbeMetricsRegistry, target: string, probe: string): void {
  const at = { target, probe };
  metrics.remove('weighbridge_probe_runs_total', at);
  metrics.remove('weighbridge_probe_http_responses_total', at);
  metrics.remove('weighbridge_probe_duration_seconds', at);
  metrics.remove('weighbridge_probe_phase_seconds', at);
  metrics.remove('weighbridge_probe_success', at);
  metrics.remove('weighbridge_probe_last_duration_seconds', at);
  metrics.remove('weighbridge_probe_last_run_timestamp_seconds', at);
  metrics.remove('weighbridge_probe_last_success_timestamp_seconds', at);
  metrics.remove('weighbridge_probe_interval_seconds', at);
  metrics.remove('weighbridge_probe_skipped_total', at);
  metrics.remove('weighbridge_probe_retry_after_seconds', at);
  metrics.remove('weighbridge_probe_time_to_first_event_seconds', at);
  metrics.remove('weighbridge_probe_time_to_first_token_seconds', at);
  metrics.remove('weighbridge_probe_time_per_output_token_seconds', at);
  metrics.remove('weighbridge_probe_stream_max_gap_seconds', at);
  metrics.remove('weighbridge_probe_stream_events_total', at);
  metrics.remove('weighbridge_probe_tokens_total', at);
  metrics.remove('weighbridge_probe_task_stage_seconds', at);
  metrics.remove('weighbridge_probe_tasks_total', at);
  metrics.remove('weighbridge_probe_tasks_resumed_total', at);
  metrics.remove('weighbridge_probe_tasks_open', at);
  metrics.remove('weighbridge_probe_task_oldest_open_timestamp_seconds', at);
  metrics.remove('weighbridge_probe_task_polls_total', at);
  metrics.remove('weighbridge_probe_content_bytes', at);
  metrics.remove('weighbridge_probe_spend_usd_total', at);
}

/** What a target leaves beside its probes' series and those of its watch. */
export function removeTargetSeries(metrics: ProbeMetricsRegistry, target: string): void {
  const at = { target };
  metrics.remove('weighbridge_target_info', at);
  metrics.remove('weighbridge_target_tls_not_after_timestamp_seconds', at);
  metrics.remove('weighbridge_contract_violations_total', at);
  metrics.remove('weighbridge_probe_task_transitions_total', at);
  metrics.remove('weighbridge_probe_in_flight', at);
  metrics.remove('weighbridge_probe_budget_limit_usd', at);
  metrics.remove('weighbridge_probe_budget_spent_usd', at);
  metrics.remove('weighbridge_credential_readable', at);
  removeScheduledRun(metrics, target);
}
