import { ExposedRegistries, type RenderFormat } from './exposed-metrics.ts';

/** What prom-client writes of one metric: two lines about it, and a line for each sample. */
export interface MetricText {
  readonly head: string;
  readonly samples: string;
}

/** The series of a metric that change together, with their text as it was rendered last. */
export class MetricPart<E = unknown> {
  readonly exposed: E;
  readonly #registries = new ExposedRegistries();
  readonly #rendered = new Map<RenderFormat, { readonly samples: string; readonly changes: number }>();
  #changes = 0;

  constructor(make: (registries: ExposedRegistries) => E) {
    this.exposed = make(this.#registries);
  }

  /** What was rendered is of before. */
  changed(): void {
    this.#changes += 1;
  }

  /** Its samples, where none has changed since they were rendered; null where they must be. */
  known(format: RenderFormat): string | null {
    const rendered = this.#rendered.get(format);
    return rendered?.changes === this.#changes ? rendered.samples : null;
  }

  async render(format: RenderFormat): Promise<MetricText> {
    // What changes while prom-client renders may be in the text or not.
    const changes = this.#changes;
    const text = await this.#registries.only(format);
    const end = text.indexOf('\n', text.indexOf('\n') + 1);
    const head = end < 0 ? text : text.slice(0, end);
    const samples = end < 0 ? '' : text.slice(end + 1);
    this.#rendered.set(format, { samples, changes });
    return { head, samples };
  }
}
