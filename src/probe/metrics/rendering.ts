import { setImmediate } from 'node:timers/promises';
import { contentTypeOf, type RenderFormat } from './exposed-metrics.ts';
import type { MetricParts } from './metric-parts.ts';

export interface RenderedMetrics {
  readonly contentType: string;
  readonly body: string;
}

/** How long the event loop may be held before others have their turn: time stamps of probes are taken on it. */
const TURN_MS = 1;

/** Renders what has changed since the last time, part by part: all at once holds the event loop for as long as it takes. */
export async function renderMetrics(
  metrics: Iterable<MetricParts>,
  format: RenderFormat,
  now: () => number,
): Promise<RenderedMetrics> {
  const texts: string[] = [];
  let turnBegan = now();
  for (const metric of metrics) {
    texts.push(await metric.head(format));
    for (const part of metric.parts()) {
      const samples = part.known(format) ?? (await part.render(format)).samples;
      if (samples !== '') texts.push(samples);
      else if (part.known(format) === '') metric.forget(part);
      if (now() - turnBegan < TURN_MS) continue;
      await setImmediate();
      turnBegan = now();
    }
  }
  const end = format === 'openmetrics' ? '\n# EOF\n' : '\n';
  return { contentType: contentTypeOf(format), body: texts.join('\n') + end };
}
