import { readdirSync } from 'node:fs';
import type { LoopLag } from './event-loop-lag.ts';
import type { ProbeMetricsRegistry } from './probe-metrics-registry.ts';

export interface ProcessReadings {
  /** User and system CPU time since the start, microseconds. */
  readonly cpuMicros: () => number;
  readonly memory: () => Pick<NodeJS.MemoryUsage, 'rss' | 'heapTotal' | 'heapUsed' | 'external'>;
  /** Null where the system does not tell. */
  readonly openFiles: () => number | null;
  readonly startedAtSeconds: number;
  readonly loopLag: () => LoopLag | null;
}

export function readingsOfThisProcess(loopLag: () => LoopLag | null): ProcessReadings {
  return {
    cpuMicros: () => {
      const { user, system } = process.cpuUsage();
      return user + system;
    },
    memory: () => process.memoryUsage(),
    openFiles: countOpenFiles,
    startedAtSeconds: performance.timeOrigin / 1000,
    loopLag,
  };
}

/**
 * The daemon's own process, under the names of prom-client's default metrics but not by them: theirs cannot be stopped,
 * give NaN where the event loop was not watched yet, and halve their figures for a second scraper.
 */
export function exportProcessMetrics(registry: ProbeMetricsRegistry, readings: ProcessReadings): void {
  let told = 0;
  registry.set('process_start_time_seconds', {}, readings.startedAtSeconds);
  registry.onRender(() => {
    const used = readings.cpuMicros() / 1e6;
    registry.inc('process_cpu_seconds_total', {}, Math.max(0, used - told));
    told = Math.max(told, used);
    const { rss, heapTotal, heapUsed, external } = readings.memory();
    registry.set('process_resident_memory_bytes', {}, rss);
    registry.set('nodejs_heap_size_total_bytes', {}, heapTotal);
    registry.set('nodejs_heap_size_used_bytes', {}, heapUsed);
    registry.set('nodejs_external_memory_bytes', {}, external);
    const files = readings.openFiles();
    if (files !== null) registry.set('process_open_fds', {}, files);
    const lag = readings.loopLag();
    if (lag === null) return;
    registry.set('nodejs_eventloop_lag_p50_seconds', {}, lag.p50);
    registry.set('nodejs_eventloop_lag_p99_seconds', {}, lag.p99);
    registry.set('nodejs_eventloop_lag_max_seconds', {}, lag.max);
  });
}

function countOpenFiles(): number | null {
  try {
    // The folder that is read is open itself meanwhile.
    return readdirSync('/proc/self/fd').length - 1;
  } catch {
    return null;
  }
}
