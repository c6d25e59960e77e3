import { describe, expect, it } from 'vitest';
import { EventLoopLag } from './event-loop-lag.ts';
import { exportProcessMetrics, readingsOfThisProcess } from './process-metrics.ts';
import { registryOf } from './sample-of.test-support.ts';

function delays() {
  const histogram = {
    count: 0,
    max: 0,
    at: 10e6,
    resets: 0,
    percentile: (): number => histogram.at,
    reset(): void {
      histogram.resets += 1;
      histogram.count = 0;
    },
  };
  return histogram;
}

describe('the lag of the event loop', () => {
  it('is not known before there is a figure, and then that of the last full window', () => {
    let now = 0;
    const histogram = delays();
    const lag = new EventLoopLag(() => now, histogram);
    expect(lag.read()).toBeNull();
    Object.assign(histogram, { count: 5, max: 60e6 });
    now = 3000;
    expect(lag.read()).toEqual({ p50: 0, p99: 0, max: expect.closeTo(0.05) });
    expect(histogram.resets).toBe(0);
    now = 10_000;
    const full = lag.read();
    expect(histogram.resets).toBe(1);
    Object.assign(histogram, { count: 5, max: 900e6 });
    now = 12_000;
    expect(lag.read()).toEqual(full);
    now = 20_000;
    expect(lag.read()?.max).toBeCloseTo(0.89);
    expect(lag.read()?.max).toBeCloseTo(0.89);
  });

  it('is never below 0 where a timer came early', () => {
    const histogram = Object.assign(delays(), { count: 1, at: 9e6, max: 9.5e6 });
    expect(new EventLoopLag(() => 0, histogram).read()).toEqual({ p50: 0, p99: 0, max: 0 });
  });
});

describe('the process', () => {
  it('is read when it is rendered, and its CPU time only grows', async () => {
    let now = 0;
    let cpu = 1_500_000;
    const registry = registryOf(10, () => now);
    exportProcessMetrics(registry, {
      cpuMicros: () => cpu,
      memory: () => ({ rss: 1, heapTotal: 2, heapUsed: 3, external: 4 }),
      openFiles: () => null,
      startedAtSeconds: 7,
      loopLag: () => null,
    });
    expect((await registry.render('text')).body).toMatch(/^process_cpu_seconds_total 1.5$/m);
    cpu = 1_400_000;
    now = 1000;
    expect((await registry.render('text')).body).toMatch(/^process_cpu_seconds_total 1.5$/m);
    cpu = 2_000_000;
    const { body } = await registry.render('openmetrics');
    expect(body).toMatch(/^process_cpu_seconds_total 2$/m);
    expect(body).toMatch(/^process_resident_memory_bytes 1$/m);
    expect(body).not.toMatch(/^(process_open_fds|nodejs_eventloop_lag_\w+) /m);
  });

  it('gives figures of this one', async () => {
    const lag = EventLoopLag.start(() => 0);
    const registry = registryOf();
    exportProcessMetrics(
      registry,
      readingsOfThisProcess(() => lag.read()),
    );
    await expect.poll(() => lag.read()).not.toBeNull();
    const { body } = await registry.render('text');
    lag.close();
    expect(body).toMatch(/^process_open_fds [1-9]/m);
    expect(body).toMatch(/^nodejs_heap_size_used_bytes [1-9]/m);
    expect(body).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
    expect(body).not.toMatch(/ (Nan|\+Inf)$/m);
  });
});
