import { describe, expect, it } from 'vitest';
import { PROBE_BUCKETS } from './buckets.ts';
import { ERROR_TYPE_VALUES, errorTypeValue, yesNo } from './label-values.ts';
import { LOAD_METRICS } from './metric-catalogue.ts';
import { PROBE_METRIC_LABELS } from './probe-metric.ts';
import { PROBE_METRIC_LIST, PROBE_METRICS, type ProbeLabels } from './probe-metrics.ts';

describe('the catalogue of the probe daemon', () => {
  it('has each metric once, under its own name', () => {
    for (const [key, { name }] of Object.entries(PROBE_METRICS)) expect(name).toBe(key);
    // A name that stood in two groups would leave fewer keys; the count changes only with the catalogue.
    expect(PROBE_METRIC_LIST).toHaveLength(92);
  });

  it.each(PROBE_METRIC_LIST.map((metric) => [metric.name, metric] as const))(
    '%s keeps the rules',
    (_, metric) => {
      const { name, type, unit, help, labels, values, buckets, source } = metric;
      expect(name.endsWith('_total')).toBe(type === 'counter');
      expect(name.startsWith('weighbridge_')).toBe(source === 'probe');
      if (unit === 'seconds') expect(name).toMatch(/_seconds$/);
      if (unit === 'unix seconds') expect(name).toMatch(/_(timestamp|time)_seconds$/);
      expect(help).toMatch(/\.$/);
      expect(buckets !== null).toBe(type === 'histogram');
      expect(new Set(labels).size).toBe(labels.length);
      expect(labels).toEqual(Object.keys(values));
      for (const list of Object.values(values)) {
        if (typeof list === 'string') continue;
        expect(new Set(list).size).toBe(list.length);
      }
    },
  );

  it('gives no family of OpenMetrics two metrics', () => {
    const families = PROBE_METRIC_LIST.map(({ name }) => name.replace(/_total$/, ''));
    const samples = PROBE_METRIC_LIST.flatMap(({ name, type }) =>
      type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [],
    );
    expect(new Set([...families, ...samples]).size).toBe(families.length + samples.length);
  });

  it('uses every label name that it knows, and no bucket set that falls', () => {
    const used = new Set(PROBE_METRIC_LIST.flatMap(({ labels }) => labels));
    expect([...used].sort()).toEqual([...PROBE_METRIC_LABELS]);
    for (const bounds of Object.values(PROBE_BUCKETS))
      expect([...bounds]).toEqual([...new Set(bounds)].sort((a, b) => a - b));
  });

  it('tells the compiler the labels of a metric and the values of its closed lists', () => {
    const labels: ProbeLabels<'weighbridge_probe_skipped_total'> = {
      probe: 'p',
      target: 't',
      reason: 'budget',
    };
    // @ts-expect-error no such reason
    const reason: ProbeLabels<'weighbridge_probe_skipped_total'>['reason'] = 'lunch';
    // @ts-expect-error a label is missing
    const missing: ProbeLabels<'weighbridge_probe_skipped_total'> = { probe: 'p', target: 't' };
    expect([labels, reason, missing]).toHaveLength(3);
  });

  it('calls success the empty error type, and yes true', () => {
    expect(errorTypeValue('none')).toBe('');
    expect(errorTypeValue('tls')).toBe('tls');
    expect(ERROR_TYPE_VALUES).not.toContain('none');
    expect([yesNo(true), yesNo(false)]).toEqual(['true', 'false']);
  });

  it('finds the target of a load run by the address that target_info tells', () => {
    expect(LOAD_METRICS.run_active.tags).toContain('target');
    expect(PROBE_METRICS.weighbridge_target_info.labels).toEqual(['target', 'base']);
  });
});
