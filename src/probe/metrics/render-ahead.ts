import type { RenderFormat } from './exposed-metrics.ts';
import type { MetricPart } from './metric-part.ts';
import type { RenderedMetrics } from './rendering.ts';

/** So long after a scrape another one is reckoned with. */
const WANTED_MS = 5 * 60_000;
/** How long the event loop may be held at once. */
const TURN_MS = 0.5;

/**
 * Renders what has changed while nobody waits, a little in each turn of the event loop: all probes run between two scrapes, and
 * what they changed would hold up the scrape, and the time stamps of streams that it meets.
 */
export class RenderAhead {
  readonly #now: () => number;
  readonly #asked = new Map<RenderFormat, number>();
  readonly #stale = new Set<MetricPart>();
  #isUnderWay = false;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** There was a scrape. */
  asked(format: RenderFormat): void {
    this.#asked.set(format, this.#now());
  }

  changed(part: MetricPart): void {
    if (this.#wanted().length === 0) return;
    this.#stale.add(part);
    if (this.#isUnderWay) return;
    this.#isUnderWay = true;
    setImmediate(() => void this.#turn());
  }

  /** What cannot be rendered is told to whoever scrapes. */
  async #turn(): Promise<void> {
    const began = this.#now();
    const formats = this.#wanted();
    for (const part of this.#stale) {
      this.#stale.delete(part);
      for (const format of formats)
        if (part.known(format) === null) await part.render(format).catch(() => undefined);
      if (this.#now() - began >= TURN_MS) break;
    }
    this.#isUnderWay = this.#stale.size > 0;
    if (this.#isUnderWay) setImmediate(() => void this.#turn());
  }

  #wanted(): RenderFormat[] {
    const now = this.#now();
    return [...this.#asked].flatMap(([format, at]) => (now - at < WANTED_MS ? [format] : []));
  }
}

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
