import { recordKeys } from '../../core/typed-record.ts';

/**
 * What one metric of the probe daemon is. Label values come from closed lists or the configuration, so that what a
 * target answers can never make series without end.
 */
export const PROBE_METRIC_LABELS = [
  'api',
  'base',
  'blame',
  'change',
  'class',
  'code',
  'credential',
  'document',
  'error_type',
  'event',
  'final',
  'from',
  'kind',
  'legal',
  'line',
  'metric',
  'model',
  'node',
  'period',
  'phase',
  'probe',
  'reason',
  'revision',
  'rule',
  'source',
  'stage',
  'state',
  'stream',
  'target',
  'to',
  'type',
  'variant',
  'verdict',
  'version',
  'window',
] as const;
type ProbeMetricLabel = (typeof PROBE_METRIC_LABELS)[number];

/**
 * A closed list, or where the values come from: `configuration` and `daemon` are ours; `status` is a status code of three
 * digits; `served` is text of the target, of which one series at a time stands.
 */
export type ProbeLabelSource = readonly string[] | 'configuration' | 'daemon' | 'status' | 'served';
export type ProbeLabelSources = { readonly [L in ProbeMetricLabel]?: ProbeLabelSource };

export type ProbeMetricType = 'counter' | 'gauge' | 'histogram';
export type ProbeMetricUnit =
  | 'runs'
  | 'responses'
  | 'seconds'
  | 'unix seconds'
  | '0 or 1'
  | '1'
  | 'events'
  | 'tokens'
  | 'transitions'
  | 'tasks'
  | 'polls'
  | 'bytes'
  | 'models'
  | 'changes'
  | 'USD'
  | 'exit status'
  | 'USD per token'
  | 'USD per image'
  | 'USD per second of video'
  | 'USD per request'
  | 'records'
  | 'site units'
  | 'requests'
  | 'calls'
  | 'findings'
  | 'violations'
  | 'failures'
  | 'label sets'
  | 'files'
  | 'CPU seconds';

export interface ProbeMetric<
  N extends string = string,
  T extends ProbeMetricType = ProbeMetricType,
  L extends string = ProbeMetricLabel,
  V extends ProbeLabelSources = ProbeLabelSources,
> {
  readonly name: N;
  readonly type: T;
  readonly unit: ProbeMetricUnit;
  readonly help: string;
  readonly labels: readonly L[];
  readonly values: V;
  /** Upper bounds, `+Inf` left out; null for all but histograms. */
  readonly buckets: readonly number[] | null;
  /** Whether samples may carry the request id of the gateway. */
  readonly exemplars: boolean;
  /** `process`: of the daemon's own process, under the names that Prometheus clients give. */
  readonly source: 'probe' | 'process';
}

type NamesOf<V> = Extract<keyof V, string>;
type Extra = { readonly exemplars?: boolean };
/** The names of our own metrics, which are told without their beginning, begin so. */
type OwnName<N extends string> = `weighbridge_${N}`;

export function counter<const N extends string, const V extends ProbeLabelSources>(
  name: N,
  unit: ProbeMetricUnit,
  values: V,
  help: string,
  extra: Extra = {},
): ProbeMetric<OwnName<N>, 'counter', NamesOf<V>, V> {
  return own(name, 'counter', unit, values, help, null, extra);
}

export function gauge<const N extends string, const V extends ProbeLabelSources>(
  name: N,
  unit: ProbeMetricUnit,
  values: V,
  help: string,
): ProbeMetric<OwnName<N>, 'gauge', NamesOf<V>, V> {
  return own(name, 'gauge', unit, values, help, null, {});
}

export function histogram<const N extends string, const V extends ProbeLabelSources>(
  name: N,
  buckets: readonly number[],
  values: V,
  help: string,
  extra: Extra = {},
): ProbeMetric<OwnName<N>, 'histogram', NamesOf<V>, V> {
  return own(name, 'histogram', 'seconds', values, help, buckets, extra);
}

/** A metric of the process, under a name that is not ours. */
export function ofProcess<const N extends string, T extends ProbeMetricType>(
  name: N,
  type: T,
  unit: ProbeMetricUnit,
  help: string,
): ProbeMetric<N, T, never, Readonly<Record<never, never>>> {
  return {
    name,
    type,
    unit,
    help,
    labels: [],
    values: {},
    buckets: null,
    exemplars: false,
    source: 'process',
  };
}

function own<N extends string, T extends ProbeMetricType, V extends ProbeLabelSources>(
  name: N,
  type: T,
  unit: ProbeMetricUnit,
  values: V,
  help: string,
  buckets: readonly number[] | null,
  { exemplars = false }: Extra,
): ProbeMetric<OwnName<N>, T, NamesOf<V>, V> {
  const labels = recordKeys<NamesOf<V>>(values);
  return {
    name: `weighbridge_${name}`,
    type,
    unit,
    help,
    labels,
    values,
    buckets,
    exemplars,
    source: 'probe',
  };
}
