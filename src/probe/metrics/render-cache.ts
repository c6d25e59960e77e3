import type { RenderFormat } from './exposed-metrics.ts';
import type { RenderedMetrics } from './rendering.ts';

const KEPT_MS = 1000;

/** Two scrapers, or one that is impatient, cost one rendering a second for each format. */
export class RenderCache {
  readonly #now: () => number;
  readonly #render: (format: RenderFormat) => Promise<RenderedMetrics>;
  readonly #kept = new Map<
    RenderFormat,
    { readonly at: number; readonly rendered: Promise<RenderedMetrics> }
  >();

  constructor(now: () => number, render: (format: RenderFormat) => Promise<RenderedMetrics>) {
    this.#now = now;
    this.#render = render;
  }

  get(format: RenderFormat): Promise<RenderedMetrics> {
    const at = this.#now();
    const kept = this.#kept.get(format);
    if (kept !== undefined && at >= kept.at && at - kept.at < KEPT_MS) return kept.rendered;
    const rendered = this.#render(format);
    this.#kept.set(format, { at, rendered });
    // One that failed is tried again at once; who asked for it is told.
    rendered.catch(() => this.#kept.delete(format));
    return rendered;
  }
}
