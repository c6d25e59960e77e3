import type { ProbeMetric } from '../../contracts/metrics/probe-metric.ts';
import {
  PROBE_METRIC_LIST,
  type ProbeLabels,
  type ProbeMetricName,
  type ProbeMetricNameOf,
} from '../../contracts/metrics/probe-metrics.ts';
import {
  type Exemplar,
  ExposedCounter,
  ExposedGauge,
  ExposedHistogram,
  type ExposedRegistries,
  type RenderFormat,
} from './exposed-metrics.ts';
import { MetricParts } from './metric-parts.ts';
import { RENDER_KEPT_MS, RenderAhead, RenderCache } from './render-ahead.ts';
import { type RenderedMetrics, renderMetrics } from './rendering.ts';
import { type AdmittedSeries, type SeriesLabels, SeriesSet } from './series-set.ts';

export interface ProbeMetricsOptions {
  /** Label sets that one metric may have. */
  readonly seriesLimit: number;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
  /** How long a rendering is served again; a second unless given. */
  readonly renderKeptMs?: number | undefined;
}

/** OpenMetrics 1.0 allows 128 characters, names included; prom-client throws after it has counted the sample. */
const EXEMPLAR_ID = /^[\x21-\x7e]{1,118}$/;
const OVERFLOW = 'weighbridge_label_overflow_total';
const NOT_ADMITTED: AdmittedSeries = { labels: null, created: false, folded: false };
const RENDER_TIME = 'weighbridge_metrics_render_seconds';

type CounterName = ProbeMetricNameOf<'counter'>;
type HistogramName = ProbeMetricNameOf<'histogram'>;

/**
 * The metrics of the daemon. Beyond the series limit counters and histograms go on in one series whose labels are all
 * `other`, and gauges are left out; either is counted. What is no number breaks a promise of ours and is thrown.
 */
export class ProbeMetricsRegistry {
  readonly #now: () => number;
  readonly #series = new Map<ProbeMetricName, SeriesSet>();
  readonly #counters = new Map<ProbeMetricName, MetricParts<ExposedCounter>>();
  readonly #gauges = new Map<ProbeMetricName, MetricParts<ExposedGauge>>();
  readonly #histograms = new Map<ProbeMetricName, MetricParts<ExposedHistogram>>();
  /** In the order of the catalogue. */
  readonly #metrics: MetricParts[] = [];
  /** The last value of each series of a gauge. */
  readonly #values = new WeakMap<SeriesLabels, number>();
  readonly #samplers: (() => void)[] = [];
  readonly #cache: RenderCache;
  readonly #ahead: RenderAhead;

  constructor({ seriesLimit, now, renderKeptMs = RENDER_KEPT_MS }: ProbeMetricsOptions) {
    if (!Number.isSafeInteger(seriesLimit) || seriesLimit < 1)
      throw new RangeError(`the series limit is ${seriesLimit}, not a whole number of 1 or more`);
    this.#now = now;
    this.#cache = new RenderCache(renderKeptMs, now, (format) => this.#render(format));
    this.#ahead = new RenderAhead(now);
    for (const metric of PROBE_METRIC_LIST) {
      this.#series.set(metric.name, new SeriesSet(metric, seriesLimit));
      if (metric.type === 'counter') this.#hold(this.#counters, metric, ExposedCounter);
      else if (metric.type === 'gauge') this.#hold(this.#gauges, metric, ExposedGauge);
      else this.#hold(this.#histograms, metric, ExposedHistogram);
    }
    for (const { name, type, labels } of PROBE_METRIC_LIST) {
      if (labels.length > 0) this.#zero(OVERFLOW, { metric: name });
      else if (type !== 'gauge') this.#zero(name, {});
    }
  }

  inc<N extends CounterName>(name: N, labels: ProbeLabels<N>, by = 1, exemplar?: Exemplar): void {
    checkNumber(name, by);
    const { labels: series, created } = this.#admit(name, labels);
    if (series === null || (by === 0 && !created)) return;
    this.#counters.get(name)?.change(series).inc(series, by, soundExemplar(exemplar));
  }

  /** NaN and infinities mean that the value is not known: the series goes. */
  set<N extends ProbeMetricNameOf<'gauge'>>(name: N, labels: ProbeLabels<N>, value: number): void {
    if (!Number.isFinite(value)) {
      if (this.#series.get(name)?.has(labels) === true) this.remove(name, labels);
      return;
    }
    const { labels: series } = this.#admit(name, labels);
    if (series === null || this.#values.get(series) === value) return;
    this.#values.set(series, value);
    this.#gauges.get(name)?.change(series).set(series, value);
  }

  observe<N extends HistogramName>(
    name: N,
    labels: ProbeLabels<N>,
    value: number,
    exemplar?: Exemplar,
  ): void {
    checkNumber(name, value);
    const { labels: series } = this.#admit(name, labels);
    if (series !== null)
      this.#histograms.get(name)?.change(series).observe(series, value, soundExemplar(exemplar));
  }

  /** Series at 0, so that their first increase is seen; one that exists stays as it is. */
  precreate<N extends CounterName | HistogramName>(name: N, labelSets: readonly ProbeLabels<N>[]): void {
    for (const labels of labelSets) this.#zero(name, labels);
  }

  /** Takes out all series of a metric that have these label values. */
  remove<N extends ProbeMetricName>(name: N, matching: Partial<ProbeLabels<N>>): void {
    this.#remove(name, matching);
  }

  /** Takes out all series of a target, or of one of its probes, whatever metric they are of. */
  removeAll(matching: { readonly target: string; readonly probe?: string }): void {
    const label = matching.probe === undefined ? 'target' : 'probe';
    for (const { name, labels } of PROBE_METRIC_LIST)
      if (labels.includes(label)) this.#remove(name, matching);
  }

  #remove(name: ProbeMetricName, matching: Partial<SeriesLabels>): void {
    for (const labels of this.#series.get(name)?.remove(matching) ?? []) {
      this.#counters.get(name)?.change(labels).remove(labels);
      this.#gauges.get(name)?.change(labels).remove(labels);
      this.#histograms.get(name)?.change(labels).remove(labels);
    }
  }

  /** Called before each rendering, for values that are only read when somebody looks. */
  onRender(sample: () => void): void {
    this.#samplers.push(sample);
  }

  render(format: RenderFormat): Promise<RenderedMetrics> {
    return this.#cache.get(format);
  }

  /** As Prometheus asks for it, while nobody does: the first scrape would render all there is, by code that never ran. */
  async prepare(): Promise<void> {
    this.#ahead.asked('openmetrics');
    await renderMetrics(this.#metrics, 'openmetrics', this.#now);
  }

  async #render(format: RenderFormat): Promise<RenderedMetrics> {
    const began = this.#now();
    for (const sample of this.#samplers) sample();
    const rendered = await renderMetrics(this.#metrics, format, this.#now);
    this.#ahead.asked(format);
    this.set(RENDER_TIME, {}, (this.#now() - began) / 1000);
    return rendered;
  }

  #admit(name: ProbeMetricName, labels: SeriesLabels): AdmittedSeries {
    const admitted = this.#series.get(name)?.admit(labels) ?? NOT_ADMITTED;
    if (admitted.folded && name !== OVERFLOW) this.inc(OVERFLOW, { metric: name });
    return admitted;
  }

  #zero(name: ProbeMetricName, labels: SeriesLabels): void {
    const { labels: series, created } = this.#admit(name, labels);
    if (series === null || !created) return;
    this.#counters.get(name)?.change(series).inc(series, 0, null);
    this.#histograms.get(name)?.change(series).zero(series);
  }

  #hold<E>(
    held: Map<ProbeMetricName, MetricParts<E>>,
    metric: ProbeMetric<ProbeMetricName>,
    Exposed: new (metric: ProbeMetric, registries: ExposedRegistries) => E,
  ): void {
    const parts = new MetricParts(
      (registries) => new Exposed(metric, registries),
      (part) => this.#ahead.changed(part),
    );
    held.set(metric.name, parts);
    this.#metrics.push(parts);
  }
}

/** prom-client lets NaN through, and a negative time would make a sum fall, which reads as a restart. */
function checkNumber(name: string, value: number): void {
  if (!Number.isFinite(value) || value < 0)
    throw new RangeError(`${name}: ${value} is not a finite number of 0 or more`);
}

function soundExemplar(exemplar: Exemplar | undefined): Exemplar | null {
  return exemplar !== undefined && EXEMPLAR_ID.test(exemplar.request_id) ? exemplar : null;
}
