import {
  Counter,
  Gauge,
  Histogram,
  type OpenMetricsContentType,
  type PrometheusContentType,
  Registry,
} from 'prom-client';
import type { ProbeMetric } from '../../contracts/metrics/probe-metric.ts';
import type { SeriesLabels } from './series-set.ts';

export type RenderFormat = 'text' | 'openmetrics';
export type Exemplar = { readonly request_id: string };

/**
 * A metric as prom-client holds it, in two registries: its content type is fixed for each, and it writes exemplars in
 * OpenMetrics alone. Gauges and histograms stand in both. Counters are held twice, because prom-client renames a counter
 * in place (`_total` goes) when it is rendered as OpenMetrics, and the text form would lose the suffix from then on.
 */
export class ExposedRegistries {
  readonly text = new Registry<PrometheusContentType>();
  readonly openmetrics = new Registry<OpenMetricsContentType>();

  constructor() {
    this.openmetrics.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  }

  /** The one metric that they are of, by prom-client. */
  async only(format: RenderFormat): Promise<string> {
    const registry = this[format];
    const texts = registry.getMetricsAsArray().map(({ name }) => registry.getSingleMetricAsString(name));
    return (await Promise.all(texts)).join('\n');
  }
}

export function contentTypeOf(format: RenderFormat): string {
  return format === 'text' ? Registry.PROMETHEUS_CONTENT_TYPE : Registry.OPENMETRICS_CONTENT_TYPE;
}

interface Definition {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
}

function definitionOf({ name, help, labels }: ProbeMetric): Definition {
  return { name, help, labelNames: labels };
}

/** The name of a counter in OpenMetrics, where `_total` belongs to its sample and not to the family. */
function familyName(name: string): string {
  return name.replace(/_total$/, '');
}

export class ExposedCounter {
  readonly #text: Counter;
  readonly #open: Counter;
  readonly #exemplars: boolean;

  constructor(metric: ProbeMetric, registries: ExposedRegistries) {
    const definition = definitionOf(metric);
    this.#exemplars = metric.exemplars;
    this.#text = new Counter({ ...definition, registers: [registries.text] });
    this.#open = new Counter({
      ...definition,
      name: familyName(metric.name),
      registers: [registries.openmetrics],
      enableExemplars: metric.exemplars,
    });
  }

  inc(labels: SeriesLabels, value: number, exemplar: Exemplar | null): void {
    this.#text.inc(labels, value);
    if (!this.#exemplars) this.#open.inc(labels, value);
    else this.#open.inc({ labels, value, ...(exemplar === null ? {} : { exemplarLabels: exemplar }) });
  }

  remove(labels: SeriesLabels): void {
    this.#text.remove(labels);
    this.#open.remove(labels);
  }
}

export class ExposedGauge {
  readonly #gauge: Gauge;

  constructor(metric: ProbeMetric, registries: ExposedRegistries) {
    this.#gauge = new Gauge({
      ...definitionOf(metric),
      registers: [registries.text, registries.openmetrics],
    });
  }

  set(labels: SeriesLabels, value: number): void {
    this.#gauge.set(labels, value);
  }

  remove(labels: SeriesLabels): void {
    this.#gauge.remove(labels);
  }
}

export class ExposedHistogram {
  readonly #histogram: Histogram;
  readonly #exemplars: boolean;

  constructor(metric: ProbeMetric, registries: ExposedRegistries) {
    this.#exemplars = metric.exemplars;
    this.#histogram = new Histogram({
      ...definitionOf(metric),
      buckets: [...(metric.buckets ?? [])],
      registers: [registries.openmetrics],
      enableExemplars: metric.exemplars,
    });
    // Its constructor refuses exemplars where a registry of the text form is named; rendered there, they are left out.
    registries.text.registerMetric(this.#histogram);
  }

  observe(labels: SeriesLabels, value: number, exemplar: Exemplar | null): void {
    if (!this.#exemplars) this.#histogram.observe(labels, value);
    else
      this.#histogram.observe({ labels, value, ...(exemplar === null ? {} : { exemplarLabels: exemplar }) });
  }

  /** At 0; a series that has samples would lose them. */
  zero(labels: SeriesLabels): void {
    this.#histogram.zero(labels);
  }

  remove(labels: SeriesLabels): void {
    this.#histogram.remove(labels);
  }
}
