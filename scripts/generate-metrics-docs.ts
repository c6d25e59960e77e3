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

The load engine has [metrics](#names) for watching a run while it goes, through any output of k6; what a run concludes stands in \`result.json\`,
made from the ledger. The probe daemon has [its own](#metrics-of-the-probe-daemon).

## Names

k6 registers the names of this page. Prometheus remote write puts \`k6_\` before them and adds suffixes of its own: \`_total\` to counters, \`_rate\` to
rates, and \`_seconds\` with seconds in place of ms to times. Each call gives its samples once, when it ends, never one a token: the gaps between tokens are a histogram in the ledger.
What is of the whole process comes with the first call that ends after a new state line, so it stands still where nothing ends.

${table(['metric', 'type', 'unit', 'tags', 'meaning'], metricRows())}

## Tags

Every tag has a closed set of values, because k6 keeps each combination until the run ends. Ids never are tags.

${table(
  ['tag', 'values'],
  LOAD_METRIC_TAGS.map((tag) => [`\`${tag}\``, LOAD_METRIC_TAG_VALUES[tag]]),
)}

A run of \`weighbridge\` puts \`testid\` (its run id), \`target_name\` (the target's name) and \`instance\` on all of them. k6's own tags stand beside them, and its own \`http_req_*\` are emitted for every exchange.

## Memory

A Trend of k6 keeps every sample for the percentiles of the summary at the end. In a run that \`weighbridge\` starts nobody reads that summary, so Trends keep count, sum, least and most only
(\`WEIGHBRIDGE_FLAT_METRICS=1\`, set by the command). Objectives become thresholds on rates, which hold two numbers. k6 started by hand, without that variable, keeps its summary whole;
a threshold of your own on a Trend keeps that Trend's samples.

## When the client is the limit

A report is \`client_limited\` when the load engine passed one of these limits; objectives on time, goodput and attainment are then not judged (exit 7 in place of 4). Without a state line, or with a ledger that was not closed (the load engine was killed, or still runs), it is \`client_limited\`, too, and \`reasons\` says so: how the client fared is not known then. A limit in flight that scenarios share counts as used by all of them.

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
