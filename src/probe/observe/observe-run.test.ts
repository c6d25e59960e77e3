import { expect, it } from 'vitest';
import type { ProbeTarget } from '../../contracts/probe-plan.ts';
import { registryOf, samplesOf } from '../metrics/sample-of.test-support.ts';
import { NO_RUN_FACTS, type RunFacts } from '../runs/run-outcome.ts';
import { probeOf, rowOf, runOf } from '../view/daemon-view.test-support.ts';
import { createSeries } from './expected-series.ts';
import { observeRun } from './observe-run.ts';

const STREAM = probeOf({ name: 's', stream: true });
const TASK = probeOf({ name: 'v', api: 'video', task_timeout_ms: 60_000 });
const LIMITS = { hour: 10n ** 12n, day: 10n ** 13n, month: 10n ** 14n };
const TARGET: ProbeTarget = {
  name: 'main',
  folder: 'main',
  bases: { root: 'https://g', v1: 'https://g/v1', api: 'https://g/api' },
  loopback: false,
  key: null,
  access_token: null,
  user_id: null,
  headers: {},
  budget: LIMITS,
  assumed_run_usd: null,
  concurrency: 1,
  probes: [STREAM, TASK, probeOf({ name: 'n', api: 'negative', model: null, negative: 'no_key' })],
  dialect: 'auto',
  watched_models: [],
};
const EVENTS = {
  delta: 5,
  control: 2,
  ping: 0,
  comment: 0,
  usage: 1,
  terminator: 1,
  error: 0,
  unknown: 0,
  malformed: 0,
};
const STREAMED: RunFacts = {
  ...NO_RUN_FACTS,
  stream: { first_event_ms: 10, first_content_ms: 20, last_content_ms: 420, max_gap_ms: 90, events: EVENTS },
};
const USAGE = { input: 7, output: 5, cache_read: null, cache_write: null, reasoning: null, raw: null };
const SPENT = { reserved: 3_000_000_000n, priced: 1_500_000_000n };

/** Where no label stands between two names, any may. */
async function valuesOf(registry: ReturnType<typeof registryOf>, name: string, ...labels: string[]) {
  const lines = samplesOf((await registry.render('text')).body);
  return lines
    .filter((line) => line.startsWith(`${name}{`) && labels.every((label) => line.includes(label)))
    .map((line) => Number(line.split(' ').at(-1)));
}

it('tells a good stream: its moments, events, tokens and price', async () => {
  const registry = registryOf();
  const run = runOf({ probe: 's', rows: [rowOf({ usage: USAGE })], spend: SPENT });
  observeRun(registry, { probe: STREAM, run, facts: STREAMED });
  expect(await valuesOf(registry, 'weighbridge_probe_success', 'probe="s"')).toEqual([1]);
  expect(await valuesOf(registry, 'weighbridge_probe_runs_total', 'error_type="",blame="none"')).toEqual([1]);
  expect(await valuesOf(registry, 'weighbridge_probe_time_to_first_token_seconds_sum')).toEqual([0.02]);
  expect(await valuesOf(registry, 'weighbridge_probe_time_per_output_token_seconds_sum')).toEqual([0.1]);
  expect(await valuesOf(registry, 'weighbridge_probe_stream_events_total', 'event="delta"')).toEqual([5]);
  expect(await valuesOf(registry, 'weighbridge_probe_stream_events_total', 'event="control"')).toEqual([2]);
  expect(await valuesOf(registry, 'weighbridge_probe_tokens_total', 'type="output"')).toEqual([5]);
  expect(await valuesOf(registry, 'weighbridge_probe_spend_usd_total', 'source="priced"')).toEqual([0.0015]);
});

it('tells a failure, keeps the last success, and takes the parts that a run had not out', async () => {
  let now = 0;
  const registry = registryOf(1000, () => now);
  const phases = { resolve: null, connect: 4, tls: null, send: 1, wait: 2, transfer: 3 };
  observeRun(registry, { probe: STREAM, run: runOf({ probe: 's', phases }), facts: STREAMED });
  expect(await valuesOf(registry, 'weighbridge_probe_phase_seconds', 'phase="connect"')).toEqual([0.004]);
  const success = await valuesOf(registry, 'weighbridge_probe_last_success_timestamp_seconds');
  const failed = {
    probe: 's',
    error_type: 'stream_truncated',
    blame: 'gateway',
    ended_ms: 1e12,
    rows: [rowOf({ usage: USAGE })],
    statuses: [200],
  } as const;
  observeRun(registry, { probe: STREAM, run: runOf(failed), facts: STREAMED });
  now = 5_000;
  expect(await valuesOf(registry, 'weighbridge_probe_success')).toEqual([0]);
  expect(await valuesOf(registry, 'weighbridge_probe_runs_total', 'error_type="stream_truncated"')).toEqual([
    1,
  ]);
  expect(await valuesOf(registry, 'weighbridge_probe_last_success_timestamp_seconds')).toEqual(success);
  expect(await valuesOf(registry, 'weighbridge_probe_last_run_timestamp_seconds')).toEqual([1e9]);
  expect(await valuesOf(registry, 'weighbridge_probe_phase_seconds')).toEqual([]);
  // Tokens of a stream that was cut do not fit its time.
  expect(await valuesOf(registry, 'weighbridge_probe_time_per_output_token_seconds_count')).toEqual([]);
});

it('tells a task with its stages, and a status that nobody knows as other', async () => {
  const registry = registryOf();
  const stages = { submit: 20, queued: 500, in_progress: 2_000, download: null, total: 3_000 };
  const transitions = [{ from: 'queued', to: 'cooking', legal: false }];
  const task = { final: 'failed', stages, polls: 3, transitions } as const;
  const facts = { ...NO_RUN_FACTS, task, broken_rules: ['unknown_status', 'unknown_status'] } as const;
  observeRun(registry, {
    probe: TASK,
    run: runOf({ probe: 'v', error_type: 'task_failed', blame: 'gateway' }),
    facts,
  });
  expect(await valuesOf(registry, 'weighbridge_probe_task_stage_seconds_sum', 'stage="total"')).toEqual([3]);
  expect(await valuesOf(registry, 'weighbridge_probe_task_stage_seconds_sum', 'stage="download"')).toEqual(
    [],
  );
  expect(
    await valuesOf(registry, 'weighbridge_probe_task_transitions_total', 'to="other"', 'legal="false"'),
  ).toEqual([1]);
  expect(await valuesOf(registry, 'weighbridge_probe_tasks_total', 'final="failed"')).toEqual([1]);
  // Once a run, however often the answers broke it.
  expect(await valuesOf(registry, 'weighbridge_contract_violations_total', 'rule="task_shape"')).toEqual([1]);
});

it('has the counters that alerts read at 0 before the first run, and few others', async () => {
  let now = 0;
  const registry = registryOf(1000, () => now);
  createSeries(registry, TARGET);
  const runs = (...labels: string[]) => valuesOf(registry, 'weighbridge_probe_runs_total', ...labels);
  for (const type of ['stream_no_terminator', 'insufficient_user_quota', 'upstream_crowded', 'http_5xx'])
    expect(await runs('probe="s"', `error_type="${type}"`), type).toEqual([0]);
  expect(await runs('probe="n"', 'error_type="unexpected_accept"')).toEqual([0]);
  expect(await runs('probe="n"', 'error_type="insufficient_user_quota"')).toEqual([]);
  expect(await valuesOf(registry, 'weighbridge_probe_task_transitions_total', 'legal="false"')).toEqual([0]);
  expect(await runs('probe="s"')).toHaveLength(16);
  expect(await valuesOf(registry, 'weighbridge_probe_budget_limit_usd', 'period="day"')).toEqual([10]);
  expect(await valuesOf(registry, 'weighbridge_probe_budget_limit_usd', 'period="month"')).toEqual([100]);
  // A cap that was taken away leaves no series that looks like one.
  now += 1_000;
  createSeries(registry, { ...TARGET, budget: { ...LIMITS, month: null } });
  expect(await valuesOf(registry, 'weighbridge_probe_budget_limit_usd', 'period="month"')).toEqual([]);
  expect(await valuesOf(registry, 'weighbridge_probe_budget_limit_usd', 'period="day"')).toEqual([10]);
});

it('leaves nothing of a target that is gone', async () => {
  let now_ms = 0;
  const registry = registryOf(1000, () => now_ms);
  createSeries(registry, TARGET);
  observeRun(registry, { probe: STREAM, run: runOf({ probe: 's', spend: SPENT }), facts: STREAMED });
  const left = async (label: string): Promise<readonly string[]> => {
    now_ms += 2000;
    const { body } = await registry.render('text');
    return samplesOf(body).filter((line) => line.includes(label));
  };
  for (const { name } of TARGET.probes) registry.removeAll({ target: 'main', probe: name });
  expect(await left('probe="')).toEqual([]);
  expect(await left('target="main"')).not.toEqual([]);
  registry.removeAll({ target: 'main' });
  expect(await left('target="main"')).toEqual([]);
});
