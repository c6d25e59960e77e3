import { errorTypeValue, PHASES } from '../../contracts/metrics/label-values.ts';
import type { ProbeMetricsRegistry } from '../metrics/probe-metrics-registry.ts';
import { usdNumber } from '../metrics/usd-number.ts';
import { contractRules } from './contract-rules.ts';
import { observeTask } from './observe-task.ts';
import { observeText } from './observe-text.ts';
import { labelsOf, type ObservedRun } from './run-labels.ts';

/** A run as metrics: groups A to C, and what it cost. */
export function observeRun(metrics: ProbeMetricsRegistry, observed: ObservedRun): void {
  const { probe, run, facts } = observed;
  const all = labelsOf(run.target, probe);
  const at = { target: run.target, probe: probe.name };
  const exemplar = run.request_id === null ? undefined : { request_id: run.request_id };
  const well = run.error_type === 'none';
  const ended_s = run.ended_ms / 1000;
  metrics.inc(
    'weighbridge_probe_runs_total',
    { ...all, error_type: errorTypeValue(run.error_type), blame: run.blame },
    1,
    exemplar,
  );
  for (const status of run.statuses)
    metrics.inc('weighbridge_probe_http_responses_total', { ...all, code: String(status) });
  metrics.observe('weighbridge_probe_duration_seconds', all, run.duration_ms / 1000, exemplar);
  metrics.set('weighbridge_probe_success', all, well ? 1 : 0);
  metrics.set('weighbridge_probe_last_duration_seconds', at, run.duration_ms / 1000);
  metrics.set('weighbridge_probe_last_run_timestamp_seconds', at, ended_s);
  if (well) metrics.set('weighbridge_probe_last_success_timestamp_seconds', at, ended_s);
  metrics.set('weighbridge_probe_retry_after_seconds', at, (run.retry_after_ms ?? 0) / 1000);
  for (const phase of PHASES) {
    const ms = run.phases?.[phase] ?? null;
    // A part that the last run had not is not left as it was in the one before.
    metrics.set('weighbridge_probe_phase_seconds', { ...at, phase }, ms === null ? Number.NaN : ms / 1000);
  }
  if (run.tls_not_after_ms !== null)
    metrics.set(
      'weighbridge_target_tls_not_after_timestamp_seconds',
      { target: run.target },
      run.tls_not_after_ms / 1000,
    );
  for (const rule of contractRules(probe, run, facts))
    metrics.inc('weighbridge_contract_violations_total', { target: run.target, rule });
  observeText(metrics, observed);
  observeTask(metrics, observed);
  const priced = run.spend?.priced ?? null;
  if (priced !== null) {
    const { stream: _, ...spend } = all;
    metrics.inc('weighbridge_probe_spend_usd_total', { ...spend, source: 'priced' }, usdNumber(priced));
  }
}
