import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { Registry } from 'prom-client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ProbeMetricsRegistry } from './probe-metrics-registry.ts';
import { registryOf } from './sample-of.test-support.ts';

const PROBES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const;
const RUN = { target: 't', api: 'chat', model: 'm', stream: 'true' } as const;
const SKIP = { target: 't', reason: 'budget' } as const;

let now = 0;
let rendered: string[] = [];

beforeEach(() => {
  now = 0;
  rendered = [];
  const real = Registry.prototype.getSingleMetricAsString;
  vi.spyOn(Registry.prototype, 'getSingleMetricAsString').mockImplementation(function (
    this: Registry,
    name: string,
  ) {
    rendered.push(name);
    return real.call(this, name);
  });
});
afterEach(async () => {
  // What a test left for free turns is no work of the next.
  await idle();
  vi.restoreAllMocks();
});

function watched(): ProbeMetricsRegistry {
  const registry = registryOf(1000, () => now);
  for (const probe of PROBES) {
    registry.observe('weighbridge_probe_duration_seconds', { ...RUN, probe }, 1);
    registry.inc('weighbridge_probe_skipped_total', { ...SKIP, probe });
    registry.set('weighbridge_probe_interval_seconds', { target: 't', probe }, 60);
  }
  return registry;
}

/** After the second for which a rendering stands. */
async function scrape(registry: ProbeMetricsRegistry, format: 'text' | 'openmetrics' = 'text') {
  now += 1000;
  rendered = [];
  return (await registry.render(format)).body;
}

/** Until what was left for free turns of the event loop is done: with a clock that stands, that is one turn. */
async function idle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await setImmediate();
}

describe('a scrape', () => {
  it('renders again what has changed since the last one, and nothing else', async () => {
    const registry = watched();
    await scrape(registry);
    expect(rendered.length).toBeGreaterThan(3 * PROBES.length);
    registry.observe('weighbridge_probe_duration_seconds', { ...RUN, probe: 'c' }, 2);
    registry.set('weighbridge_probe_interval_seconds', { target: 't', probe: 'd' }, 60);
    registry.inc('weighbridge_probe_skipped_total', { ...SKIP, probe: 'e' }, 0);
    const body = await scrape(registry);
    // The second is the time of the first scrape's own rendering.
    expect(rendered.sort()).toEqual([
      'weighbridge_metrics_render_seconds',
      'weighbridge_probe_duration_seconds',
    ]);
    expect(body).toMatch(/^weighbridge_probe_duration_seconds_sum\{probe="c".+\} 3$/m);
    for (const probe of PROBES)
      expect(body).toMatch(new RegExp(`^weighbridge_probe_skipped_total\\{probe="${probe}".+ 1$`, 'm'));
  });

  it('tells the last value of a gauge, whatever it was before', async () => {
    const registry = watched();
    for (const value of [0, 60, 60, 0, 1]) {
      registry.set('weighbridge_probe_interval_seconds', { target: 't', probe: 'a' }, value);
      expect(await scrape(registry)).toContain(
        `weighbridge_probe_interval_seconds{probe="a",target="t"} ${value}\n`,
      );
    }
  });

  it('finds nothing to do where what changed was rendered in between', async () => {
    const registry = watched();
    await scrape(registry);
    await idle();
    for (const probe of PROBES) registry.inc('weighbridge_probe_skipped_total', { ...SKIP, probe });
    await idle();
    const body = await scrape(registry);
    expect(rendered).toEqual([]);
    expect(body.match(/^weighbridge_probe_skipped_total\{.+ 2$/gm)).toHaveLength(PROBES.length);
  });

  it('that is the first finds what was prepared, and what changed since was rendered in between', async () => {
    const registry = watched();
    await registry.prepare();
    for (const probe of PROBES) registry.inc('weighbridge_probe_skipped_total', { ...SKIP, probe });
    await idle();
    const body = await scrape(registry, 'openmetrics');
    expect(rendered).toEqual([]);
    expect(body.match(/^weighbridge_probe_skipped_total\{.+ 2$/gm)).toHaveLength(PROBES.length);
  });

  it('that nobody made lately has nothing rendered for it', async () => {
    const registry = watched();
    await idle();
    expect(rendered).toEqual([]);
    await scrape(registry);
    now += 5 * 60_000;
    await idle();
    rendered = [];
    for (const probe of PROBES) registry.inc('weighbridge_probe_skipped_total', { ...SKIP, probe });
    await idle();
    expect(rendered).toEqual([]);
  });

  it('of a fault in between tells it', async () => {
    const registry = watched();
    await scrape(registry);
    vi.spyOn(Registry.prototype, 'getSingleMetricAsString').mockRejectedValue(new Error('no text'));
    registry.inc('weighbridge_probe_skipped_total', { ...SKIP, probe: 'a' });
    await idle();
    await expect(scrape(registry)).rejects.toThrow('no text');
  });
});

type Change = (registry: ProbeMetricsRegistry) => void;

const probe = fc.constantFrom(...PROBES);
const value = fc.constantFrom(0, 0.01, 1, 2, 400);
const changes: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(probe, value).map(
    ([probe, by]): Change =>
      (registry) =>
        registry.inc('weighbridge_probe_skipped_total', { ...SKIP, probe }, by),
  ),
  fc.tuple(probe, value).map(
    ([probe, seconds]): Change =>
      (registry) =>
        registry.observe('weighbridge_probe_duration_seconds', { ...RUN, probe }, seconds),
  ),
  fc.tuple(probe, fc.oneof(value, fc.constant(Number.NaN))).map(
    ([probe, seconds]): Change =>
      (registry) =>
        registry.set('weighbridge_probe_interval_seconds', { target: 't', probe }, seconds),
  ),
  fc.tuple(probe).map(
    ([probe]): Change =>
      (registry) => {
        registry.remove('weighbridge_probe_skipped_total', { probe });
        registry.remove('weighbridge_probe_duration_seconds', { probe });
      },
  ),
  fc.tuple(probe).map(
    ([probe]): Change =>
      (registry) =>
        registry.precreate('weighbridge_probe_duration_seconds', [{ ...RUN, probe }]),
  ),
);
const SCRAPES = ['text', 'openmetrics', null] as const;

describe('what was rendered before', () => {
  it('never stands for what has changed since: scrapes in between leave no trace', async () => {
    const steps = fc.array(fc.tuple(changes, fc.constantFrom(...SCRAPES)), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const often = registryOf(6, () => now);
        const once = registryOf(6, () => now);
        for (const [change, scraped] of taken) {
          change(often);
          if (scraped !== null) await scrape(often, scraped);
          change(once);
        }
        for (const format of ['text', 'openmetrics'] as const)
          expect(linesOf(await scrape(often, format))).toEqual(linesOf(await scrape(once, format)));
      }),
      { numRuns: 40 },
    );
  });
});

/** The order of series means nothing; how long a rendering took is left out. */
function linesOf(body: string): string[] {
  return body
    .split('\n')
    .filter((line) => !line.startsWith('weighbridge_metrics_render_seconds'))
    .sort();
}
