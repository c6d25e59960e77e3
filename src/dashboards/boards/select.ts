import { LOAD_METRICS } from '../../contracts/metrics/metric-catalogue.ts';
import { PROBE_METRIC_LIST } from '../../contracts/metrics/probe-metrics.ts';

/** Labels that a variable of the probe dashboards stands for. A metric is filtered by those of them that it has. */
const FILTERED_LABELS = ['target', 'api', 'model', 'probe'] as const;

const SERVED_BY_PROMETHEUS = ['up', 'scrape_duration_seconds', 'scrape_samples_scraped'];

/**
 * A selector of a metric of the daemon with every filter that applies. `part` is the `_bucket`, `_sum` or `_count` of a
 * histogram, `matchers` what the panel itself asks for; a label that it asks for is not filtered again.
 */
export function probeSelector(
  name: string,
  matchers = '',
  part: '' | '_bucket' | '_sum' | '_count' = '',
): string {
  const found = PROBE_METRIC_LIST.find((metric) => metric.name === name);
  if (found === undefined && !SERVED_BY_PROMETHEUS.includes(name)) throw new RangeError(`no metric ${name}`);
  const labels: readonly string[] = found?.labels ?? [];
  const filters = FILTERED_LABELS.filter(
    (label) => labels.includes(label) && !new RegExp(`\\b${label}(=|!)`).test(matchers),
  ).map((label) => `${label}=~"$${label}"`);
  return `${name}${part}{${['job=~"$job"', 'instance=~"$instance"', ...filters, ...(matchers === '' ? [] : [matchers])].join(',')}}`;
}

/** What a counter of the daemon grew by within a window. */
export function growth(by: string, name: string, window: string, matchers = ''): string {
  return `sum by (${by}) (increase(${probeSelector(name, matchers)}[${window}]))`;
}

/** Seconds since the time that a metric of the daemon tells. */
export function since(name: string): string {
  return `time() - ${probeSelector(name)}`;
}

/** How the remote write of k6 names what is made of a metric. A Trend, all of which are times, is one native histogram. */
export type LoadPart = 'total' | 'rate' | 'seconds' | '';

export const LOAD_PARTS = {
  counter: ['total'],
  rate: ['rate'],
  gauge: [''],
  trend: ['seconds'],
} as const satisfies Readonly<Record<string, readonly LoadPart[]>>;

/** A selector of a metric of load runs, by the runs that are chosen. */
export function load(key: keyof typeof LOAD_METRICS, part: LoadPart, matchers = ''): string {
  const { name, type } = LOAD_METRICS[key];
  const parts: readonly LoadPart[] = LOAD_PARTS[type];
  if (!parts.includes(part)) throw new RangeError(`a ${type} has no ${part}: ${name}`);
  const suffix = part === '' ? '' : `_${part}`;
  return `k6_${name}${suffix}{${['testid=~"$testid"', ...(matchers === '' ? [] : [matchers])].join(',')}}`;
}

/** Tags that a run puts on all of its series; the rest of them the metrics have themselves. */
export const RUN_LABELS = ['testid', 'target_name', 'instance'] as const;
