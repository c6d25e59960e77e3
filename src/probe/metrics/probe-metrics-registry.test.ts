import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CODE_POINT } from '../../core/code-point.test-support.ts';
import { ProbeMetricsRegistry } from './probe-metrics-registry.ts';
import { ENTRIES, registryOf, sample, samplesOf, seriesOf, someLabels } from './sample-of.test-support.ts';

const RUN = { probe: 'p', target: 't', api: 'chat', model: 'm', stream: 'true' } as const;
const GOOD = { ...RUN, error_type: '', blame: 'none' } as const;
const SKIP = { target: 't', reason: 'budget' } as const;

async function text(registry: ReturnType<typeof registryOf>): Promise<string> {
  return (await registry.render('text')).body;
}

describe('an exposition', () => {
  it('of the whole catalogue is clean to promtool', async () => {
    const registry = registryOf();
    for (const entry of ENTRIES) sample(registry, entry, someLabels(entry));
    const { body } = await registry.render('text');
    for (const entry of ENTRIES) expect(seriesOf(body, entry), entry.name).not.toEqual([]);
    const checked = spawnSync('promtool', ['check', 'metrics'], { input: body, encoding: 'utf8' });
    expect({ status: checked.status, said: checked.stdout + checked.stderr }).toEqual({
      status: 0,
      said: '',
    });
  });

  it('names counters in both forms whatever was rendered before', async () => {
    let now = 0;
    const registry = registryOf(1000, () => now);
    registry.inc('weighbridge_probe_runs_total', GOOD);
    for (const format of ['openmetrics', 'text', 'openmetrics', 'text'] as const) {
      const { body, contentType } = await registry.render(format);
      const open = format === 'openmetrics';
      expect(body).toContain(`# TYPE weighbridge_probe_runs${open ? '' : '_total'} counter\n`);
      expect(samplesOf(body).filter((line) => line.startsWith('weighbridge_probe_runs'))).toEqual([
        'weighbridge_probe_runs_total{probe="p",target="t",api="chat",model="m",stream="true",error_type="",blame="none"} 1',
      ]);
      expect(body.endsWith('\n# EOF\n')).toBe(open);
      expect(body).not.toMatch(/\n\n/);
      expect(contentType).toBe(
        open
          ? 'application/openmetrics-text; version=1.0.0; charset=utf-8'
          : 'text/plain; version=0.0.4; charset=utf-8',
      );
      now += 1000;
    }
  });

  it('escapes label values', async () => {
    const registry = registryOf();
    registry.set('weighbridge_probe_interval_seconds', { probe: 'a"b\\c\nd', target: 't' }, 60);
    expect(await text(registry)).toContain('{probe="a\\"b\\\\c\\nd",target="t"} 60\n');
  });

  it('has no series twice where label values are no sound text', async () => {
    const registry = registryOf();
    for (const probe of ['\ud800', '\udc00', `${'x'.repeat(199)}\u{1f600}`, `${'x'.repeat(199)}\u{1f601}`])
      registry.set('weighbridge_probe_interval_seconds', { probe, target: 't' }, 60);
    const lines = samplesOf(Buffer.from(await text(registry)).toString()).filter((line) =>
      line.endsWith(' 60'),
    );
    expect(lines).toHaveLength(2);
    expect(new Set(lines).size).toBe(2);
  });

  it('is kept for one second', async () => {
    let now = 5000;
    const registry = registryOf(1000, () => now);
    registry.inc('weighbridge_state_write_failures_total', {});
    const first = await registry.render('text');
    registry.inc('weighbridge_state_write_failures_total', {});
    now = 5999;
    expect(await registry.render('text')).toBe(first);
    expect((await registry.render('openmetrics')).body).toContain(
      'weighbridge_state_write_failures_total 2\n',
    );
    now = 6000;
    expect(await text(registry)).toContain('weighbridge_state_write_failures_total 2\n');
  });

  it('is kept for as long as was asked', async () => {
    let now = 5000;
    const registry = new ProbeMetricsRegistry({ seriesLimit: 10, now: () => now, renderKeptMs: 50 });
    registry.inc('weighbridge_state_write_failures_total', {});
    const first = await registry.render('text');
    now = 5049;
    expect(await registry.render('text')).toBe(first);
    now = 5050;
    expect(await registry.render('text')).not.toBe(first);
  });

  it('that failed is tried again', async () => {
    const registry = registryOf();
    let broken = true;
    registry.onRender(() => {
      if (broken) throw new Error('no reading');
    });
    await expect(registry.render('text')).rejects.toThrow('no reading');
    broken = false;
    await expect(registry.render('text')).resolves.toMatchObject({ body: expect.any(String) });
  });

  it('shows nothing that nobody told, and counters and histograms without labels at 0', async () => {
    const body = await text(registryOf());
    expect(body).not.toMatch(/^weighbridge_config_last_reload_successful /m);
    expect(body).toMatch(/^weighbridge_state_write_failures_total 0$/m);
    expect(body).toMatch(/^weighbridge_probe_schedule_lag_seconds_count 0$/m);
    expect(body).toMatch(/^weighbridge_label_overflow_total\{metric="weighbridge_probe_runs_total"\} 0$/m);
  });
});

describe('exemplars', () => {
  it('stand in OpenMetrics alone', async () => {
    const registry = registryOf();
    registry.inc('weighbridge_probe_runs_total', GOOD, 1, { request_id: 'req_1' });
    registry.observe('weighbridge_probe_duration_seconds', RUN, 0.03, { request_id: 'req_2' });
    const { body } = await registry.render('openmetrics');
    expect(body).toMatch(/blame="none"\} 1 # \{request_id="req_1"\} 1 \d/);
    expect(body).toMatch(/_bucket\{le="0.04",.+\} 1 # \{request_id="req_2"\} 0.03 \d/);
    expect(await text(registry)).not.toContain('req_');
  });

  it.each(['', 'x'.repeat(119), 'two words', 'line\nbreak'])(
    '%j is left out and its sample counted',
    async (id) => {
      const registry = registryOf();
      registry.observe('weighbridge_probe_duration_seconds', RUN, 1, { request_id: id });
      const { body } = await registry.render('openmetrics');
      expect(body).not.toContain('request_id');
      expect(body).toMatch(/weighbridge_probe_duration_seconds_count\{.+\} 1\n/);
    },
  );
});

describe('the series guard', () => {
  it('lets no metric exceed its limit, whatever labels come', async () => {
    const labels = fc.dictionary(
      fc.constantFrom(...ENTRIES.flatMap((entry) => entry.labels)),
      fc.string({ unit: CODE_POINT }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }),
        fc.array(labels, { maxLength: 12 }),
        async (limit, sets) => {
          const registry = registryOf(limit);
          for (const entry of ENTRIES) for (const set of sets) sample(registry, entry, set);
          const body = await text(registry);
          for (const entry of ENTRIES) {
            const series = seriesOf(body, entry);
            expect(series.length, entry.name).toBeLessThanOrEqual(entry.labels.length === 0 ? 1 : limit);
            expect(new Set(series.map((line) => Buffer.from(line).toString('hex'))).size).toBe(series.length);
          }
          expect(body).not.toMatch(/ (Nan|NaN)$/m);
        },
      ),
      { numRuns: 20 },
    );
  });

  it('folds counters and histograms beyond it, and counts what it folds', async () => {
    const registry = registryOf(3);
    for (const probe of ['a', 'b', 'c', 'd', 'a']) {
      registry.inc('weighbridge_probe_skipped_total', { ...SKIP, probe });
      registry.observe('weighbridge_probe_duration_seconds', { ...RUN, probe }, 1);
    }
    const body = await text(registry);
    expect(body).toContain('weighbridge_probe_skipped_total{probe="a",target="t",reason="budget"} 2\n');
    expect(body).toContain(
      'weighbridge_probe_skipped_total{probe="other",target="other",reason="other"} 2\n',
    );
    expect(body).toMatch(/_duration_seconds_count\{probe="other",.+\} 2\n/);
    expect(body).not.toContain('probe="c"');
    // The overflow counter has a limit, too: here the first two metrics of the catalogue have its places.
    expect(body).toContain('weighbridge_label_overflow_total{metric="other"} 4\n');
  });

  it('leaves out gauges beyond it, and has room again when series went', async () => {
    const registry = registryOf(100);
    for (let n = 0; n <= 100; n += 1)
      registry.set('weighbridge_probe_interval_seconds', { probe: `p${n}`, target: 't' }, n);
    const full = await text(registry);
    expect(full).toContain('_interval_seconds{probe="p99",target="t"} 99\n');
    expect(full).not.toMatch(/_interval_seconds\{probe="(p100|other)"/);
    expect(full).toContain(
      'weighbridge_label_overflow_total{metric="weighbridge_probe_interval_seconds"} 1\n',
    );
    registry.remove('weighbridge_probe_interval_seconds', { probe: 'p7' });
    registry.set('weighbridge_probe_interval_seconds', { probe: 'p100', target: 't' }, 100);
    expect((await registry.render('openmetrics')).body).toContain(
      '_interval_seconds{probe="p100",target="t"} 100\n',
    );
  });

  it('makes of a value on no list the one that its list has for that', async () => {
    const registry = registryOf(1000);
    const entry = ENTRIES.find(({ name }) => name === 'weighbridge_probe_runs_total');
    if (entry === undefined) throw new Error('the entry is there');
    sample(registry, entry, { ...GOOD, error_type: 'flood', blame: 'weather' });
    const body = await text(registry);
    expect(body).toContain('error_type="_OTHER",blame="other"} 1\n');
    expect(body).toContain('weighbridge_label_overflow_total{metric="weighbridge_probe_runs_total"} 1\n');
  });

  it('keeps apart what prom-client would take for one series', async () => {
    const registry = registryOf();
    registry.set('weighbridge_probe_interval_seconds', { probe: 'x,target:y', target: 'z' }, 1);
    registry.set('weighbridge_probe_interval_seconds', { probe: 'x', target: 'y,target:z' }, 2);
    const body = await text(registry);
    expect(body).toContain('_interval_seconds{probe="x,target:y",target="z"} 1\n');
    expect(body).not.toContain('"y,target:z"');
  });

  it('refuses a limit that is none', () => {
    for (const limit of [0, 1.5, Number.NaN]) expect(() => registryOf(limit)).toThrow(RangeError);
  });
});

describe('values', () => {
  it('a gauge that is not known goes', async () => {
    const registry = registryOf();
    const labels = { target: 't' } as const;
    registry.set('weighbridge_account_quota_units', labels, 5);
    registry.set('weighbridge_account_quota_units', labels, Number.NaN);
    registry.set('weighbridge_account_requests', labels, Number.POSITIVE_INFINITY);
    expect(await text(registry)).not.toMatch(/^weighbridge_account/m);
  });

  it.each([Number.NaN, -1, Number.POSITIVE_INFINITY])('%d is no count and no time', async (value) => {
    const registry = registryOf();
    expect(() => registry.inc('weighbridge_probe_runs_total', GOOD, value)).toThrow(RangeError);
    expect(() => registry.observe('weighbridge_probe_duration_seconds', RUN, value)).toThrow(RangeError);
    expect(await text(registry)).not.toContain('probe="p"');
  });

  it('precreated series are at 0, and those that exist stay', async () => {
    const registry = registryOf(2);
    registry.inc('weighbridge_probe_runs_total', GOOD, 3);
    registry.observe('weighbridge_probe_duration_seconds', RUN, 1);
    for (const probe of ['q', 'r'])
      registry.observe('weighbridge_probe_duration_seconds', { ...RUN, probe }, 1);
    registry.precreate('weighbridge_probe_runs_total', [GOOD]);
    registry.precreate('weighbridge_probe_duration_seconds', [RUN, { ...RUN, probe: 's' }]);
    registry.precreate('weighbridge_usage_settlement_lag_seconds', [{ target: 't' }]);
    const body = await text(registry);
    expect(body).toMatch(/weighbridge_probe_runs_total\{probe="p".+\} 3\n/);
    expect(body).toMatch(/_duration_seconds_count\{probe="p".+\} 1\n/);
    expect(body).toMatch(/_duration_seconds_count\{probe="other".+\} 2\n/);
    expect(body).toContain('weighbridge_usage_settlement_lag_seconds_bucket{le="+Inf",target="t"} 0\n');
  });

  it('removed series go by the labels that are named', async () => {
    const registry = registryOf();
    for (const target of ['t', 'u'])
      for (const probe of ['p', 'q']) {
        registry.inc('weighbridge_probe_skipped_total', { probe, target, reason: 'paused' });
        registry.observe('weighbridge_probe_duration_seconds', { ...RUN, probe, target }, 1);
      }
    registry.remove('weighbridge_probe_skipped_total', { target: 'u' });
    registry.remove('weighbridge_probe_duration_seconds', { probe: 'p', target: 't' });
    for (const format of ['text', 'openmetrics'] as const) {
      const lines = samplesOf((await registry.render(format)).body);
      const of = (start: string): number => lines.filter((line) => line.startsWith(start)).length;
      expect(of('weighbridge_probe_skipped_total')).toBe(2);
      expect(of('weighbridge_probe_duration_seconds_count')).toBe(3);
    }
  });
});
