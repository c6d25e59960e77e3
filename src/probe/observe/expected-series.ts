import {
  CONTRACT_RULES,
  type ErrorTypeValue,
  SKIP_REASONS,
  TASK_FINALS,
  TOKEN_TYPES,
} from '../../contracts/metrics/label-values.ts';
import { BLAME_OF } from '../../contracts/outcome.ts';
import { isTextApi, type Probe, type ProbeTarget } from '../../contracts/probe-plan.ts';
import { STREAM_EVENT_CLASSES } from '../../contracts/stream-event-class.ts';
import { isPaidKind } from '../../core/call-kind.ts';
import type { ProbeMetricsRegistry } from '../metrics/probe-metrics-registry.ts';
import type { ProbeRun } from '../view/probe-run.ts';
import type { TargetWatch } from '../watch/target-watch.ts';
import { tellByPeriod } from './budget-series.ts';
import { labelsOf } from './run-labels.ts';

/**
 * Failures whose counters are there at 0 before the first one: `increase()` does not see the birth of a series at 1. All 37 for
 * each probe would pass the series limit at some 50 probes, so it is those that alerts name, and of each blame the commonest:
 * an alert by blame misses the first failure of any other type, and no later one.
 */
const ANY = ['http_5xx', 'timeout_total', 'connect_refused', 'rate_limited'] as const;
const PAID = [
  'insufficient_user_quota',
  'upstream_crowded',
  'upstream_unavailable',
  'upstream_error',
] as const;
const STREAM = [
  'stream_no_terminator',
  'stream_truncated',
  'stream_error_event',
  'stream_incomplete',
  'stream_bad_json',
  'stream_empty',
  'stream_oversize',
] as const;
const TASK = ['task_failed', 'timeout_task', 'task_lost', 'illegal_transition'] as const;
const NEGATIVE = ['unexpected_accept', 'wrong_refusal'] as const;

function expectedFailures({ api, stream, task_timeout_ms }: Probe): readonly Exclude<ErrorTypeValue, ''>[] {
  return [
    ...ANY,
    ...(isPaidKind(api) ? PAID : []),
    ...(stream ? STREAM : []),
    ...(task_timeout_ms === null ? [] : TASK),
    ...(api === 'negative' ? NEGATIVE : []),
  ];
}

/** What a target's metrics hold before its first run. */
export function createSeries(metrics: ProbeMetricsRegistry, target: ProbeTarget): void {
  metrics.set('weighbridge_target_info', { target: target.name, base: target.bases.root }, 1);
  metrics.precreate(
    'weighbridge_contract_violations_total',
    CONTRACT_RULES.map((rule) => ({ target: target.name, rule })),
  );
  if (target.budget !== null)
    tellByPeriod(metrics, 'weighbridge_probe_budget_limit_usd', target.name, target.budget);
  for (const probe of target.probes) createProbeSeries(metrics, target.name, probe);
}

function createProbeSeries(metrics: ProbeMetricsRegistry, target: string, probe: Probe): void {
  const all = labelsOf(target, probe);
  const { stream: _, ...model } = all;
  const { api } = probe;
  const at = { target, probe: probe.name };
  metrics.set('weighbridge_probe_interval_seconds', at, probe.interval_ms / 1000);
  metrics.precreate('weighbridge_probe_runs_total', [
    { ...all, error_type: '', blame: 'none' },
    ...expectedFailures(probe).map((type) => ({ ...all, error_type: type, blame: BLAME_OF[type] })),
  ]);
  metrics.precreate('weighbridge_probe_duration_seconds', [all]);
  metrics.precreate(
    'weighbridge_probe_skipped_total',
    SKIP_REASONS.map((reason) => ({ ...at, reason })),
  );
  if (isPaidKind(api))
    metrics.precreate('weighbridge_probe_spend_usd_total', [
      { ...model, source: 'reserved' },
      { ...model, source: 'assumed' },
      { ...model, source: 'priced' },
      { ...model, source: 'recorded' },
    ]);
  if (isTextApi(api))
    metrics.precreate(
      'weighbridge_probe_tokens_total',
      TOKEN_TYPES.map((type) => ({ ...model, type, source: 'reported' })),
    );
  if (probe.stream)
    metrics.precreate(
      'weighbridge_probe_stream_events_total',
      STREAM_EVENT_CLASSES.map((event) => ({ ...model, event })),
    );
  if (probe.task_timeout_ms === null) return;
  metrics.precreate(
    'weighbridge_probe_tasks_total',
    TASK_FINALS.map((final) => ({ ...model, final })),
  );
  metrics.precreate('weighbridge_probe_tasks_resumed_total', [{ ...at, api }]);
  metrics.precreate('weighbridge_probe_task_polls_total', [{ ...at, api }]);
  metrics.precreate('weighbridge_probe_task_transitions_total', [
    { target, api, from: 'queued', to: 'in_progress', legal: 'true' },
    { target, api, from: 'queued', to: 'completed', legal: 'true' },
    { target, api, from: 'in_progress', to: 'completed', legal: 'true' },
    { target, api, from: 'in_progress', to: 'failed', legal: 'true' },
    { target, api, from: 'in_progress', to: 'queued', legal: 'false' },
  ]);
}

/**
 * A model that the key may not call is no fault of the gateway, and the list of the key leaves it out (interface §5 rule 5). One that
 * is on that list and not found when it is called is.
 */
export function blameOfListed(
  run: ProbeRun,
  { model }: Pick<Probe, 'model'>,
  watch: Pick<TargetWatch, 'lists'> | null,
): ProbeRun {
  const contradicts = run.error_type === 'model_not_found' && model !== null && watch?.lists(model) === true;
  return contradicts ? { ...run, blame: 'gateway' } : run;
}
