import type { ProbeMetric, ProbeMetricType } from '../../contracts/metrics/probe-metric.ts';
import { PROBE_METRICS } from '../../contracts/metrics/probe-metrics.ts';
import { ProbeMetricsRegistry } from './probe-metrics-registry.ts';

export function registryOf(seriesLimit = 1000, now: () => number = () => 0): ProbeMetricsRegistry {
  return new ProbeMetricsRegistry({ seriesLimit, now });
}

/** Each entry of the catalogue once, as plain data. */
export const ENTRIES: readonly ProbeMetric[] = Object.values(PROBE_METRICS);

/** The lines of an exposition that are samples. */
export function samplesOf(body: string): string[] {
  return body.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

/** Label sets of one metric in an exposition: those of a histogram are counted by their count. */
export function seriesOf(body: string, metric: ProbeMetric): string[] {
  const name = metric.type === 'histogram' ? `${metric.name}_count` : metric.name;
  return samplesOf(body).filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
}

type Labels = Readonly<Record<string, string>>;

/** The registry to a test that walks the whole catalogue: names and labels come from the entries. */
interface AnyRecorder {
  inc(name: string, labels: Labels, by: number, exemplar?: { readonly request_id: string }): void;
  set(name: string, labels: Labels, value: number): void;
  observe(name: string, labels: Labels, value: number, exemplar?: { readonly request_id: string }): void;
}

/** One sample of any metric. */
export function sample(registry: ProbeMetricsRegistry, entry: ProbeMetric, labels: Labels, value = 1): void {
  const any: AnyRecorder = registry;
  const by: Record<ProbeMetricType, () => void> = {
    counter: () => any.inc(entry.name, labels, value, { request_id: 'req_1' }),
    gauge: () => any.set(entry.name, labels, value),
    histogram: () => any.observe(entry.name, labels, value, { request_id: 'req_1' }),
  };
  by[entry.type]();
}

/** For each label the first value of its list, or one that its source may give. */
export function someLabels(entry: ProbeMetric): Labels {
  const given = { configuration: 'a "b" \\ c\nd', daemon: 'x', served: 'v1', status: '200' };
  return Object.fromEntries(
    entry.labels.map((name) => {
      const source = entry.values[name] ?? 'configuration';
      return [name, typeof source === 'string' ? given[source] : (source.at(-1) ?? '')];
    }),
  );
}
