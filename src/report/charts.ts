import { parseInstant } from '../core/time.ts';
import type { KindSeries, LoadSeries } from '../measure/load-series.ts';
import type { MeasuredWindow } from '../measure/measured-window.ts';

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
  /** Seconds since the zero of the schedule, one for each bucket. */
  readonly x: readonly number[];
  /** Seconds since the zero of the schedule in which calls were measured; null where nothing is left out. */
  readonly measured: readonly [number, number] | null;
  readonly kinds: readonly KindCharts[];
}

/** Calls sent, TTFT (where the kind streams) and e2e over time, a row for each kind. `window`: the measured time. */
export function chartData(series: LoadSeries, window: MeasuredWindow | null): ChartData {
  const length = series.kinds[0]?.started.length ?? 0;
  return {
    x: Array.from({ length }, (_, index) => index * series.bucket_s),
    measured: measuredSpan(series, window),
    kinds: series.kinds.map((kind) => ({ kind: kind.kind, charts: chartsOf(kind, series.bucket_s) })),
  };
}

function measuredSpan(series: LoadSeries, window: MeasuredWindow | null): ChartData['measured'] {
  const zero = parseInstant(series.start ?? '');
  const from = parseInstant(window?.start ?? '');
  const to = parseInstant(window?.end ?? '');
  return zero === null || from === null || to === null ? null : [(from - zero) / 1000, (to - zero) / 1000];
}

function chartsOf(kind: KindSeries, bucketSeconds: number): readonly Chart[] {
  const perSecond = (counts: readonly number[]) => counts.map((count) => count / bucketSeconds);
  const rates: Chart = {
    title: 'calls sent and errors',
    unit: '/s',
    stepped: true,
    lines: [
      { label: 'sent', color: '--started', values: perSecond(kind.started) },
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
