import { PROBE_BUCKETS } from '../src/contracts/metrics/buckets.ts';
import {
  DAEMON_METRICS,
  PROCESS_METRICS,
  SCHEDULED_METRICS,
} from '../src/contracts/metrics/daemon-metrics.ts';
import { BOOK_METRICS, MONEY_METRICS } from '../src/contracts/metrics/money-metrics.ts';
import type { ProbeLabelSource, ProbeMetric } from '../src/contracts/metrics/probe-metric.ts';
import { RUN_METRICS, STREAM_METRICS, TASK_METRICS } from '../src/contracts/metrics/run-metrics.ts';
import { markdownTable } from './markdown-table.ts';

const GROUPS: readonly { readonly title: string; readonly metrics: readonly ProbeMetric[] }[] = [
  { title: 'Every probe', metrics: RUN_METRICS },
  { title: 'Streams of text', metrics: STREAM_METRICS },
  { title: 'Images and video tasks', metrics: TASK_METRICS },
  { title: 'Model list and price list', metrics: BOOK_METRICS },
  { title: 'Usage, account, spend', metrics: MONEY_METRICS },
  { title: 'Scheduled runs', metrics: SCHEDULED_METRICS },
  { title: 'Contract and daemon', metrics: DAEMON_METRICS },
  { title: 'Its process', metrics: PROCESS_METRICS },
];

const SOURCES: Readonly<Record<Extract<ProbeLabelSource, string>, string>> = {
  configuration: 'from the configuration; empty where the probe has none',
  daemon: 'from the daemon itself',
  status: 'a status code from 100 to 599',
  served: 'as the target serves it, one series at a time',
};

/** What docs/metrics.md says of the metrics of the probe daemon. */
export function probeMetricsSection(): string {
  return `## Metrics of the probe daemon

\`weighbridge probe\` serves these at \`/metrics\`, as Prometheus text or as OpenMetrics. All of its alerts and panels use
them. Amounts are floating point here, and exact in its ledger. Counters that alerts read start at 0. In OpenMetrics, a
metric marked \`e\` has the gateway's request id as exemplar. The answer is kept for one second.

${GROUPS.map(({ title, metrics }) => `### ${title}\n\n${metricTable(metrics)}`).join('\n\n')}

### Labels of the probe daemon

A value that is on no list becomes \`other\` (an error type becomes \`_OTHER\`). A metric may have \`series_limit\` label
sets. Beyond that, its counters and histograms continue in one series whose labels are all \`other\`, and its gauges are
left out. \`weighbridge_label_overflow_total\` counts both. Values are cut at 200 characters.

${markdownTable(['label', 'of', 'values'], labelRows())}

### Buckets

Upper bounds in seconds; \`+Inf\` follows.

${markdownTable(
  ['set', 'bounds'],
  Object.entries(PROBE_BUCKETS).map(([name, bounds]) => [name, bounds.join(', ')]),
)}`;
}

function metricTable(metrics: readonly ProbeMetric[]): string {
  return markdownTable(
    ['metric', 'type', 'unit', 'labels', 'meaning'],
    metrics.map((metric) => [
      `\`${metric.name}\``,
      `${typeOf(metric)}${metric.exemplars ? ' `e`' : ''}`,
      metric.unit,
      metric.labels.map((label) => `\`${label}\``).join(' '),
      metric.help,
    ]),
  );
}

function typeOf({ type, buckets }: ProbeMetric): string {
  if (buckets === null) return type;
  const set = Object.entries(PROBE_BUCKETS).find(([, bounds]) => bounds === buckets)?.[0];
  if (set === undefined) throw new Error('a histogram has a bucket set without a name');
  return `${type} ${set}`;
}

/** One row for each list that a label has: `kind` of a price is another than `kind` of a mismatch. */
function labelRows(): string[][] {
  const rows = new Map<string, { label: string; values: string; of: string[] }>();
  for (const { name, labels, values } of GROUPS.flatMap(({ metrics }) => metrics))
    for (const label of labels) {
      const text = valuesText(values[label] ?? 'configuration');
      const row = rows.get(`${label} ${text}`) ?? { label, values: text, of: [] };
      row.of.push(name);
      rows.set(`${label} ${text}`, row);
    }
  const all = [...rows.values()].sort((a, b) => (a.label < b.label ? -1 : 1));
  return all.map(({ label, values, of }) => {
    const alone = all.filter((row) => row.label === label).length === 1;
    return [`\`${label}\``, alone ? 'all' : of.map((name) => `\`${name}\``).join(' '), values];
  });
}

function valuesText(source: ProbeLabelSource): string {
  if (typeof source === 'string') return SOURCES[source];
  return source.map((value) => (value === '' ? 'empty' : `\`${value}\``)).join(' ');
}
