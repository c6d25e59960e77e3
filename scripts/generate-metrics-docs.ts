/**
 * Writes docs/metrics.md from the two metric catalogues and the limits of the client.
 * `node scripts/generate-metrics-docs.ts` writes; with `--check` it changes nothing and exits 1 on a difference.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { CLIENT_LIMITS } from '../src/contracts/client-limits.ts';
import {
  LOAD_METRIC_TAG_VALUES,
  LOAD_METRIC_TAGS,
  LOAD_METRICS,
} from '../src/contracts/metrics/metric-catalogue.ts';
import { markdownTable as table } from './markdown-table.ts';
import { probeMetricsSection } from './probe-metrics-section.ts';

const PAGE = new URL('../docs/metrics.md', import.meta.url);

function metricRows(): string[][] {
  return Object.values(LOAD_METRICS).map(({ name, type, unit, tags, help }) => [
    `\`${name}\``,
    type,
    unit,
    tags.map((tag) => `\`${tag}\``).join(' '),
    help,
  ]);
}

const page = `# Metrics

GENERATED from src/contracts/metrics/metric-catalogue.ts, src/contracts/metrics/probe-metrics and src/contracts/client-limits.ts by \`node scripts/generate-metrics-docs.ts\`.

This page lists every metric with its type, unit, tags and meaning. The load engine has [metrics](#names) to watch a
run while it runs, through any output of k6. The verdict of a run is in \`result.json\`, which comes from the ledger. The
probe daemon has [its own metrics](#metrics-of-the-probe-daemon).

## Names

k6 registers the names of this page. Prometheus remote write puts \`k6_\` before them and adds suffixes: \`_total\` to
counters, \`_rate\` to rates, and \`_seconds\` to times, which it converts from ms to seconds. Each call gives its samples
once, when it ends, and never one for each token. The ledger has the gaps between tokens as a histogram. Metrics of the
whole process are updated by the first call that ends after a new state line. If no call ends, they do not change.

${table(['metric', 'type', 'unit', 'tags', 'meaning'], metricRows())}

## Tags

Every tag has a closed set of values, because k6 keeps each combination until the run ends. Ids never are tags.

${table(
  ['tag', 'values'],
  LOAD_METRIC_TAGS.map((tag) => [`\`${tag}\``, LOAD_METRIC_TAG_VALUES[tag]]),
)}

A run of \`weighbridge\` adds \`testid\` (its run id), \`target_name\` (the target's name) and \`instance\` to all of them.
k6 adds its own tags, and emits its own \`http_req_*\` for every exchange.

## Memory

A Trend of k6 keeps every sample for the percentiles of the summary at the end. In a run that \`weighbridge\` starts,
nobody reads that summary. So the command sets \`WEIGHBRIDGE_FLAT_METRICS=1\`, and Trends keep only count, sum, minimum
and maximum. Objectives become thresholds on rates, which need two numbers. If you start k6 by hand, without that
variable, it keeps its whole summary. A threshold of your own on a Trend keeps that Trend's samples.

## When the client is the limit

If the load engine exceeds one of these limits, your machine was too busy: the report is \`client_limited\`. Objectives on
time, goodput and attainment are then not judged (exit 7 instead of 4).

The report is also \`client_limited\` if there is no state line, or if the ledger was not closed because the load engine
was killed or still runs. It is then not known whether the client kept up, and \`reasons\` says so. If scenarios share a
limit on calls in flight, it counts as used by all of them.

${table(
  ['limit', 'because'],
  CLIENT_LIMITS.map(({ limit, because }) => [limit, because]),
)}

${probeMetricsSection()}
`;

const found = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : '';
if (found !== page) {
  if (process.argv.includes('--check')) {
    console.error('docs/metrics.md differs from its sources: run node scripts/generate-metrics-docs.ts');
    process.exitCode = 1;
  } else {
    writeFileSync(PAGE, page);
    console.error('wrote docs/metrics.md');
  }
}
