import type { ScheduledRun } from '../../contracts/scheduled-run.ts';
import { scheduledSamples } from '../../contracts/scheduled-samples.ts';
import type { ProbeMetricsRegistry } from '../metrics/probe-metrics-registry.ts';

/** Tells the last run of the target's schedule under the name that the target has here. */
export function observeScheduledRun(metrics: ProbeMetricsRegistry, target: string, run: ScheduledRun): void {
  const { end_s, expected_s, exit_status, usd } = scheduledSamples(run);
  metrics.set('weighbridge_scheduled_run_end_timestamp_seconds', { target }, Number(end_s));
  metrics.set('weighbridge_scheduled_run_expected_timestamp_seconds', { target }, Number(expected_s));
  metrics.set('weighbridge_scheduled_run_exit_status', { target }, Number(exit_status));
  // An amount that is no longer known must not stand on.
  metrics.remove('weighbridge_scheduled_run_usd', { target });
  for (const { line, value } of usd)
    metrics.set('weighbridge_scheduled_run_usd', { target, line }, Number(value));
}

export function removeScheduledRun(metrics: ProbeMetricsRegistry, target: string): void {
  const at = { target };
  metrics.remove('weighbridge_scheduled_run_end_timestamp_seconds', at);
  metrics.remove('weighbridge_scheduled_run_expected_timestamp_seconds', at);
  metrics.remove('weighbridge_scheduled_run_exit_status', at);
  metrics.remove('weighbridge_scheduled_run_usd', at);
}
