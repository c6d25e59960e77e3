import { mapRecord, recordKeys } from '../../core/typed-record.ts';

/**
 * Metrics that k6 registers. Prometheus remote write adds `k6_` and its own suffixes: none stands here, nor a unit. Each
 * call gives its samples once, when it ends; what is of the whole process comes with the first call that ends in a second.
 */
type LoadMetricType = 'counter' | 'rate' | 'gauge' | 'trend';
type LoadMetricUnit = 'calls' | 'share' | 'ms' | 'tokens' | 'USD' | 'cores' | 'starts' | '1';

export interface LoadMetric {
  readonly name: string;
  readonly type: LoadMetricType;
  readonly unit: LoadMetricUnit;
  readonly source: 'load';
  readonly tags: readonly LoadMetricTag[];
  readonly help: string;
}

/**
 * What the tags can be, for people. Tags are closed sets: each combination of values is a series that lives as long as the
 * run.
 */
export const LOAD_METRIC_TAG_VALUES = {
  kind: 'the paid kinds',
  model: 'models of the plan',
  outcome: 'the closed list of outcomes',
  phase: 'warm_up, measured, cool_down',
  scenario: 'scenarios of the plan',
  objective: 'index of an objective of the plan; `good` for all bounds on time of the scenario together',
  instance: 'name of this load engine',
  target: 'the target’s base address, from the plan',
} as const;
type LoadMetricTag = keyof typeof LOAD_METRIC_TAG_VALUES;
export const LOAD_METRIC_TAGS = recordKeys(LOAD_METRIC_TAG_VALUES);

const CALL = ['kind', 'model', 'outcome', 'phase', 'scenario'] as const;

type Unnamed = Omit<LoadMetric, 'name'>;

function ofCall(type: LoadMetricType, unit: LoadMetricUnit, help: string): Unnamed {
  return ofScenario(type, unit, help, CALL);
}

function ofProcess(unit: LoadMetricUnit, help: string): Unnamed {
  return ofScenario('gauge', unit, help, ['instance']);
}

function ofScenario(
  type: LoadMetricType,
  unit: LoadMetricUnit,
  help: string,
  tags: readonly LoadMetricTag[] = ['scenario'],
): Unnamed {
  return { type, unit, source: 'load', tags, help };
}

/** The name of a metric is its key behind `weighbridge_`. */
export const LOAD_METRICS = mapRecord(
  {
    calls: ofCall('counter', 'calls', 'Attempts of paid calls that ended, not_sent included.'),
    ok: ofCall(
      'rate',
      'share',
      'Share of calls whose last attempt is ok, of those that were sent and that we did not end.',
    ),
    retries: ofCall('counter', 'calls', 'Attempts after the first of a call.'),
    ttft: ofCall('trend', 'ms', 'Sent to first generated content, ok streams.'),
    ttfo: ofCall('trend', 'ms', 'Sent to first visible text, ok streams.'),
    tpot: ofCall(
      'trend',
      'ms',
      'First content to end over output tokens less one, ok streams of two tokens or more.',
    ),
    itl_mean: ofCall(
      'trend',
      'ms',
      'Mean gap between content events of one ok stream, by upper bounds of buckets: one sample a call, not a gap.',
    ),
    itl_max: ofCall('trend', 'ms', 'Longest gap between content events of one ok stream.'),
    duration: ofCall('trend', 'ms', 'Sent to end, ok paid calls.'),
    duration_from_plan: ofCall('trend', 'ms', 'Planned start to end, ok paid calls with a planned start.'),
    schedule_lag: ofCall('trend', 'ms', 'Actual less planned start, all paid calls with a planned start.'),
    tokens_in: ofCall('counter', 'tokens', 'Input tokens as the answers tell them.'),
    tokens_out: ofCall('counter', 'tokens', 'Output tokens as the answers tell them.'),
    attained: ofScenario(
      'rate',
      'share',
      'Share of measured calls within an objective: ok calls for one bound on time, calls that we did not end for `good`.',
      ['scenario', 'objective'],
    ),
    dropped: ofScenario(
      'rate',
      'share',
      'Share of the planned starts of the measured phase that found no free slot.',
    ),
    held: ofScenario(
      'counter',
      'starts',
      'Starts not made because the target asked to wait (Retry-After), or a cap or a halt stopped them.',
    ),
    in_flight: ofScenario('gauge', 'calls', 'Paid calls under way.', ['scenario', 'instance']),
    reserved_display: ofProcess(
      'USD',
      'Worst-case spend reserved. k6 knows only floating point: for display. The ledger has the exact amount.',
    ),
    client_timer_lag: ofProcess('ms', 'Largest lateness of a timer of the load engine in the last second.'),
    client_cpu: ofProcess('cores', 'CPU cores that the load engine used in the last second.'),
    run_active: ofScenario(
      'gauge',
      '1',
      '1 while calls of a run end; with remote write, marked as over when it ends.',
      ['target', 'instance'],
    ),
  },
  (metric, key): LoadMetric => ({ name: `weighbridge_${key}`, ...metric }),
);
