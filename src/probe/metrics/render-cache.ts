import type { RenderFormat } from './exposed-metrics.ts';
import type { RenderedMetrics } from './rendering.ts';

/** How long a rendering is served again. */
export const RENDER_KEPT_MS = 1000;

/** Two scrapers, or one that is impatient, cost one rendering in that time for each format. */
export class RenderCache {
  readonly #keptMs: number;
  readonly #now: () => number;
  readonly #render: (format: RenderFormat) => Promise<RenderedMetrics>;
  readonly #kept = new Map<
    RenderFormat,
    { readonly at: number; readonly rendered: Promise<RenderedMetrics> }
  >();

  constructor(keptMs: number, now: () => number, render: (format: RenderFormat) => Promise<RenderedMetrics>) {
    this.#keptMs = keptMs;
    this.#now = now;
    this.#render = render;
  }

  get(format: RenderFormat): Promise<RenderedMetrics> {
    const at = this.#now();
    const kept = this.#kept.get(format);
    if (kept !== undefined && at >= kept.at && at - kept.at < this.#keptMs) return kept.rendered;
    const rendered = this.#render(format);
    this.#kept.set(format, { at, rendered });
    // One that failed is tried again at once; who asked for it is told.
    rendered.catch(() => this.#kept.delete(format));
    return rendered;
  }
}
