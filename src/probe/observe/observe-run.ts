import type { AnswerRule } from '../../client/paid/paid-result.ts';
import {
  errorTypeValue,
  PHASES,
  TASK_STAGES,
  TASK_STATES,
  yesNo,
} from '../../contracts/metrics/label-values.ts';
import type { ProbeLabels } from '../../contracts/metrics/probe-metrics.ts';
import { isTextApi, type Probe, type ProbeApi } from '../../contracts/probe-plan.ts';
import { STREAM_EVENT_CLASSES } from '../../contracts/stream-event-class.ts';
import type { ProbeMetricsRegistry } from '../metrics/probe-metrics-registry.ts';
import { usdNumber } from '../metrics/usd-number.ts';
import type { RefusalRule, RunFacts } from '../runs/run-outcome.ts';
import type { ProbeRun } from '../view/probe-run.ts';
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

type TaskState = (typeof TASK_STATES)[number];

/** Group C: the stages of a task that is over, and the size of what was fetched. */
function observeTask(metrics: ProbeMetricsRegistry, { probe, run, facts }: ObservedRun): void {
  const { stream: _, ...at } = labelsOf(run.target, probe);
  const { api } = probe;
  if (facts.content_bytes !== null) metrics.set('weighbridge_probe_content_bytes', at, facts.content_bytes);
  const { task } = facts;
  if (task === null) return;
  const exemplar = run.request_id === null ? undefined : { request_id: run.request_id };
  for (const stage of TASK_STAGES) {
    const ms = task.stages[stage];
    if (ms !== null)
      metrics.observe('weighbridge_probe_task_stage_seconds', { ...at, stage }, ms / 1000, exemplar);
  }
  for (const { from, to, legal } of task.transitions)
    metrics.inc('weighbridge_probe_task_transitions_total', {
      target: run.target,
      api,
      from: stateOf(from),
      to: stateOf(to),
      legal: yesNo(legal),
    });
  metrics.inc('weighbridge_probe_tasks_total', { ...at, final: task.final });
  metrics.inc(
    'weighbridge_probe_task_polls_total',
    { target: run.target, probe: probe.name, api },
    task.polls,
  );
}

function stateOf(status: string): TaskState {
  return TASK_STATES.find((state) => state === status) ?? 'other';
}

const TOKENS = ['input', 'output', 'cache_read', 'cache_write'] as const;

/** Group B: the moments and events of a stream, and the tokens that a text call told. */
function observeText(metrics: ProbeMetricsRegistry, { probe, run, facts }: ObservedRun): void {
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

type ContractRule = ProbeLabels<'weighbridge_contract_violations_total'>['rule'];

const RULE_OF_ANSWER: Readonly<Record<AnswerRule, ContractRule>> = {
  empty_content: 'response_shape',
  content_type: 'content_type',
  error_body_shape: 'error_shape',
  error_without_request_id: 'error_request_id',
  image_form: 'response_shape',
  image_count: 'response_shape',
  unknown_status: 'task_shape',
  error_without_failed: 'task_shape',
};

const RULE_OF_REFUSAL: Readonly<Record<RefusalRule, ContractRule>> = {
  status: 'refusal_status',
  code: 'refusal_code',
  body: 'error_shape',
  early_result: 'early_result_status',
};

/** Of a read that was answered and is not the document of the interface. */
const RULE_OF_DOCUMENT: Readonly<Partial<Record<ProbeApi, ContractRule>>> = {
  models: 'list_shape',
  pricebook: 'book_shape',
  usage: 'totals_shape',
  usage_requests: 'records_shape',
  account: 'account_shape',
};

/** Every rule that a run can break. */
export const TOLD_RULES: ReadonlySet<ContractRule> = new Set(
  [RULE_OF_ANSWER, RULE_OF_REFUSAL, RULE_OF_DOCUMENT].flatMap((rules) => Object.values(rules)),
);

/** Rules of the interface that a run saw broken, each once. */
export function contractRules(
  { api }: Pick<Probe, 'api'>,
  { error_type }: Pick<ProbeRun, 'error_type'>,
  { broken_rules, refusal }: Pick<RunFacts, 'broken_rules' | 'refusal'>,
): ReadonlySet<ContractRule> {
  const broken = new Set(broken_rules.map((rule) => RULE_OF_ANSWER[rule]));
  if (refusal !== null) broken.add(RULE_OF_REFUSAL[refusal]);
  const document = RULE_OF_DOCUMENT[api];
  if (document !== undefined && error_type === 'schema_mismatch') broken.add(document);
  return broken;
}
