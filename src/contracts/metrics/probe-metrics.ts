import { DAEMON_METRICS, PROCESS_METRICS, SCHEDULED_METRICS } from './daemon-metrics.ts';
import { BOOK_METRICS, MONEY_METRICS } from './money-metrics.ts';
import type { ProbeMetric, ProbeMetricType } from './probe-metric.ts';
import { RUN_METRICS, STREAM_METRICS, TASK_METRICS } from './run-metrics.ts';

type ByName<T extends readonly ProbeMetric[]> = { readonly [M in T[number] as M['name']]: M };

/** An object has no type per key that is computed: the two signatures say what `name` as the key makes true. */
function byName<const T extends readonly ProbeMetric[]>(metrics: T): ByName<T>;
function byName(metrics: readonly ProbeMetric[]): Readonly<Record<string, ProbeMetric>> {
  return Object.fromEntries(metrics.map((metric) => [metric.name, metric]));
}

/** Every metric of the daemon, by its name: what registers them, documents them and draws them reads this. */
export const PROBE_METRICS = byName([
  ...RUN_METRICS,
  ...STREAM_METRICS,
  ...TASK_METRICS,
  ...BOOK_METRICS,
  ...MONEY_METRICS,
  ...SCHEDULED_METRICS,
  ...DAEMON_METRICS,
  ...PROCESS_METRICS,
]);

type Catalogue = typeof PROBE_METRICS;
export type ProbeMetricName = keyof Catalogue;

export type ProbeMetricNameOf<T extends ProbeMetricType> = {
  [N in ProbeMetricName]: Catalogue[N]['type'] extends T ? N : never;
}[ProbeMetricName];

/** The label names of a metric. */
type ProbeMetricLabelsOf<N extends ProbeMetricName> = Catalogue[N]['labels'][number];

type ValueOf<S> = S extends readonly (infer V extends string)[] ? V : string;

/** All labels of a series of a metric, with the values that its closed lists allow. */
export type ProbeLabels<N extends ProbeMetricName> = {
  readonly [L in ProbeMetricLabelsOf<N>]: ValueOf<
    L extends keyof Catalogue[N]['values'] ? Catalogue[N]['values'][L] : never
  >;
};

/** The catalogue in its order, for those who read all of it. */
export const PROBE_METRIC_LIST: readonly ProbeMetric<ProbeMetricName>[] = Object.values(PROBE_METRICS);
