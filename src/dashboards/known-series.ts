import { LOAD_METRICS } from '../contracts/metrics/metric-catalogue.ts';
import { PROBE_METRIC_LIST } from '../contracts/metrics/probe-metrics.ts';
import { LOAD_PARTS, RUN_LABELS } from './boards/select.ts';
import { ALL_RECORDS } from './rules/all-records.ts';

/** What Prometheus puts on every series that it scrapes. */
const SCRAPED = ['job', 'instance'] as const;

/** Every name that a query may ask for, with the labels that its series have. */
export function knownSeries(): ReadonlyMap<string, ReadonlySet<string>> {
  const known = new Map<string, ReadonlySet<string>>();
  for (const { name, type, labels } of PROBE_METRIC_LIST) {
    const all = new Set<string>([...SCRAPED, ...labels]);
    if (type !== 'histogram') known.set(name, all);
    else for (const part of ['_sum', '_count']) known.set(name + part, all);
    if (type === 'histogram') known.set(`${name}_bucket`, new Set([...all, 'le']));
  }
  for (const { name, type, tags } of Object.values(LOAD_METRICS)) {
    for (const part of LOAD_PARTS[type]) {
      known.set(`k6_${name}${part === '' ? '' : `_${part}`}`, new Set<string>([...RUN_LABELS, ...tags]));
    }
  }
  for (const name of ['up', 'scrape_duration_seconds', 'scrape_samples_scraped'])
    known.set(name, new Set(SCRAPED));
  for (const { record } of ALL_RECORDS) known.set(record, labelsOfRecord(record));
  return known;
}

/** A record tells its labels in its name, before the first colon; those of the account keep what their metric has. */
function labelsOfRecord(record: string): ReadonlySet<string> {
  const [level = ''] = record.split(':');
  const labels = level.split('_');
  return new Set(record.includes('account') ? [...SCRAPED, ...labels] : labels);
}
