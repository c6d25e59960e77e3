import { setImmediate } from 'node:timers/promises';
import type { OpenMetricsContentType, PrometheusContentType, Registry } from 'prom-client';
import type { ExposedRegistries, RenderFormat } from './exposed-metrics.ts';

export interface RenderedMetrics {
  readonly contentType: string;
  readonly body: string;
}

/** How long the event loop may be held before others have their turn: time stamps of probes are taken on it. */
const TURN_MS = 5;

/** Renders metric by metric: a whole registry at once holds the event loop for as long as it takes. */
export async function renderMetrics(
  registries: ExposedRegistries,
  format: RenderFormat,
  now: () => number,
): Promise<RenderedMetrics> {
  const registry = registries[format];
  const parts: string[] = [];
  let turnBegan = now();
  for (const name of namesOf(registry)) {
    parts.push(await registry.getSingleMetricAsString(name));
    if (now() - turnBegan < TURN_MS) continue;
    await setImmediate();
    turnBegan = now();
  }
  const end = format === 'openmetrics' ? '\n# EOF\n' : '\n';
  return { contentType: registry.contentType, body: parts.join('\n') + end };
}

function namesOf(registry: Registry<PrometheusContentType> | Registry<OpenMetricsContentType>): string[] {
  return registry.getMetricsAsArray().map(({ name }) => name);
}
