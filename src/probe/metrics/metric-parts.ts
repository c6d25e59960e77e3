import type { ExposedRegistries, RenderFormat } from './exposed-metrics.ts';
import { MetricPart } from './metric-part.ts';
import type { SeriesLabels } from './series-set.ts';

/**
 * One metric of the catalogue, a part for each probe: what has not changed since the last scrape is not rendered again, and of
 * all probes together some series always has.
 */
export class MetricParts<E = unknown> {
  readonly #make: (registries: ExposedRegistries) => E;
  readonly #changed: (part: MetricPart) => void;
  readonly #parts = new Map<string, MetricPart<E>>();
  readonly #heads = new Map<RenderFormat, string>();

  /** `changed` is told each part that changes, just before it does. */
  constructor(make: (registries: ExposedRegistries) => E, changed: (part: MetricPart) => void) {
    this.#make = make;
    this.#changed = changed;
  }

  /** What holds a series, which is about to change. */
  change({ target, probe }: SeriesLabels): E {
    const key = JSON.stringify([target, probe]);
    const part = this.#parts.get(key) ?? new MetricPart(this.#make);
    this.#parts.set(key, part);
    part.changed();
    this.#changed(part);
    return part.exposed;
  }

  /** What is told of the metric itself. */
  async head(format: RenderFormat): Promise<string> {
    const known = this.#heads.get(format);
    if (known !== undefined) return known;
    // Let go of at once: prom-client shows a gauge without labels at 0 from the start, which nobody has told.
    const { head } = await new MetricPart(this.#make).render(format);
    this.#heads.set(format, head);
    return head;
  }

  parts(): Iterable<MetricPart> {
    return this.#parts.values();
  }

  /** Lets go of a part that has no series left. */
  forget(gone: MetricPart): void {
    for (const [key, part] of this.#parts) if (part === gone) this.#parts.delete(key);
  }
}
