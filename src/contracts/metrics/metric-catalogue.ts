/**
 * Metrics that k6 registers. Prometheus remote write adds `k6_` and its own suffixes: none stands here, nor a unit. Each
 * call gives its samples once, when it ends; what is of the whole process comes with the first call that ends in a second.
 */
type LoadMetricType = 'counter' | 'rate' | 'gauge' | 'trend';
type LoadMetricUnit = 'calls' | 'share' | 'ms' | 'tokens' | 'USD' | 'cores' | 'starts' | '1';

/** Tags are closed sets: each combination of values is a series that lives as long as the run. */
export type LoadMetricTag =
  | 'kind'
  | 'model'
  | 'outcome'
  | 'phase'
  | 'scenario'
  | 'objective'
  | 'instance'
  | 'target';

export interface LoadMetric {
  readonly name: string;
  readonly type: LoadMetricType;
  readonly unit: LoadMetricUnit;
  readonly source: 'load';
  readonly tags: readonly LoadMetricTag[];
  readonly help: string;
}

export const LOAD_METRIC_TAGS = [
  'kind',
  'model',
  'outcome',
  'phase',
  'scenario',
  'objective',
  'instance',
  'target',
] as const satisfies readonly LoadMetricTag[];

/** What the tags can be, for people. */
export const LOAD_METRIC_TAG_VALUES: Readonly<Record<LoadMetricTag, string>> = {
  kind: 'the paid kinds',
  model: 'models of the plan',
  outcome: 'the closed list of outcomes',
  phase: 'warm_up, measured, cool_down',
  scenario: 'scenarios of the plan',
  objective: 'index of an objective of the plan; `good` for all bounds on time of the scenario together',
  instance: 'name of this load engine',
  target: 'the target’s base address, from the plan',
};

const CALL = ['kind', 'model', 'outcome', 'phase', 'scenario'] as const;
const PROCESS = ['instance'] as const;

function ofCall(name: string, type: LoadMetricType, unit: LoadMetricUnit, help: string): LoadMetric {
  return { name, type, unit, source: 'load', tags: CALL, help };
}

function ofProcess(name: string, unit: LoadMetricUnit, help: string): LoadMetric {
  return { name, type: 'gauge', unit, source: 'load', tags: PROCESS, help };
}

function ofScenario(
  name: string,
  type: LoadMetricType,
  unit: LoadMetricUnit,
  help: string,
  tags: readonly LoadMetricTag[] = ['scenario'],
): LoadMetric {
  return { name, type, unit, source: 'load', tags, help };
}

export const LOAD_METRICS = {
  calls: ofCall(
    'weighbridge_calls',
    'counter',
    'calls',
    'Attempts of paid calls that ended, not_sent included.',
  ),
  ok: ofCall(
    'weighbridge_ok',
    'rate',
    'share',
    'Share of calls whose last attempt is ok, of those that were sent and that we did not end.',
  ),
  retries: ofCall('weighbridge_retries', 'counter', 'calls', 'Attempts after the first of a call.'),
  ttft: ofCall('weighbridge_ttft', 'trend', 'ms', 'Sent to first generated content, ok streams.'),
  ttfo: ofCall('weighbridge_ttfo', 'trend', 'ms', 'Sent to first visible text, ok streams.'),
  tpot: ofCall(
    'weighbridge_tpot',
    'trend',
    'ms',
    'First content to end over output tokens less one, ok streams of two tokens or more.',
  ),
  itl_mean: ofCall(
    'weighbridge_itl_mean',
    'trend',
    'ms',
    'Mean gap between content events of one ok stream, by upper bounds of buckets: one sample a call, not a gap.',
  ),
  itl_max: ofCall(
    'weighbridge_itl_max',
    'trend',
    'ms',
    'Longest gap between content events of one ok stream.',
  ),
  duration: ofCall('weighbridge_duration', 'trend', 'ms', 'Sent to end, ok paid calls.'),
  duration_from_plan: ofCall(
    'weighbridge_duration_from_plan',
    'trend',
    'ms',
    'Planned start to end, ok paid calls with a planned start.',
  ),
  schedule_lag: ofCall(
    'weighbridge_schedule_lag',
    'trend',
    'ms',
    'Actual less planned start, all paid calls with a planned start.',
  ),
  tokens_in: ofCall('weighbridge_tokens_in', 'counter', 'tokens', 'Input tokens as the answers tell them.'),
  tokens_out: ofCall(
    'weighbridge_tokens_out',
    'counter',
    'tokens',
    'Output tokens as the answers tell them.',
  ),
  attained: ofScenario(
    'weighbridge_attained',
    'rate',
    'share',
    'Share of measured calls within an objective: ok calls for one bound on time, calls that we did not end for `good`.',
    ['scenario', 'objective'],
  ),
  dropped: ofScenario(
    'weighbridge_dropped',
    'rate',
    'share',
    'Share of the planned starts of the measured phase that found no free slot.',
  ),
  held: ofScenario(
    'weighbridge_held',
    'counter',
    'starts',
    'Starts not made because the target asked to wait (Retry-After), or a cap or a halt stopped them.',
  ),
  in_flight: ofScenario('weighbridge_in_flight', 'gauge', 'calls', 'Paid calls under way.', [
    'scenario',
    'instance',
  ]),
  reserved_display: ofProcess(
    'weighbridge_reserved_display',
    'USD',
    'Worst-case spend reserved. k6 knows only floating point: for display; the exact amount stands in the ledger.',
  ),
  client_timer_lag: ofProcess(
    'weighbridge_client_timer_lag',
    'ms',
    'Largest lateness of a timer of the load engine in the last second.',
  ),
  client_cpu: ofProcess(
    'weighbridge_client_cpu',
    'cores',
    'CPU cores that the load engine used in the last second.',
  ),
  run_active: ofScenario(
    'weighbridge_run_active',
    'gauge',
    '1',
    '1 while calls of a run end; with remote write, marked as over when it ends.',
    ['target', 'instance'],
  ),
} as const satisfies Readonly<Record<string, LoadMetric>>;
