import type { KindSeries, LoadSeries } from '../measure/load-series.ts';

/** One chart as the page's script draws it. */
export interface Chart {
  readonly title: string;
  readonly unit: string;
  /** Stepped for counts per bucket, a line for times. */
  readonly stepped: boolean;
  readonly lines: readonly ChartLine[];
}

export interface ChartLine {
  readonly label: string;
  /** A custom property of the page's style. */
  readonly color: '--started' | '--errors' | '--p50' | '--p95';
  readonly values: readonly (number | null)[];
}

export interface KindCharts {
  readonly kind: string;
  readonly charts: readonly Chart[];
}

export interface ChartData {
  /** Seconds since the first start, one for each bucket. */
  readonly x: readonly number[];
  readonly kinds: readonly KindCharts[];
}

/** Rate, TTFT (where the kind streams) and e2e over time, a row for each kind. */
export function chartData(series: LoadSeries): ChartData {
  const length = series.kinds[0]?.started.length ?? 0;
  return {
    x: Array.from({ length }, (_, index) => index * series.bucket_s),
    kinds: series.kinds.map((kind) => ({ kind: kind.kind, charts: chartsOf(kind, series.bucket_s) })),
  };
}

function chartsOf(kind: KindSeries, bucketSeconds: number): readonly Chart[] {
  const perSecond = (counts: readonly number[]) => counts.map((count) => count / bucketSeconds);
  const rates: Chart = {
    title: 'started and errors',
    unit: '/s',
    stepped: true,
    lines: [
      { label: 'started', color: '--started', values: perSecond(kind.started) },
      { label: 'errors', color: '--errors', values: perSecond(kind.errors) },
    ],
  };
  const times = (title: string, p50: ChartLine['values'], p95: ChartLine['values']): Chart => ({
    title,
    unit: 'ms',
    stepped: false,
    lines: [
      { label: 'p50', color: '--p50', values: p50 },
      { label: 'p95', color: '--p95', values: p95 },
    ],
  });
  const streams = kind.ttft_p50.some((value) => value !== null);
  return [
    rates,
    ...(streams ? [times('TTFT', kind.ttft_p50, kind.ttft_p95)] : []),
    times('e2e', kind.e2e_p50, kind.e2e_p95),
  ];
}
